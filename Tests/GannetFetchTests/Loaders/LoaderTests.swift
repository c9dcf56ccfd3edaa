import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

/// LD-01, LD-05, LD-06, DL-45, KF-05: everything that brings bytes without a network.
@Suite struct LoaderTests {
    private static func folder() throws -> CacheFolder {
        let folder = CacheFolder()
        try #require(mkdir(folder.path, 0o700) == 0)
        return folder
    }

    // DL-45
    @Test(arguments: [
        ("data:,", "text/plain", ""), ("data:image/png;base64,aGVsbG8=", "image/png", "hello"),
        ("data:image/png;base64,aGVsbG8", "image/png", "hello"), ("DATA:text/plain;charset=utf-8,a%20b", "text/plain", "a b"),
        ("data:;base64,aGVs%62G8=", "text/plain", "hello"), ("data:,100%", "text/plain", "100%"),
        ("data:image/svg+xml,%3Csvg/%3E", "image/svg+xml", "<svg/>"), ("data:,a#fragment", "text/plain", "a"),
        ("data:;base64,YS1i_w==", "text/plain", "a-b\u{FFFD}"), ("data:image/png; base64,aGVsbG8=", "image/png", "hello"),
        ("data: image/png ;%20%20BASE64 ,aGVs%0A bG8=", "image/png", "hello"), ("data:%E9,a", "\u{10F7E9}", "a"),
    ])
    func `Data URLs`(_ url: String, _ type: String, _ text: String) throws {
        let parsed = try DataURLLoader.parse(url)
        #expect(parsed.mimeType == type)
        #expect(String(decoding: parsed.bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        "data:image/png;base64", "data:;base64,a", "data:;base64,a===", "data:;base64,aG*sbG8=", "data:;base64,aG=s",
    ])
    func `Data URLs that are none`(_ url: String) {
        #expect(throws: ImageError.self) { try DataURLLoader.parse(url) }
    }

    /// Further down, a port is a number of 16 bits.
    @Test(arguments: ["65536", "99999", "9223372036854775807", "99999999999999999999"]) func `A port that there is not`(
        _ port: String
    ) async {
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(await rig.fetch("http://example.org:\(port)/a.png").failureCode == .misuse)
        #expect(rig.transport.requests.isEmpty)
        #expect(await rig.fetch("http://example.org:65535/a.png").failureCode == nil)
        #expect(await rig.fetch("http://example.org:/a.png").failureCode == nil)
        #expect(await rig.fetch("http://user:1@[::1]/a.png").failureCode == nil)
    }

    /// Further down, some of them would end the process.
    @Test(arguments: ["%5B", "%5D", "%5B%5D", "%5B@%5D", "[]", "user@%5B", "a%5Bb"]) func `A host that there is not`(
        _ host: String
    ) async {
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(await rig.fetch("http://\(host)/a.png").failureCode == .misuse)
        #expect(rig.transport.requests.isEmpty)
    }

    @Test func `Data URLs have a limit`() async {
        let rig = DownloadRig(answer: DownloadRig.always())
        var limits = DecodeLimits()
        limits.maximumEncodedBytes = 3
        let bounded = limits
        #expect(await rig.fetch("data:,abc") { $0.decode.limits = bounded }.failureCode == nil)
        #expect(await rig.fetch("data:,abcd") { $0.decode.limits = bounded }.failureCode == .limitExceeded)
        #expect(rig.cache.keys.isEmpty, "bytes that are at hand anyway were stored")
    }

    // DL-45
    @Test func `testLocalFileImageDataProvider`() async throws {
        let folder = try Self.folder()
        let path = folder.path + "/a.png"
        try Data(DownloadRig.picture).write(to: URL(filePath: path))
        let rig = DownloadRig(answer: DownloadRig.always())
        for source in [path, "file://" + path] {
            let fetched = try await rig.fetch(source).get()
            #expect(fetched.encoded?.bytes.contiguous() == DownloadRig.picture)
            #expect(fetched.origin == .file)
        }
        #expect(await rig.fetch(folder.path + "/none.png").failureCode == .notFound)
        #expect(rig.transport.requests.isEmpty && rig.cache.keys.isEmpty)
    }

    /// OP-15: a file or text that is at hand is a source too.
    @Test func `Only the cache means no file either`() async throws {
        let folder = try Self.folder()
        let path = folder.path + "/a.png"
        try Data(DownloadRig.picture).write(to: URL(filePath: path))
        let rig = DownloadRig(answer: DownloadRig.always())
        for source in [path, "data:,abc"] {
            #expect(await rig.fetch(source) { $0.cache.lookup = .cacheOnly }.failureCode == .cacheMiss)
            #expect(await rig.fetch(source).failureCode == nil)
        }
    }

    /// KS-07
    @Test func `A file that changes has another identity`() throws {
        let folder = try Self.folder()
        let path = folder.path + "/a.png"
        let loader = FileLoader()
        func write(_ text: String, seconds: Int) throws {
            try Data(text.utf8).write(to: URL(filePath: path))
            var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
        }
        try write("one", seconds: 1000)
        let first = try loader.identity(of: .file(path))
        #expect(try loader.identity(of: .file(path)) == first)
        try write("two!", seconds: 1000)
        let longer = try loader.identity(of: .file(path))
        #expect(longer != first)
        try write("2222", seconds: 1001)
        #expect(try loader.identity(of: .file(path)) != longer)
        // Through a link: the file's own identity.
        #expect(symlink(path, folder.path + "/link.png") == 0)
        #expect(try loader.identity(of: .file(folder.path + "/link.png")) == loader.identity(of: .file(path)))
    }

    @Test func `A file URL of another host is not read from this machine`() throws {
        #expect(ImageSource("file:///pictures/a.png") == .file("/pictures/a.png"))
        #expect(ImageSource("file://localhost/pictures/a.png") == .file("/pictures/a.png"))
        let elsewhere = ImageSource("file://server/etc/hostname")
        #expect(elsewhere != .file("/etc/hostname"))
        #expect(FileLoader().canLoad(elsewhere))
        let error = #expect(throws: ImageError.self) { try FileLoader().identity(of: elsewhere) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("server") == true)
    }

    // KF-03, KF-05, CG-02
    @Test func `testBase64ImageDataProvider, testRawImageDataProvider`() async throws {
        struct Base64: ImageDataProvider {
            var cacheKey: String { "b64" }
            func data() async throws -> [UInt8] { Array(Data(base64Encoded: "cGljdHVyZQ==") ?? Data()) }
        }
        let rig = DownloadRig(answer: DownloadRig.always())
        var request = rig.request()
        request.source = .provider(Base64())
        #expect(try await rig.fetcher.fetch(request).encoded?.bytes.contiguous() == DownloadRig.picture)
        request.source = .data(ByteRope([1, 2]), identifier: "raw")
        #expect(try await rig.fetcher.fetch(request).encoded?.bytes.contiguous() == [1, 2])
    }

    // KF-05
    @Test func `A provider that fails names itself and its cause`() async {
        struct Own: Error {}
        struct Failing: ImageDataProvider {
            var cacheKey: String { "camera" }
            func data() async throws -> [UInt8] { throw Own() }
        }
        let rig = DownloadRig(answer: DownloadRig.always())
        var request = rig.request()
        request.source = .provider(Failing())
        do throws(ImageError) {
            _ = try await rig.fetcher.fetch(request)
            Issue.record("a picture from nowhere")
        } catch {
            #expect(error.code == .io && error.underlying is Own && error.message.contains("camera"))
        }
    }

    // LD-01, LD-05, CG-02
    @Test func `testThatLoadersManagerWorks`() async throws {
        let first = FakeImageLoader(identifier: "first")
        let second = FakeImageLoader(identifier: "second")
        let manager = LoadersManager([first])
        manager.add(second)
        #expect(manager.loader(for: "https://example.org/a")?.identifier == "second")
        manager.remove(identifier: "second")
        #expect(manager.loader(for: "https://example.org/a")?.identifier == "first")
        manager.replaceAll(with: LoadersManager.local)
        #expect(manager.loader(for: "https://example.org/a") == nil)
        #expect(manager.loader(for: "data:,a")?.identifier == "data-url")
        #expect(manager.loader(for: "/a.png")?.identifier == "file")
    }

    @Test func `testCustomImageLoaderWorks`() async throws {  // CX-05, MG-02
        let rig = DownloadRig(answer: DownloadRig.always())
        let own = FakeImageLoader(identifier: "own")
        own.answer("photos://1", with: .bytes(DownloadRig.picture))
        #expect(try await rig.text("photos://1") { $0.download.loader = own } == "picture")
        #expect(own.loadCount == 1)
    }
}
