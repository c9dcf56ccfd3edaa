#if CommandLine
    import GannetCore
    import GannetSupport

    /// Runs one piece of work for each source, several at a time; a single loop prints the results.
    ///
    /// A source starts only after another one was printed, so that at most `concurrency` results wait for slow output, or for
    /// their turn.
    struct Batch {
        var sources: [String]
        /// The maximum number of sources that are started and not printed yet.
        var concurrency: Int
        var output: OutputOptions
        /// Prints results in the order of the sources instead of the order in which they end.
        var keepsOrder = false
        /// Runs at the end, after success or failure.
        var finish: () async -> Void = {}

        /// Reports the progress of one source to the loop that prints.
        struct Progress: Sendable {
            /// False if progress is not displayed; callers may then skip updates.
            let isShown: Bool
            fileprivate let send: @Sendable (_ received: Int, _ expected: Int?) -> Void
            func update(received: Int, expected: Int?) { send(received, expected) }
        }

        private enum Event<Value: Sendable>: Sendable {
            case progress(Int, received: Int, expected: Int?)
            case ended(Int, Result<Value, ImageError>)
        }

        /// Like ``tally(_:succeed:)``. Throws exit code 1 if a source failed, or the exit code of a signal that left work undone.
        func run<Value: Sendable>(
            _ work: @escaping @Sendable (String, Progress) async throws(ImageError) -> Value,
            succeed: (String, Value) async -> Void
        ) async throws {
            try await tally(work, succeed: succeed).end()
        }

        /// `succeed` runs in the printing loop. Each failed source gets a line on standard error, and with `--json` an object on
        /// standard output. After a signal no further source is started.
        func tally<Value: Sendable>(
            _ work: @escaping @Sendable (String, Progress) async throws(ImageError) -> Value,
            succeed: (String, Value) async -> Void
        ) async -> BatchTally {
            let sources = sources
            let (events, continuation) = AsyncStream.makeStream(of: Event<Value>.self)
            // One for each source that may be started.
            let (permits, permit) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<max(concurrency, 1) { permit.yield() }
            var tally = BatchTally(total: sources.count)
            var screen = BatchScreen(total: sources.count, bar: ProgressBar(output.progress))
            let wantsProgress = screen.isVisible
            var waiting: [Int: Result<Value, ImageError>] = [:]
            var next = 0

            await Interrupt.cancelling {
                await withDiscardingTaskGroup { group in
                    var begun = 0
                    // A signal ends the wait.
                    for await _ in permits {
                        guard begun < sources.count, !Task.isCancelled else { break }
                        let (index, source) = (begun, sources[begun])
                        begun += 1
                        group.addTask {
                            let progress = Progress(isShown: wantsProgress) { received, expected in
                                continuation.yield(.progress(index, received: received, expected: expected))
                            }
                            let result: Result<Value, ImageError>
                            do throws(ImageError) {
                                try ImageError.checkCancellation()
                                result = .success(try await work(source, progress))
                            } catch { result = .failure(error) }
                            continuation.yield(.ended(index, result))
                        }
                        if begun == sources.count { break }
                    }
                }
                continuation.finish()
            } whileRunning: {
                for await event in events {
                    switch event {
                    case .progress(let index, let received, let expected):
                        screen.update(index, sources[index], received: received, expected: expected)
                    case .ended(let index, let result):
                        screen.end(index)
                        var ready = [(index, result)]
                        if keepsOrder {
                            waiting[index] = result
                            ready = []
                            while let result = waiting.removeValue(forKey: next) {
                                ready.append((next, result))
                                next += 1
                            }
                        }
                        for (index, result) in ready {
                            switch result {
                            case .success(let value):
                                await succeed(sources[index], value)
                                tally.succeed()
                            case .failure(let error):
                                tally.fail(error)
                                if output.json { Console.print(error.json(source: sources[index])) }
                                Console.report(error, source: sources[index])
                            }
                            permit.yield()
                        }
                        screen.draw()
                    }
                }
            }
            screen.close()
            await finish()
            return tally
        }
    }

    /// The progress bar of a batch: the number of finished sources, and the progress of running ones.
    private struct BatchScreen {
        let total: Int
        var bar: ProgressBar
        private let clock = ContinuousClock()
        private let start = ContinuousClock.now
        private var ended = 0
        private var running: [Int: (received: Int, expected: Int?)] = [:]

        init(total: Int, bar: ProgressBar) {
            self.total = total
            self.bar = bar
        }

        var isVisible: Bool { bar.isVisible }

        /// `12/100`, and how long the rest will take.
        private var count: String {
            let time = RemainingTime.text(elapsed: clock.now - start, ended: ended, total: total)
            return "\(ended)/\(total)" + (time.map { "  " + $0 } ?? "")
        }

        mutating func update(_ index: Int, _ name: String, received: Int, expected: Int?) {
            running[index] = (received, expected)
            let parts = running.values.reduce(0.0) { sum, one in
                guard let expected = one.expected, expected > 0 else { return sum }
                return sum + min(Double(one.received) / Double(expected), 1)
            }
            let bytes = running.values.reduce(0) { $0 + $1.received }
            bar.draw((Double(ended) + parts) / Double(max(total, 1)), "\(count)  \(Readable.bytes(bytes))  \(name)")
        }

        /// Removes the bar so that the next printed lines stand alone; ``draw()`` restores it.
        mutating func end(_ index: Int) {
            running[index] = nil
            ended += 1
            bar.clear()
        }

        mutating func draw() {
            if ended < total, total > 1 { bar.draw(Double(ended) / Double(total), count) }
        }

        mutating func close() { bar.clear() }
    }
#endif
