#if CommandLine && HTTP
    import Synchronization

    /// What an operator was told.
    final class Reports: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
#endif
