import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

/// Look-ups without a load, and explanations, agree with what a load would do: they follow the same plan.
@Suite struct PlannedLookTests {
    private struct Rig {
        let disk = InMemoryImageCache()
        let time = ManualTimeSource()
        let transport: ScriptedTransport

        /// A server whose picture gets redder with each request.
        init(_ cacheControl: String) {
            transport = ScriptedTransport { request, number in
                .fixed(
                    request, headers: [("Cache-Control", cacheControl), ("ETag", "\"\(number)\"")],
                    body: FakeImageCoder.bytes(width: 8, height: 8, red: UInt8(number)))
            }
        }

        /// A manager with nothing in memory yet.
        func manager(_ change: (inout ManagerConfiguration) -> Void = { _ in }) -> ImageManager {
            let loader = HTTPLoader(transport: transport, time: time)
            return ManagerFixture(diskCache: disk) {
                $0.loaders = LoadersManager([loader])
                $0.time = time
                change(&$0)
            }.manager
        }
    }

    private static func request(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(source: ImageSource(DownloadRig.url))
        request.schedule.waitsForStore = true
        change(&request)
        return request
    }

    private static func thumbnail(_ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        request {
            $0.decode.target = .size(.fit(4, 4))
            change(&$0)
        }
    }

    @Test func `An image that is to be revalidated is not found without asking, in memory or on disk`() async throws {
        let rig = Rig("max-age=1000")
        for makes in [Self.request, Self.thumbnail] {
            let manager = rig.manager()
            _ = try await manager.image(for: makes { _ in })
            let revalidating = makes { $0.cache.lookup = .revalidate }
            #expect(manager.cachedImage(for: revalidating) == nil && !manager.hasCachedImage(for: revalidating))
            #expect(try rig.manager().blockingCachedImage(for: revalidating) == nil)
            #expect(try rig.manager().blockingCachedImage(for: makes { _ in }) != nil)
        }
    }

    /// RFC 5861 §3.
    @Test func `An image that is revalidated in the background is explained so`() async throws {
        let rig = Rig("max-age=1, stale-while-revalidate=100")
        _ = try await rig.manager().image(for: Self.request())
        rig.time.advance(by: .seconds(2))
        #expect(try await rig.manager().explanation(of: Self.request()).verdict.contains("in the background"))
        // A look without a load asks no source.
        #expect(try rig.manager().blockingCachedImage(for: Self.request()) == nil)
        #expect(rig.transport.requests.count == 1)
    }

    /// RFC 9111 §5.2.1.2.
    @Test func `A request that takes stale responses finds one, and is told so`() async throws {
        let rig = Rig("max-age=1")
        let request = Self.request { $0.download.headers = HTTPHeaders([("Cache-Control", "max-stale=100")]) }
        _ = try await rig.manager().image(for: request)
        rig.time.advance(by: .seconds(60))
        #expect(try await rig.manager().explanation(of: request).verdict.contains("not asked"))
        #expect(try rig.manager().blockingCachedImage(for: request)?.origin == .disk)
        #expect(try await rig.manager().image(for: request).origin == .disk)
        rig.time.advance(by: .seconds(60))
        #expect(try await rig.manager().explanation(of: request).verdict.contains("304"))
        #expect(try rig.manager().blockingCachedImage(for: request) == nil)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `An image that is older than its original is explained as a miss`() async throws {
        let rig = Rig("max-age=1000")
        _ = try await rig.manager().image(for: Self.thumbnail())
        rig.time.advance(by: .seconds(1))
        _ = try await rig.manager().fetchBytes(for: Self.request { $0.cache.lookup = .loaderOnly })
        let told = try await rig.manager().explanation(of: Self.thumbnail())
        #expect(told.steps.map(\.state) == [.miss, .miss, .fresh])
        #expect(told.steps[1].reason.contains("earlier answer"))
        #expect(red(try await rig.manager().image(for: Self.thumbnail())) == 2)
    }

    @Test func `A processor that forces a revalidation is obeyed in memory and on disk`() async throws {
        struct Forcing: Sendable {
            func process(_ request: ResolvedRequest) -> ResolvedRequest {
                var request = request
                request.download.forcesRevalidation = true
                return request
            }
        }
        let rig = Rig("max-age=1000")
        let manager = rig.manager { $0.optionsProcessor = Forcing().process }
        for count in 1...3 {
            #expect(red(try await manager.image(for: Self.thumbnail())) == count)
            #expect(manager.cachedImage(for: Self.thumbnail()) == nil)
            #expect(try manager.blockingCachedImage(for: Self.thumbnail()) == nil)
        }
        #expect(rig.transport.requests.count == 3)
    }
}
