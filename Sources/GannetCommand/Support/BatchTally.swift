#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetSupport

    /// Counts the outcomes of a batch's sources.
    struct BatchTally: Sendable {
        let total: Int
        private(set) var done = 0
        private(set) var failed = 0
        /// A running load was cancelled.
        private var wasCut = false

        init(total: Int) { self.total = total }

        /// Sources that were not started because of a signal.
        var notBegun: Int { total - done - failed }

        mutating func succeed() { done += 1 }

        mutating func fail(_ error: ImageError) {
            failed += 1
            if error.code == .cancelled { wasCut = true }
        }

        /// Counts `count` sources as failed after they had counted as done.
        mutating func revoke(_ count: Int, _ error: ImageError) {
            done -= count
            failed += count
            if error.code == .cancelled { wasCut = true }
        }

        /// The line at the end of a list. `skipped`: those of ``done`` that needed no work.
        func printSummary(skipped: Int, isStored: Bool = true, json: Bool) {
            guard json else { return Console.print("\(done - skipped) done, \(skipped) skipped, \(failed) failed.") }
            var fields: [(String, JSON)] = [
                ("ok", .bool(done == total && isStored)), ("total", .integer(total)), ("done", .integer(done - skipped)),
                ("skipped", .integer(skipped)), ("failed", .integer(failed)),
            ]
            if notBegun > 0 { fields.append(("notBegun", .integer(notBegun))) }
            Console.print(.object(fields))
        }

        /// Throws the exit code unless all sources are done: that of a signal that left work undone, else 1.
        func end() throws {
            if let signal = Interrupt.number, wasCut || notBegun > 0 {
                if total > 1 {
                    Console.warn(
                        "Stopped: \(Readable.count(done)) done, \(Readable.count(failed)) failed, \(Readable.count(notBegun)) not begun."
                    )
                }
                throw ExitCode(Interrupt.status(signal))
            }
            if failed > 0 { throw ExitCode(1) }
        }
    }
#endif
