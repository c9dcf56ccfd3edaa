import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Requests with their own range, condition or credentials do not affect other requests.
@Suite struct OwnFieldsTests {
    private static let picture = FakeImageCoder.bytes(width: 4, height: 4, red: 7)

    private static func manager(_ answer: @escaping ScriptedTransport.Answer) -> (
        ManagerFixture, InMemoryImageCache, ScriptedTransport
    ) {
        let (disk, transport) = (InMemoryImageCache(), ScriptedTransport(answer))
        let loader = HTTPLoader(transport: transport, time: ManualTimeSource())
        return (ManagerFixture(diskCache: disk) { $0.loaders = LoadersManager([loader]) }, disk, transport)
    }

    private static func request(_ fields: [(String, String)] = []) -> ImageRequest {
        var request = ImageRequest(source: ImageSource(DownloadRig.url))
        request.schedule.waitsForStore = true
        if !fields.isEmpty { request.download.headers = HTTPHeaders(fields) }
        return request
    }

    @Test(arguments: [("Range", "bytes=2-5"), ("If-None-Match", "\"v1\"")])
    func `A part of a picture, and none at all, are no reason to forget it`(_ name: String, _ value: String) async throws {
        // From the cache, and from the server.
        for age in [1000, 0] {
            let (fixture, disk, _) = Self.manager { request, number in
                let fields = [("ETag", "\"v1\""), ("Cache-Control", "max-age=\(age)")]
                if number == 1 { return .fixed(request, headers: fields, body: Self.picture) }
                if request.headers.contains("Range") {
                    return .fixed(
                        request, status: 206, headers: fields + [("Content-Range", "bytes 2-5/99")], body: [1, 2, 3, 4])
                }
                return .fixed(request, status: 304, headers: fields)
            }
            #expect(red(try await fixture.manager.image(for: Self.request())) == 7)
            fixture.memory.removeAll()
            await #expect(throws: ImageError.self) { try await fixture.manager.image(for: Self.request([(name, value)])) }
            #expect(disk.keys == [DownloadRig.url])
            #expect(red(try await fixture.manager.image(for: Self.request())) == 7)
        }
    }

    /// RFC 9111 §3.5: a login that a provider brought, or a hook, is one as well.
    @Test(arguments: [true, false])
    func `A cache for many does not keep what was answered to a login`(_ isBrought: Bool) async throws {
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? { .bearer("x") }
        }
        for (rules, isKept) in [("max-age=60", false), ("public, max-age=60", true)] {
            let rig = DownloadRig(
                rules: HTTPCachePolicy(isShared: true), change: { if isBrought { $0.credentials = Provider() } },
                answer: { request, _ in
                    request.headers.contains("Authorization")
                        ? .fixed(request, headers: [("Cache-Control", rules)], body: DownloadRig.picture)
                        : .fixed(request, status: 401, headers: [("WWW-Authenticate", "Bearer")])
                })
            _ = try await rig.fetch { request in
                guard !isBrought else { return }
                request.download.requestModifier = ClosureRequestModifier(identifier: "login") { request in
                    var request = request
                    request.headers.set("Authorization", "Bearer x")
                    return request
                }
            }.get()
            #expect(rig.cache.keys.isEmpty != isKept)
        }
    }

    // DL-38
    @Test func `The first byte is counted from the first call, as the last one is`() async throws {
        let rig = DownloadRig(retry: DelayRetryStrategy(interval: .seconds(3)), answer: DownloadRig.failing(1))
        let task = Task { await rig.fetch() }
        await rig.time.waitForSleepers()
        rig.time.advance(by: .seconds(3))
        let metrics = try #require(try await task.value.get().metrics)
        #expect(metrics.firstByte == .seconds(3) && metrics.total == .seconds(3) && metrics.attempts == 2)
    }
}
