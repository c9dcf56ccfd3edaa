#if CommandLine
    import GannetCore
    import GannetSupport

    /// Prints the pipeline's events on standard error, down to the level of `--log-level`.
    struct EventPrinter: LoadObserver {
        var level: LogLevel

        func note(_ id: LoadID?, _ event: LoadEvent) {
            switch event {
            case .cacheDegraded(let reason): write(.warning, "cache: \(reason)")
            case .cacheRecovered: write(.warning, "cache: it can be written again")
            case .corruptEntry(let key, let reason): write(.warning, "cache: removed a damaged entry, \(key): \(reason)")
            case .redirected(let from, let to): write(.info, "redirected: \(from) → \(to)")
            case .retrying(let attempt, let pause): write(.info, "attempt \(attempt) follows after \(Readable.time(pause))")
            case .cleaned(let reason, let count, let bytes):
                write(.info, "cache: \(count) entries, \(Readable.bytes(bytes)) removed: \(reason)")
            case .memoryHit(let key): write(.debug, "memory hit: \(key)")
            case .memoryMiss(let key): write(.debug, "memory miss: \(key)")
            case .diskHit(let key): write(.debug, "disk hit: \(key)")
            case .diskMiss(let key): write(.debug, "disk miss: \(key)")
            case .stale(let key): write(.info, "stale: \(key)")
            case .revalidated(let key): write(.info, "still good: \(key)")
            case .resized(let key, let larger): write(.debug, "made smaller: \(key) from \(larger)")
            case .joined(let key): write(.debug, "joined: \(key)")
            case .transferStarted(let source): write(.debug, "transfer begins: \(source)")
            case .responseReceived(let source, let status):
                write(.debug, "answer: \(source)" + (status.map { ", \($0)" } ?? ""))
            case .transferFailed(let source): write(.debug, "transfer failed: \(source)")
            case .transferEnded(let source, let bytes): write(.debug, "transfer ended: \(source), \(Readable.bytes(bytes))")
            case .decoded(let key): write(.debug, "decoded: \(key)")
            }
        }

        /// The text is made where it is printed alone: an event comes with every load.
        private func write(_ needed: LogLevel, _ text: @autoclosure () -> String) {
            guard needed <= level else { return }
            Console.warn(TextRedaction.key(text()).split(separator: "\u{1}").joined(separator: " "))
        }
    }
#endif
