#if CommandLine
    import GannetCore

    /// One piece of work for each source, several at a time; one loop prints what comes of it.
    ///
    /// A source is begun when another one was printed: results that wait for slow output, or for their turn, are no more than work at once.
    struct Batch {
        var sources: [String]
        /// Sources that are begun and not printed, at most.
        var concurrency: Int
        var output: OutputOptions
        /// Results are printed in the order of the sources instead of the order they end in.
        var keepsOrder = false
        /// Runs when all is done, whether it failed or not.
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

        /// As ``tally(_:succeed:)``. Throws exit code 1 if a source failed, and that of a signal that left something undone.
        func run<Value: Sendable>(
            _ work: @escaping @Sendable (String, Progress) async throws(ImageError) -> Value,
            succeed: (String, Value) async -> Void
        ) async throws {
            try await tally(work, succeed: succeed).end()
        }

        /// `succeed` runs in the printing loop. Each source that failed has its line on standard error in the end, and with `--json` its
        /// object on standard output. After a signal no source is begun any more.
        func tally<Value: Sendable>(
            _ work: @escaping @Sendable (String, Progress) async throws(ImageError) -> Value,
            succeed: (String, Value) async -> Void
        ) async -> BatchTally {
            let sources = sources
            let (events, continuation) = AsyncStream.makeStream(of: Event<Value>.self)
            // One for each source that may be begun.
            let (permits, permit) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<max(concurrency, 1) { permit.yield() }
            var tally = BatchTally(total: sources.count)
            var screen = BatchScreen(total: sources.count, bar: ProgressBar(output.progress))
            let wantsProgress = screen.isVisible
            var waiting: [Int: Result<Value, ImageError>] = [:]
            var next = 0

            func show(_ index: Int, _ result: Result<Value, ImageError>) async {
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
                        if keepsOrder {
                            waiting[index] = result
                            while let result = waiting.removeValue(forKey: next) {
                                await show(next, result)
                                next += 1
                            }
                        } else {
                            await show(index, result)
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

    /// The bar under a batch: how many sources ended, and how far the running ones are.
    private struct BatchScreen {
        let total: Int
        var bar: ProgressBar
        private var ended = 0
        private var running: [Int: (received: Int, expected: Int?)] = [:]

        init(total: Int, bar: ProgressBar) {
            self.total = total
            self.bar = bar
        }

        var isVisible: Bool { bar.isVisible }

        mutating func update(_ index: Int, _ name: String, received: Int, expected: Int?) {
            running[index] = (received, expected)
            let parts = running.values.reduce(0.0) { sum, one in
                guard let expected = one.expected, expected > 0 else { return sum }
                return sum + min(Double(one.received) / Double(expected), 1)
            }
            let bytes = running.values.reduce(0) { $0 + $1.received }
            bar.draw((Double(ended) + parts) / Double(max(total, 1)), "\(ended)/\(total)  \(Readable.bytes(bytes))  \(name)")
        }

        /// The bar is taken away so that what is printed next stands alone; ``draw()`` brings it back.
        mutating func end(_ index: Int) {
            running[index] = nil
            ended += 1
            bar.clear()
        }

        mutating func draw() {
            if ended < total, total > 1 { bar.draw(Double(ended) / Double(total), "\(ended)/\(total)") }
        }

        mutating func close() { bar.clear() }
    }
#endif
