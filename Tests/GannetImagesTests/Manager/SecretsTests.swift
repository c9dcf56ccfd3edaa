import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

/// Records every notification as fully as Swift can print it.
private final class TalkativeObserver: LoadObserver {
    private let text = Mutex("")

    var output: String { text.withLock { $0 } }

    func note(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        text.withLock { $0 += "\(value)\n\(String(reflecting: value))\n\(dumped)\n" }
    }

    func loadDidStart(_ id: LoadID, request: ResolvedRequest) { note(request) }
    func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) { if let error { note(error) } }
    func loadDidEnd(_ id: LoadID, _ result: Result<LoadedImage, ImageError>) {
        note(result)
        if case .failure(let error) = result { note(error.detailedDescription) }
    }
    func note(_ id: LoadID?, _ event: LoadEvent) { note(event) }
}

/// Adds a token in the last moment.
private struct TokenModifier: RequestModifier {
    var identifier: String? { "token" }
    func modify(_ request: HTTPRequest) async throws -> HTTPRequest? {
        var request = request
        request.headers.set("X-Late", "Sesame-modifier")
        return request
    }
}

private struct Provider: CredentialProvider {
    func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
        rejected == nil ? .basic(user: "Sesame-providerName", password: "Sesame-provider") : nil
    }
}

/// No credential of a request is printed by anything, or stored anywhere.
@Suite struct SecretsTests {
    /// Every way to give a credential. Each secret contains "Sesame".
    private static let requests: [ImageRequest] = {
        let url: ImageSource = "https://example.org/a.png"
        var all: [ImageRequest] = [
            "https://Sesame-user:Sesame-password@example.org/a.png",
            "https://Sesame-user:Sesame%20other@EXAMPLE.org:443/b.png",
            ImageRequest(url, .header("Authorization", "Bearer Sesame-field")),
            ImageRequest(url, .header("Cookie", "id=Sesame-cookie")),
            ImageRequest(url, .header("X-Api-Key", "Sesame-key")),
            ImageRequest(url, .header("Proxy-Authorization", "Basic Sesame")),
        ]
        for credential in [
            Credential.basic(user: "Sesame-b", password: "Sesame-p"), .digest(user: "Sesame-d", password: "Sesame-q"),
            .bearer("Sesame-token"),
        ] {
            var request = ImageRequest(url)
            request.download.credential = credential
            all.append(request)
        }
        for filter in [QueryKeyFilter.signatures, .query] {
            var request = ImageRequest("https://example.org/a.png?X-Amz-Signature=Sesame-signature")
            request.cache.keyFilter = filter
            all.append(request)
        }
        all += [
            "https://example.org/a.png?w=3&X-Amz-Signature=Sesame-signed&X-Amz-Credential=Sesame-credential&h=4",
            "https://example.org/a.png?X%2DAmz%2DSecurity-Token=Sesame-escaped",
            "https://example.org/a.png?access_token=Sesame-access",
            "https://example.org/a.png?sv=Sesame-version&sig=Sesame-azure",
            "https://example.org/a.png?Policy=Sesame-policy#token=Sesame",
            "https://example.org/a.png?url=https%3A%2F%2Fcdn.example%2Fa.png%3Fsig%3DSesame-nested%26w%3D1",
            ImageRequest("https://example.org/a.png?Signature=Sesame-kept", .header("X-Own", "1")),
        ]
        var modified = ImageRequest(url)
        modified.download.requestModifier = TokenModifier()
        all.append(modified)
        var cookies = ImageRequest("https://example.org/cookies.png")
        cookies.download.cookies = true
        all.append(cookies)
        all.append("https://example.org/login.png")
        all.append("https://example.org/redirect.png")
        var other = ImageRequest("https://example.org/gone.png")
        other.download.alternatives = [
            "https://Sesame-second:Sesame-pass@other.example/a.png", "https://other.example/a.png?token=Sesame-second",
        ]
        other.download.lowDataSource = "https://Sesame-low:Sesame-pass@other.example/low.png"
        all.append(other)
        return all
    }()

    private static let answer: ScriptedTransport.Answer = { request, _ throws(ImageError) in
        let path = request.url.path
        let fields = [
            ("Cache-Control", "max-age=60"), ("Vary", "Authorization, Cookie, X-Api-Key"),
            ("Set-Cookie", "session=Sesame-session"),
            ("ETag", "\"1\""),
        ]
        switch path {
        case "/gone.png": return .fixed(request, status: 404)
        case "/refused.png":
            return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")])
        case "/login.png" where !request.headers.contains("Authorization"):
            return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Basic realm=\"r\"")])
        case "/redirect.png":
            return .fixed(
                request, status: 302,
                headers: [("Location", "/signed.png?token=Sesame-location"), ("Cache-Control", "max-age=60")])
        case "/broken.png": throw ImageError(.network, stage: .load, "The connection ended.")
        default: return .fixed(request, headers: fields, body: FakeImageCoder.bytes(width: 8, height: 4))
        }
    }

    private struct Rig {
        let observer = TalkativeObserver()
        let manager: ImageManager
        let disk: DiskCache

        init(_ folder: CacheFolder, files: any FileSystem = POSIXFileSystem()) {
            disk = DiskCache(
                DiskCacheConfiguration(directory: folder.path), files: files, time: folder.time, observer: observer)
            var downloads = DownloaderConfiguration()
            downloads.cookies = MemoryCookieJar()
            downloads.credentials = Provider()
            let loader = HTTPLoader(
                transport: ScriptedTransport(SecretsTests.answer), configuration: downloads, time: folder.time,
                observers: [observer])
            var configuration = ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: disk, loaders: LoadersManager(LoadersManager.local + [loader]),
                coders: CodersManager([FakeImageCoder()]))
            configuration.observers = [observer]
            configuration.time = folder.time
            configuration.slots = loader.slots
            manager = ImageManager(configuration: configuration)
        }
    }

    @Test func `No secret is printed or stored`() async throws {
        let folder = CacheFolder()
        let rig = Rig(folder)
        for path in ["", "x/refused.png", "x/broken.png"] {
            for request in Self.requests {
                var request = request
                if !path.isEmpty, case .url(let url) = request.source {
                    request.source = ImageSource(url.absoluteString.replacingPath(with: path.dropFirst(2)))
                }
                var small = request
                small.decode.target = .size(.fit(4, 4))
                for wish in [request, small] {
                    do {
                        let explanation = try await rig.manager.explanation(of: wish)
                        rig.observer.note(explanation)
                        rig.observer.note(try await rig.manager.image(for: wish))
                        rig.observer.note(try await rig.manager.fetchBytes(for: wish))
                    } catch { rig.observer.note(error) }
                    rig.observer.note(wish)
                    rig.observer.note(wish.source)
                }
            }
        }
        try await rig.manager.waitForStores()
        #expect(rig.observer.output.contains("example.org/a.png"))
        for line in rig.observer.output.split(separator: "\n") where line.contains("Sesame") { Issue.record("printed: \(line)") }
        let files = try folder.allFiles()
        #expect(files.contains { $0.contains("/entries-1/") })
        for path in files {
            let bytes = try folder.files.read(path, maximumBytes: 1 << 20, nofollow: true)
            if String(decoding: bytes, as: UTF8.self).contains("Sesame") || path.contains("Sesame") {
                Issue.record("stored in \(path)")
            }
        }
    }

    @Test func `Credentials keep entries apart, and their owner finds them after a restart`() async throws {
        let folder = CacheFolder()
        let first = Rig(folder)
        let request = Self.requests[0]
        #expect(try await first.manager.image(for: request).origin == .network)
        try await first.manager.waitForStores()

        let second = Rig(folder)
        #expect(try await second.manager.image(for: request).origin == .disk)
        #expect(try await second.manager.image(for: "https://Sesame-user:wrong@example.org/a.png").origin == .network)
        #expect(try await second.manager.image(for: "https://example.org/a.png").origin == .network)
    }

    @Test func `Who has the signed URL finds its entry after a restart, and no other signature does`() async throws {
        let folder = CacheFolder()
        let first = Rig(folder)
        let (request, other) = (
            ImageSource("https://example.org/a.png?sig=Sesame"), ImageSource("https://example.org/a.png?sig=other")
        )
        #expect(try await first.manager.image(for: request).origin == .network)
        try await first.manager.waitForStores()
        let second = Rig(folder)
        #expect(try await second.manager.image(for: request).origin == .disk)
        #expect(try await second.manager.image(for: other).origin == .network)
        try await second.manager.waitForStores()

        // Keys as they are listed name their entries too.
        let keys = try await second.disk.items().map(\.key)
        #expect(keys.count == 2 && keys.allSatisfy { $0.text.hasPrefix("https://example.org/a.png?sig=<") })
        try await second.disk.remove(CacheKey(request.keyText))
        #expect(try await second.disk.items().count == 1)
        for key in keys { try await second.disk.remove(key) }
        #expect(try await second.disk.items().isEmpty)
    }

    /// Whoever reads the entries but not the key cannot try passwords.
    @Test func `Each folder has its own key, which only its owner may read`() throws {
        let folders = [CacheFolder(), CacheFolder()]
        let caches = folders.map { Rig($0).disk }
        let seals = caches.map { $0.scopeKey.seal(["x"]) }
        #expect(seals[0] != seals[1])
        #expect(caches[0].scopeKey.seal(["x"]) == seals[0])
        #expect(caches[0].scopeKey.seal(["a", "b"]) != caches[0].scopeKey.seal(["ab"]))
        var status = stat()
        #expect(stat(folders[0].path + "/scope.key", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_size == 32)
    }

    @Test func `A folder that cannot be written has a key for as long as the cache lives`() {
        let folder = CacheFolder()
        let files = FaultyFileSystem(POSIXFileSystem(), rule: FaultyFileSystem.fail(.write, number: 1, errno: 28, forever: true))
        let disk = Rig(folder, files: files).disk
        #expect(disk.scopeKey.seal(["x"]) == disk.scopeKey.seal(["x"]))
    }

    @Test(arguments: [
        ("https://u:p@h.example/a", "https://h.example/a"), ("HTTPS://u:p@H.example:443", "https://h.example/"),
        ("s3://key:secret@bucket/a", "s3://bucket/a"), ("https://h.example/a@b", "https://h.example/a@b"),
        ("https://u@v@h.example/?q=@", "https://h.example/?q=@"),
    ])
    func `User and password are no part of the source's text`(_ url: String, _ text: String) {
        #expect(ImageSource(url).keyText == text)
    }

    /// RFC 4231, test cases 1 and 2.
    @Test func `The seal is an HMAC`() {
        #expect(
            HMAC.sha256(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            HMAC.sha256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}

extension String {
    fileprivate func replacingPath(with path: Substring) -> String {
        guard let start = firstRange(of: ".org")?.upperBound ?? firstRange(of: ".example")?.upperBound else { return self }
        return String(self[..<start] + path + self[start...].drop { $0 != "?" })
    }
}
