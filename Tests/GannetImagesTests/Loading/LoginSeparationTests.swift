import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Credentials that the downloader adds itself keep stored images apart, too.
@Suite struct LoginSeparationTests {
    /// Answers each user with a separate image; credentials are required.
    private static func personal(_ field: String, picture: Bool = false) -> ScriptedTransport.Answer {
        { request, _ in
            if field == "Authorization", request.headers[field] == nil {
                return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Bearer")])
            }
            let name = request.headers[field] ?? "nobody"
            let body = picture ? FakeImageCoder.bytes(width: name.utf8.count, height: 1) : Array(name.utf8)
            return .fixed(request, headers: [("Vary", field), ("Cache-Control", "max-age=1000")], body: body)
        }
    }

    private static let url = URL(string: DownloadRig.url)

    @Test func `Who logs in does not see the picture of who logged out`() async throws {
        let jar = MemoryCookieJar()
        let rig = DownloadRig(change: { $0.cookies = jar }, answer: Self.personal("Cookie"))
        let place = try #require(Self.url)
        for name in ["a", "b", "a"] {
            jar.store(["id=\(name); Path=/"], from: place, now: rig.time.now)
            #expect(try await rig.text { $0.download.cookies = true } == "id=\(name)")
        }
        jar.removeAll()
        #expect(try await rig.text { $0.download.cookies = true } == "nobody")
        #expect(rig.transport.requests.count == 3)
        for key in rig.cache.keys {
            let varying = try await rig.cache.metadata(for: CacheKey(key))?.http?.varying
            #expect(varying?["Cookie"]?.contains("id=") != true)
        }
    }

    @Test func `The same for a login of the configuration`() async throws {
        let rig = DownloadRig(answer: Self.personal("Authorization"))
        for token in ["a", "b", "b"] {
            rig.loader.configuration.credential = .bearer(token)
            #expect(try await rig.text() == "Bearer \(token)")
        }
        // One more for the question.
        #expect(rig.transport.requests.count == 3)
    }

    @Test(arguments: ["Cookie", "Authorization"])
    func `Nor does memory show it`(_ field: String) async throws {
        let jar = MemoryCookieJar()
        var downloads = DownloaderConfiguration()
        downloads.cookies = jar
        let loader = HTTPLoader(
            transport: ScriptedTransport(Self.personal(field, picture: true)), configuration: downloads,
            time: ManualTimeSource())
        let fixture = ManagerFixture(diskCache: InMemoryImageCache()) { $0.loaders = LoadersManager([loader]) }
        let place = try #require(Self.url)
        for name in ["a", "bcd", "a"] {
            jar.store(["id=\(name); Path=/"], from: place, now: fixture.time.now)
            loader.configuration.credential = .bearer(name)
            var request = ImageRequest(source: .url(place))
            request.download.cookies = true
            request.schedule.waitsForStore = true
            let expected = (field == "Cookie" ? "id=" : "Bearer ").utf8.count + name.utf8.count
            #expect(try fixture.manager.blockingCachedImage(for: request).map { $0.size.width == expected } != false)
            #expect(try await fixture.manager.image(for: request).size.width == expected)
            #expect(fixture.manager.cachedImage(for: request) == nil)
        }
    }

    @Test func `With and without cookies are two stored pictures`() async throws {
        let jar = MemoryCookieJar()
        let rig = DownloadRig(
            change: { $0.cookies = jar },
            answer: { request, _ in
                .fixed(
                    request, headers: [("Cache-Control", "max-age=1000")],
                    body: Array((request.headers["Cookie"] ?? "nobody").utf8))
            })
        jar.store(["id=a; Path=/"], from: try #require(Self.url), now: rig.time.now)
        #expect(try await rig.text { $0.download.cookies = true } == "id=a")
        #expect(try await rig.text() == "nobody")
    }

    @Test func `A request's own credential is the one that is sent`() async throws {
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                switch rejected {
                case nil: .bearer("brought")
                case .bearer("old"): .bearer("new")
                default: nil
                }
            }
        }
        let rig = DownloadRig(
            change: { $0.credentials = Provider() },
            answer: { request, _ in
                guard let sent = request.headers["Authorization"], sent != "Bearer old", sent != "Bearer wrong" else {
                    return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Bearer")])
                }
                return .fixed(request, headers: [("Cache-Control", "no-store")], body: Array(sent.utf8))
            })
        #expect(try await rig.text() == "Bearer brought")
        #expect(try await rig.text { $0.download.credential = .bearer("mine") } == "Bearer mine")
        #expect(try await rig.text() == "Bearer brought")
        // A refused credential is not sent again, and its replacement is used for no other caller.
        #expect(try await rig.text { $0.download.credential = .bearer("old") } == "Bearer new")
        let count = rig.transport.requests.count
        #expect(try await rig.text { $0.download.credential = .bearer("old") } == "Bearer new")
        #expect(rig.transport.requests.count == count + 1)
        #expect(await rig.fetch { $0.download.credential = .bearer("wrong") }.failureCode == .httpStatus)
    }
}
