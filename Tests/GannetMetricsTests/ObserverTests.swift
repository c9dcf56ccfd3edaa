#if Metrics
    import CoreMetrics
    import GannetCore
    import GannetMetrics
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetTesting
    import InMemoryTracing
    import MetricsTestKit
    import Testing
    import Tracing

    @Suite struct ObserverTests {
        private let url = "https://example.org/a.fake"

        private func manager(_ observer: any LoadObserver) -> ImageManager {
            let loader = FakeImageLoader()
            loader.answer(url, with: .bytes(FakeImageCoder.bytes(width: 4, height: 4)))
            var configuration = ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([loader]),
                coders: CodersManager([FakeImageCoder()]))
            configuration.observers = [observer]
            return ImageManager(configuration: configuration)
        }

        @Test func countsLoadsByResultAndOrigin() async throws {  // MG-25, DL-15, S3-11
            let metrics = TestMetrics()
            let manager = manager(MetricsObserver(factory: metrics))
            for _ in 0..<2 { _ = try await manager.image(for: ImageRequest(ImageSource(url))) }
            _ = try? await manager.image(for: "https://example.org/missing.fake")
            func loads(_ result: String, _ origin: String, _ code: String) throws -> Int64 {
                try metrics.expectCounter("gannet.loads", [("result", result), ("origin", origin), ("code", code)]).totalValue
            }
            #expect(try loads("ok", "network", "") == 1)
            #expect(try loads("ok", "memory", "") == 1)
            #expect(try loads("failed", "", "notFound") == 1)
            // Two sets under one name end the process in clients of Prometheus.
            for (name, counters) in Dictionary(grouping: metrics.counters, by: \.label) {
                #expect(Set(counters.map { $0.dimensions.map(\.0) }).count == 1, "\(name)")
            }
            #expect(try metrics.expectCounter("gannet.cache", [("event", "memory-hit")]).totalValue == 1)
            #expect(try metrics.expectTimer("gannet.stage.duration", [("stage", "decode")]).values.count == 1)
        }

        @Test func everyLoadIsASpanWithItsStagesBelow() async throws {  // NK-12, CG-03, S3-11
            let tracer = InMemoryTracer()
            let manager = manager(TracingObserver(tracer: tracer))
            _ = try await manager.image(for: ImageRequest(ImageSource(url)))
            let names = tracer.finishedSpans.map(\.operationName)
            #expect(names.filter { $0 == "gannet.load" }.count >= 1)
            #expect(names.contains("gannet.decode"))
            #expect(tracer.activeSpans.isEmpty)
        }
    }
#endif
