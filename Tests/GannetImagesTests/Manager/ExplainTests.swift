import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// S3-27: why a request would hit, miss or be stale, with times, and without doing any of it.
@Suite struct ExplainTests {
    private func states(_ explanation: LoadExplanation) -> [String] {
        explanation.steps.map { "\($0.place): \($0.state.rawValue)" }
    }

    // U-34, S3-27
    @Test func `From nothing to fresh to stale, tier by tier`() async throws {
        let scene = FollowUpTests.Scene()
        let request = FollowUpTests.Scene.wishes[1]
        var told = try await scene.manager.explanation(of: request)
        #expect(states(told) == ["image in memory: miss", "image on disk: miss", "original on disk: miss"])
        #expect(told.verdict.contains("https://example.org/a.fake"))

        _ = try await scene.manager.image(for: request)
        try await scene.manager.waitForStores()
        scene.time.advance(by: .seconds(10))
        told = try await scene.manager.explanation(of: request)
        #expect(states(told) == ["image in memory: fresh"])
        #expect(told.steps[0].reason.contains("50 s"))

        scene.forgetMemory()
        told = try await scene.manager.explanation(of: request)
        #expect(states(told) == ["image in memory: miss", "image on disk: fresh"])
        #expect(told.steps[1].reason.contains("stored 10 s ago") && told.steps[1].reason.contains("50 s"))

        scene.time.advance(by: .seconds(110))
        told = try await scene.manager.explanation(of: request)
        #expect(states(told) == ["image in memory: miss", "image on disk: stale", "original on disk: stale"])
        #expect(told.steps[2].reason.contains("60 s ago"))
        #expect(told.verdict.contains("304"))
        // None of this sent, decoded or used anything.
        #expect(scene.transport.requests.count == 1)
        #expect(told.description.contains("original on disk: stale"))
        #expect("\(told)" == told.description, "print shows something else than the sentences")
    }

    @Test func `A source that failed a moment ago is not asked`() async throws {
        let fixture = ManagerFixture()
        fixture.loader.answer(
            ManagerFixture.url, with: .failure(ImageError(.httpStatus, stage: .load, "gone", httpStatus: 404)))
        var request = ImageRequest(stringLiteral: ManagerFixture.url)
        _ = try? await fixture.manager.image(for: request)
        #expect(try await fixture.manager.explanation(of: request).verdict.contains("blocked"))
        #expect(await #expect(throws: ImageError.self) { try await fixture.manager.image(for: request) }?.code == .blocked)
        #expect(try await fixture.manager.explanation(of: request.with(.retryingFailed)).verdict.contains("loaded"))
        request.download.alternatives = ["https://example.org/b.fake"]
        #expect(try await fixture.manager.explanation(of: request).verdict.contains("alternatives are asked"))
        request.download.lowDataSource = "https://example.org/small.fake"
        fixture.manager.fetcher.savesData = true
        #expect(try await fixture.manager.explanation(of: request).verdict.contains("small.fake"))
    }

    /// The effect of an image's age on a request is in the verdict, not in the state.
    @Test func `Lookups change the verdict alone`() async throws {
        let scene = FollowUpTests.Scene()
        var request = FollowUpTests.Scene.wishes[0]
        _ = try await scene.manager.image(for: request)
        try await scene.manager.waitForStores()
        request.cache.lookup = .revalidate
        var told = try await scene.manager.explanation(of: request)
        #expect(Set(told.steps.map(\.state)) == [.fresh] && told.verdict.contains("asked") && told.verdict.contains("304"))
        scene.time.advance(by: .seconds(120))
        scene.forgetMemory()
        for lookup in [LookupPolicy.cacheOnly, .cacheFirst] {
            request.cache.lookup = lookup
            told = try await scene.manager.explanation(of: request)
            #expect(told.steps.last?.state == .stale && told.verdict.contains("not asked"), "\(told)")
        }
    }

    @Test func `Another size of a stored original`() async throws {
        let scene = FollowUpTests.Scene()
        _ = try await scene.manager.image(for: FollowUpTests.Scene.wishes[0])
        try await scene.manager.waitForStores()
        let told = try await scene.manager.explanation(of: FollowUpTests.Scene.wishes[1])
        #expect(states(told) == ["image in memory: miss", "image on disk: miss", "original on disk: fresh"])
    }

    @Test func `What a request forbids is said`() async throws {
        let scene = FollowUpTests.Scene()
        func first(_ change: (inout ImageRequest) -> Void) async throws -> LoadExplanation {
            var request = FollowUpTests.Scene.wishes[0]
            change(&request)
            return try await scene.manager.explanation(of: request)
        }
        struct Nothing: CacheKeyFilter { func key(for source: ImageSource) -> String? { nil } }
        #expect(try await first { $0.cache.lookup = .loaderOnly }.steps.allSatisfy { $0.state == .notAsked })
        #expect(try await first { $0.cache.keyFilter = Nothing() }.steps.allSatisfy { $0.state == .notAsked })
        #expect(try await first { $0.cache.read = .disk }.steps[0].state == .notAsked)
        #expect(try await first { $0.cache.lookup = .cacheOnly }.verdict.contains("cacheMiss"))
    }
}
