import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Kingfisher's tests of expiration and of strings, and the rest of those of modifiers, under their names.
@Suite struct ExpirationBehaviourTests {
    private let folder = CacheFolder()

    /// Stores an entry, lets the time pass, and asks whether it is still there, in memory and on disk.
    private func lives(_ expiration: CacheExpiration, after time: Duration) async throws -> [Bool] {
        let memory = MemoryCache(time: folder.time)
        let disk = folder.cache()
        let key = CacheKey("\(expiration) \(time)")
        memory.store(CachedImage(image: try Pictures.picture().image, expiration: expiration), for: key)
        try await disk.store(folder.entry("bytes", expiration: expiration), for: key)
        // Before the time passes: an entry counts as used when it is written.
        try await disk.flush()
        folder.time.advance(by: time)
        return [memory.image(for: key) != nil, try await disk.entry(for: key, touch: false) != nil]
    }

    @Test func testExpirationNever() async throws {  // DC-12, MC-05
        #expect(try await lives(.never, after: .seconds(100 * 365 * 86_400)) == [true, true])
    }

    @Test func testExpirationSeconds() async throws {
        #expect(try await lives(.after(.seconds(100)), after: .seconds(99)) == [true, true])
        #expect(try await lives(.after(.seconds(100)), after: .seconds(101)) == [false, false])
    }

    @Test func testExpirationDays() async throws {
        #expect(try await lives(.after(.seconds(3 * 86_400)), after: .seconds(3 * 86_400 - 1)) == [true, true])
        #expect(try await lives(.after(.seconds(3 * 86_400)), after: .seconds(3 * 86_400 + 1)) == [false, false])
    }

    @Test func testExpirationDate() async throws {
        #expect(try await lives(.at(folder.time.now + .seconds(50)), after: .seconds(49)) == [true, true])
        #expect(try await lives(.at(folder.time.now + .seconds(50)), after: .seconds(51)) == [false, false])
    }

    @Test func testAlreadyExpired() async throws {
        #expect(try await lives(.expired, after: .zero) == [false, false])
        #expect(try await lives(.at(folder.time.now + .seconds(-1)), after: .zero) == [false, false])
    }

    /// Kingfisher names files by a hash of the key; so does the disk cache.
    @Test func testStringSHA256() async throws {  // DC-05
        let disk = folder.cache()
        let keys = ["hello", "hello ", "https://example.org/ä?b=c", ""]
        for key in keys { try await disk.store(folder.entry(key), for: CacheKey(key)) }
        try await disk.flush()
        let names = try folder.entryFiles().map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(Set(names).count == keys.count && Set(names.map(\.count)).count == 1)
        #expect(
            names.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") } },
            "\(names)")
        for key in keys { #expect(try await disk.entry(for: CacheKey(key), touch: false)?.bytes.contiguous() == Array(key.utf8)) }
    }

    @Test(arguments: [
        ("https://example.org/a.PNG", "png"), ("https://example.org/a.tar.gz?x=1", "gz"), ("a", nil), ("a.", nil),
        // A path separator never becomes part of an extension.
        ("https://example.org/a.b/c", nil), ("a.b/../c", nil), ("https://example.org", nil),
    ])
    func `testStringExt, testStringExtRejectsValueWithPathSeparator`(_ key: String, _ expected: String?) {  // DC-06
        #expect(CacheKey(key).suggestedFileExtension == expected)
    }

    /// Mirrors pictures where text runs from right to left.
    private struct Mirroring: ImageModifier {
        let isRightToLeft: Bool
        func modify(_ image: DecodedImage) -> DecodedImage {
            isRightToLeft ? (try? image.transformed(by: .flip(horizontal: true))) ?? image : image
        }
    }

    /// The direction of text is the program's; its modifier runs behind every cache, so that one stored picture serves both.
    @Test func testFlipsForRightToLeftLayoutDirectionImageModifier() async throws {  // TR-20, KF-12
        let loader = FakeImageLoader()
        let picture = try Drawing.picture(4, 2) { x, _ in x < 2 ? .red : .blue }
        loader.answer(ManagerFixture.url, with: .image(.still(picture, ImageMetadata(format: nil, originalSize: picture.size))))
        let fixture = ManagerFixture { $0.loaders = LoadersManager([loader]) }
        for (isRightToLeft, left) in [(false, PixelColor.red), (true, .blue), (false, .red)] {
            var request = ImageRequest(ImageSource(ManagerFixture.url))
            request.transform.modifier = Mirroring(isRightToLeft: isRightToLeft)
            let shown = try await fixture.manager.image(for: request).bitmap
            #expect(shown.color(atX: 0, y: 0) == left)
        }
        #expect(loader.loadCount == 1 && fixture.memory.usage.count == 1)
    }

    @Test func testDownsamplingWithScale() async throws {  // CX-10, CX-12
        let fixture = ManagerFixture()
        fixture.serve(width: 100, height: 50)
        for scale in [1.0, 2, 3] {
            let points = 10
            let wish = ImageRequest(ImageSource(ManagerFixture.url), .fit(Int(10 * scale), Int(10 * scale)), .scale(scale))
            let image = try await fixture.manager.image(for: wish).image
            #expect(image.size == PixelSize(width: points * Int(scale), height: points * Int(scale) / 2))
            #expect(Double(image.size.width) / image.metadata.scale == Double(points))
        }
    }

    @Test func testCostMatchesCacheCost() async throws {  // MC-09
        let fixture = ManagerFixture()
        fixture.serve(width: 30, height: 20)
        let image = try await fixture.manager.image(for: ImageSource(ManagerFixture.url)).image
        #expect(fixture.memory.usage.bytes == image.bitmap.byteCount)
    }
}
