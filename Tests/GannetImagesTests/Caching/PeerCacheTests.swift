import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Testing

@testable import GannetImages

/// The caches of SDWebImage, Kingfisher and Nuke are read, and stay as they are. The names in their folders were computed by other
/// programs. // S3-28
@Suite struct PeerCacheTests {
    private let folder = CacheFolder()
    private let own = CacheFolder()
    private let files = POSIXFileSystem()
    private let url = "https://example.org/photos/a.fake"

    private static let md5 = "cb82918e0bfbb9505d17a49d566d4cf6"
    private static let sha256 = "35a69a1777bdcff7aa517f025ce5a1baab92e0fbc0ed9b71c2de443661878259"
    private static let sha1 = "8463033e294657614929a78548cba3b044f1da0e"

    /// A file of the peer, last used and changed that long after now.
    private func write(_ name: String, red: UInt8 = 99, after: Duration = .zero) throws {
        try write(FakeImageCoder.bytes(width: 8, height: 4, red: red), name, after: after)
    }

    private func write(_ bytes: [UInt8], _ name: String, after: Duration = .zero) throws {
        try? files.makeDirectory(folder.path)
        let path = folder.path + "/" + name
        try? files.remove(path)
        try files.write([bytes], toNew: path, sync: false)
        let moment = timespec(tv_sec: Int((folder.time.now + after).milliseconds / 1000), tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [moment, moment], 0) == 0)
    }

    private func fixture(_ peer: (String) -> PeerCache) -> ManagerFixture {
        ManagerFixture(diskCache: own.cache()) { [folder] configuration in
            configuration.time = folder.time
            configuration.readCache(of: peer(folder.path))
        }
    }

    private func nuke() -> ManagerFixture { fixture { .nuke(folder: $0) } }

    // MARK: Names

    @Test(arguments: [
        (PeerLayout.sdWebImage(maximumAge: nil), [md5 + ".fake", md5]),
        (.kingfisher(pathExtension: nil, processor: ""), [sha256, sha256 + ".fake", md5, md5 + ".fake"]),
        (.kingfisher(pathExtension: "img", processor: ""), [sha256 + ".img", md5 + ".img"]),
        (
            .kingfisher(pathExtension: "img", processor: "round"),
            [
                "5d4913989536c13b948f96951d22e79f2ebcf2130cf97047e1928649397444d4.img",
                "ccffb98dc62de456ac8f059ed2dc12e4.img",
            ]
        ), (.nuke, [sha1]),
    ])
    func namesOfAnAddress(_ layout: PeerLayout, _ names: [String]) {
        #expect(layout.names(of: url) == names)
        #expect(layout.names(of: "").isEmpty)
    }

    @Test func namesOfOddKeys() {
        let layout = PeerLayout.sdWebImage(maximumAge: nil)
        let query = layout.names(of: "https://example.org/photos/a.fake?w=300")
        #expect(query.first == "1e342e99f8ff4e9cf2e56a358fb7c861.fake")
        // With this extension the name would be longer than a file's may be.
        #expect(
            layout.names(of: "https://example.org/a." + String(repeating: "x", count: 300))
                == ["33c8ab811f57fac937cf85db5315cd92"])
        #expect(layout.names(of: "https://example.org").last == "5564fd6a95028f02e52b38bb1743c816")
        #expect(layout.names(of: "avatar-17") == ["8e6824dfef9228d492c9219edfde3a0f"])
        #expect(layout.names(of: "https://example.org/a.%2e%2f%2e").allSatisfy { !$0.contains("/") })
        // What begins behind an `@` is Kingfisher's own, and what is no word is no extension.
        let kingfisher = PeerLayout.kingfisher(pathExtension: nil, processor: "")
        #expect(kingfisher.names(of: "https://example.org/5@3.jpg").allSatisfy { !$0.contains(".") })
        #expect(kingfisher.names(of: "@@").count == 2)
        #expect(PeerLayout.nuke.names(of: "http://test.com") == ["50334ee0b51600df6397ce93ceed4728c37fee4e"])
    }

    @Test func shaOneOfFIPS180() {
        #expect(SHA1.hex([]) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(SHA1.hex(Array("abc".utf8)) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(SHA1.hex([UInt8](repeating: 97, count: 119)) == "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56")
    }

    // MARK: Loads

    // S3-28
    @Test(arguments: [
        (PeerCache.sdWebImage(folder: ""), md5 + ".fake"), (.sdWebImage(folder: ""), md5), (.kingfisher(folder: ""), sha256),
        (.kingfisher(folder: ""), md5), (.kingfisher(folder: ""), sha256 + ".fake"),
        (.kingfisher(folder: "", pathExtension: "img"), sha256 + ".img"), (.nuke(folder: ""), sha1),
    ])
    func aFileIsFoundBeforeTheNetwork(_ peer: PeerCache, _ name: String) async throws {
        try write(name, after: .seconds(60))
        let fixture = fixture { peer.inFolder($0) }
        fixture.serve(url, red: 10)
        let loaded = try await fixture.manager.image(for: ImageRequest(ImageSource(url)))
        #expect(red(loaded) == 99 && loaded.origin == .disk && fixture.loader.loadCount == 0)
        #expect(await fixture.manager.cache.tier(ofKey: url) != .none)
        #expect(try folder.allFiles() == [folder.path + "/" + name])
    }

    @Test func aResultOfAProcessorStandsForTheOriginal() async throws {
        try write("5d4913989536c13b948f96951d22e79f2ebcf2130cf97047e1928649397444d4", after: .seconds(60))
        let fixture = fixture { .kingfisher(folder: $0, processor: "round") }
        #expect(red(try await fixture.manager.image(for: ImageRequest(ImageSource(url)))) == 99)
    }

    /// Views read the disk on their own thread; programs by their own names.
    @Test func otherWaysToAsk() async throws {
        try write(Self.sha1)
        try write("4951763c751b4786d75b5e07d3f6e88a1e371a04", red: 98)
        let fixture = nuke()
        #expect(red(try #require(try fixture.manager.blockingCachedImage(for: ImageRequest(ImageSource(url))))) == 99)
        #expect(red(try #require(try await fixture.manager.cache.image(forKey: "avatar-17"))) == 98)
        #expect(fixture.loader.loadCount == 0)
    }

    @Test func sizesAreMadeOfIt() async throws {
        try write(Self.sha1)
        let fixture = nuke()
        var request = ImageRequest(ImageSource(url), .fit(4, 4))
        request.schedule.waitsForStore = true
        #expect(try await fixture.manager.image(for: request).size == PixelSize(clamping: 4, 2))
        #expect(fixture.loader.loadCount == 0)
    }

    /// Another user's credentials: the folder does not say whose its files are.
    @Test func credentialsAreAnotherKey() async throws {
        try write(Self.sha1)
        let fixture = nuke()
        fixture.serve(url, red: 10)
        let loaded = try await fixture.manager.image(
            for: ImageRequest(ImageSource(url), .headers(["Authorization": "Bearer b"])))
        #expect(red(loaded) == 10)
    }

    // MARK: Expiry

    // S3-28
    @Test(arguments: [
        (PeerCache.sdWebImage(folder: ""), -7 * 86_400 + 1, true), (.sdWebImage(folder: ""), -7 * 86_400, false),
        (.sdWebImage(folder: "", maximumAge: .seconds(10)), -11, false),
        (.sdWebImage(folder: "", maximumAge: nil), -9_999_999, true),
        (.kingfisher(folder: ""), 1, true), (.kingfisher(folder: ""), 0, false), (.nuke(folder: ""), -9_999_999, true),
    ])
    func theirRulesSayUntilWhen(_ peer: PeerCache, _ seconds: Int, _ isFound: Bool) async throws {
        let names = peer.layout.names(of: url)
        try write(try #require(names.first), after: .seconds(seconds))
        let cache = CacheBeforePeer(nil, peer.inFolder(folder.path), CodersManager([FakeImageCoder()]), folder.time)
        let metadata = try await cache.metadata(for: CacheKey(url))
        #expect((metadata != nil) == isFound)
        #expect((try await cache.entry(for: CacheKey(url), touch: true) != nil) == isFound)
        #expect((try cache.blockingMetadata(for: CacheKey(url)) != nil) == isFound)
        if let metadata { #expect(metadata.freshness.isFresh(at: folder.time.now) && metadata.storedAt <= folder.time.now) }
    }

    // MARK: What is no image

    @Test func otherFilesAreHarmless() async throws {
        let fixture = fixture { .sdWebImage(folder: $0) }
        fixture.serve(url, red: 10)
        try write(Array("bplist00".utf8), Self.md5 + ".fake")
        try write([], Self.md5)
        #expect(await fixture.manager.cache.tier(ofKey: url) == .none)
        #expect(red(try await fixture.manager.image(for: ImageRequest(ImageSource(url)))) == 10)
    }

    @Test func neitherLinksNorFoldersNorHugeFiles() async throws {
        try write("real", after: .zero)
        let path = folder.path + "/" + Self.sha1
        let cache = CacheBeforePeer(nil, .nuke(folder: folder.path), CodersManager([FakeImageCoder()]), folder.time)
        #expect(symlink(folder.path + "/real", path) == 0)
        #expect(try await cache.entry(for: CacheKey(url), touch: true) == nil)
        try files.remove(path)
        try files.makeDirectory(path)
        #expect(try await cache.entry(for: CacheKey(url), touch: true) == nil)
        try files.removeDirectory(path)
        try write(Self.sha1)
        #expect(try await cache.entry(for: CacheKey(url), touch: true) != nil)
        // A hole at its end takes no room.
        #expect(truncate(path, DecodeLimits.standard.maximumEncodedBytes + 1) == 0)
        #expect(try await cache.entry(for: CacheKey(url), touch: true) == nil)
    }

    /// Bytes that begin like an image and are none: the first load fails, and the next one asks the source.
    @Test func aBrokenImageIsNotReadTwice() async throws {
        try write(Array("FAKE 8 x\n".utf8), Self.sha1)
        let fixture = nuke()
        fixture.serve(url, red: 10)
        let request = ImageRequest(ImageSource(url), .retryingFailed)
        #expect(await failureCode { try await fixture.manager.image(for: request) } == .corrupt)
        #expect(red(try await fixture.manager.image(for: request)) == 10)
    }

    // MARK: What changed here

    // S3-28
    @Test func whatIsRemovedDoesNotComeBack() async throws {
        try write(Self.sha1)
        let fixture = nuke()
        fixture.serve(url, red: 10)
        try await fixture.manager.cache.remove(forKey: url)
        #expect(await fixture.manager.cache.tier(ofKey: url) == .none)
        #expect(red(try await fixture.manager.image(for: ImageRequest(ImageSource(url)))) == 10)
    }

    @Test(arguments: [true, false]) func norWhatIsRemovedWithOthers(_ isAll: Bool) async throws {
        try write(Self.sha1)
        let cache = CacheBeforePeer(own.cache(), .nuke(folder: folder.path), CodersManager([FakeImageCoder()]), folder.time)
        #expect(await cache.contains(CacheKey(url)))
        if isAll { try await cache.removeAll() } else { try await cache.removeAll(prefix: "https://example.org/") }
        #expect(await !cache.contains(CacheKey(url)))
        #expect(!cache.mightContain(CacheKey(url)))
    }

    @Test func whatIsNewerHidesIt() async throws {
        try write(Self.sha1)
        let disk = own.cache()
        let cache = CacheBeforePeer(disk, .nuke(folder: folder.path), CodersManager([FakeImageCoder()]), folder.time)
        let newer = FakeImageCoder.bytes(width: 1, height: 1)
        try await cache.store(own.entry(newer), for: CacheKey(url))
        #expect(try await cache.entry(for: CacheKey(url), touch: true)?.bytes.contiguous() == newer)
        // As the disk evicts it.
        try await disk.remove(CacheKey(url))
        #expect(try await cache.entry(for: CacheKey(url), touch: true) == nil)
    }

    @Test func keepsEveryPromiseOfACache() async throws {
        try write("other")
        let cache = CacheBeforePeer(own.cache(byteLimit: 8 << 20), .nuke(folder: folder.path), CodersManager([]), own.time)
        #expect(try await CacheConformance.failures(of: cache, now: own.time.now) == [])
        #expect(cache.identifier == "disk:" + own.path)
    }

    @Test func hiddenKeysHaveABound() {
        let hidden = HiddenKeys()
        for index in 0..<256 { hidden.insert(prefix: "p\(index)") }
        #expect(hidden.contains(CacheKey("p7-a")) && !hidden.contains(CacheKey("a")))
        hidden.insert(prefix: "q")
        #expect(hidden.contains(CacheKey("a")))
    }
}

extension PeerCache {
    fileprivate func inFolder(_ folder: String) -> PeerCache {
        switch layout {
        case .sdWebImage(let age): .sdWebImage(folder: folder, maximumAge: age)
        case .kingfisher(let end, let processor): .kingfisher(folder: folder, pathExtension: end, processor: processor)
        case .nuke: .nuke(folder: folder)
        }
    }
}
