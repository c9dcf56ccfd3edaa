#if CommandLine && HTTP && PNG
    import ArgumentParser
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    @testable import gannet

    /// A list of any length holds as much memory as a short one.
    struct BatchTests {
        private struct Window {
            var begun = 0
            var shown = 0
            /// The most that were begun and not shown.
            var widest = 0
        }

        private final class Record: Sendable {
            private let window = Mutex(Window())
            func begin() {
                window.withLock {
                    $0.begun += 1
                    $0.widest = max($0.widest, $0.begun - $0.shown)
                }
            }
            func show() { window.withLock { $0.shown += 1 } }
            var widest: Int { window.withLock { $0.widest } }
            var shown: Int { window.withLock { $0.shown } }
        }

        /// Results that wait to be shown are results in memory: behind a slow source, and behind slow output.
        @Test(.timeLimit(.minutes(10)), arguments: [false, true])
        func noMoreAreBegunThanCanBeShown(keepsOrder: Bool) async throws {
            let (record, first) = (Record(), AsyncGate())
            let batch = Batch(
                sources: (0..<200).map(String.init), concurrency: 3, output: try OutputOptions.parse([]), keepsOrder: keepsOrder)
            try await batch.run { source, _ throws(ImageError) in
                record.begin()
                // The first one ends after others had every chance to go far ahead of it.
                if source == "0" { await first.wait() }
                if source == "2" {
                    for _ in 0..<10_000 { await Task.yield() }
                    first.open()
                }
            } succeed: { _, _ in
                if !keepsOrder { for _ in 0..<1000 { await Task.yield() } }
                record.show()
            }
            #expect(record.shown == 200)
            #expect((1...3).contains(record.widest), "\(record.widest)")
        }

        /// A list is processed once, so images that were shown are not needed any more.
        @Test func imagesOfAListDoNotStayInMemory() async throws {
            let tool = try Tool()
            let png = try TestImages.still(TestImages.flat(width: 1000, height: 1000)).blockingEncoded(
                EncodeOptions(format: .png)
            ).bytes.contiguous()
            let manager = try Assembly.ready(try CacheUseOptions.parse(["--no-cache"]), try LimitOptions.parse([]))
            for number in 0..<12 {
                let path = try tool.write(png, "\(number).png")
                _ = try await manager.image(for: ImageRequest(source: .file(path)))
            }
            let memory = try #require(manager.configuration.memoryCache as? MemoryCache)
            #expect(memory.usage.bytes <= 16 << 20, "\(memory.usage)")
        }

        /// 1 GiB, or half of a smaller machine's memory, is enough for any image within the standard limits.
        @Test func theBudgetAdmitsWhatTheLimitsAllow() async throws {
            let cache = try CacheUseOptions.parse(["--no-cache"])
            let standard = ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager()
            )
            .decodeBudget
            let plain = try Assembly.ready(cache, try LimitOptions.parse([]))
            #expect(plain.configuration.decodeBudget == standard)
            let large = try Assembly.ready(cache, try LimitOptions.parse(["--max-memory", "4294967296"]))
            #expect(large.configuration.decodeBudget >= 4 << 30)
            let largest = try Assembly.ready(cache, try LimitOptions.parse(["--max-memory", "\(Int.max)"]))
            #expect(largest.configuration.decodeBudget == .max)
        }
    }
#endif
