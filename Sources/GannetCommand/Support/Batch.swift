#if CommandLine
    import ArgumentParser
    import GannetCore

    /// One piece of work for each source, several at a time; one loop prints what comes of it.
    struct Batch {
        var sources: [String]
        var concurrency: Int
        var output: OutputOptions
        /// Results are printed in the order of the sources instead of the order they end in.
        var keepsOrder = false
        /// Runs when all is done, whether it failed or not.
        var finish: () async -> Void = {}

        /// Tells the loop that prints how far one source is.
        struct Progress: Sendable {
            /// False: nobody sees it, and it need not be told.
            let isShown: Bool
            fileprivate let send: @Sendable (_ received: Int, _ expected: Int?) -> Void
            func update(received: Int, expected: Int?) { send(received, expected) }
        }

        private enum Event<Value: Sendable>: Sendable {
            case progress(Int, received: Int, expected: Int?)
            case ended(Int, Result<Value, ImageError>)
        }

        /// `succeed` runs in the printing loop. Throws exit code 1 if a source failed; each has its line on standard error by then,
        /// and with `--json` its object on standard output.
        func run<Value: Sendable>(
            _ work: @escaping @Sendable (String, Progress) async throws(ImageError) -> Value,
            succeed: (String, Value) async -> Void
        ) async throws {
            let sources = sources
            let width = max(concurrency, 1)
            let (events, continuation) = AsyncStream.makeStream(of: Event<Value>.self)
            var screen = BatchScreen(total: sources.count, bar: ProgressBar(output.progress))
            let wantsProgress = screen.isVisible
            var waiting: [Int: Result<Value, ImageError>] = [:]
            var next = 0

            func show(_ index: Int, _ result: Result<Value, ImageError>) async {
                switch result {
                case .success(let value): await succeed(sources[index], value)
                case .failure(let error):
                    screen.failures += 1
                    if output.json { Console.print(error.json(source: sources[index])) }
                    Console.report(error, source: sources[index])
                }
            }

            await Interrupt.cancelling {
                await withTaskGroup(of: Void.self) { group in
                    for (index, source) in sources.enumerated() {
                        if index >= width { await group.next() }
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
            if screen.failures > 0 { throw ExitCode(1) }
        }
    }

    /// The bar under a batch: how many sources ended, and how far the running ones are.
    private struct BatchScreen {
        let total: Int
        var bar: ProgressBar
        var failures = 0
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
