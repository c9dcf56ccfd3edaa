#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetSupport

    /// Takes jobs, does several at a time, and shows each answer in one loop.
    ///
    /// A line is read only after an answer was shown, so that at most `concurrency` jobs are taken and not answered. Back-pressure
    /// goes both ways: whoever writes the jobs waits for the worker, and the worker for whoever reads the answers.
    struct WorkLoop {
        /// Jobs that are taken and not answered yet, at most.
        var concurrency: Int

        enum End: Sendable {
            case endOfInput
            /// Stopped by a signal.
            case stopped
            case failed(ImageError)
        }

        /// `show` gets the answers in the order in which jobs end. After a signal no job is taken, and running ones are cancelled
        /// and answered.
        func run(
            _ input: JobLines, answer: @escaping @Sendable (JobLine) async -> WorkAnswer, show: (WorkAnswer) async -> Void
        ) async -> End {
            let (answers, continuation) = AsyncStream.makeStream(of: WorkAnswer.self)
            // One for each job that may be taken.
            let (permits, permit) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<concurrency { permit.yield() }
            return await Interrupt.cancelling {
                let end = await withDiscardingTaskGroup { group in
                    for await _ in permits {
                        switch await input.next() {
                        case .line(let line): group.addTask { continuation.yield(await answer(line)) }
                        case .end: return End.endOfInput
                        case .stopped: return .stopped
                        case .failed(let error): return .failed(error)
                        }
                    }
                    return .stopped
                }
                continuation.finish()
                return end
            } whileRunning: {
                for await answer in answers {
                    await show(answer)
                    permit.yield()
                }
            }
        }
    }

    /// Counts the answers of a worker.
    struct WorkTally {
        private(set) var done = 0
        private(set) var skipped = 0
        private(set) var failed = 0
        /// A running job was cancelled.
        private(set) var wasCut = false

        mutating func count(_ outcome: WorkAnswer.Outcome) {
            switch outcome {
            case .done: done += 1
            case .skipped: skipped += 1
            case .failed(let error):
                failed += 1
                if error.code == .cancelled { wasCut = true }
            }
        }

        /// Throws the exit code unless every job of the input is done: that of a signal that left work undone, else 1.
        func end(_ end: WorkLoop.End) throws {
            if case .failed(let error) = end {
                Console.report(error, source: "-")
                throw ExitCode(1)
            }
            var isStopped = wasCut
            if case .stopped = end { isStopped = true }
            if isStopped, let signal = Interrupt.number {
                Console.warn(
                    "Stopped: \(Readable.count(done)) done, \(Readable.count(skipped)) skipped, \(Readable.count(failed)) failed."
                )
                throw ExitCode(Interrupt.status(signal))
            }
            if failed > 0 { throw ExitCode(1) }
        }
    }
#endif
