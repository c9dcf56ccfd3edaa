import GannetCore
import GannetPlatform
import GannetTesting
import Testing

@testable import GannetCache
@testable import GannetFetch
@testable import GannetImages

/// Texts and stored bytes that come from elsewhere, in seeded mixtures and damaged: each is read or refused, and none ends the
/// process. // DC-33, U-05
@Suite struct HostileTextsTests {
    private static let pieces = [
        "data:", "image/png", ";base64", ";charset=utf-8", ",", ";", "=", "==", "%41", "%", "%4", "%zz", "+", "-", "_", " ", "\n",
        "AAAA",
        "QUJD", "\u{0}", "é", "\u{1F600}", "resize:", "crop:", "rotate:", "blur:", "border:", "color:brightness=", "overlay:",
        "round:",
        "tint:", "sharpen:", "flatten:", "0", "1", "-1", "1e308", "1e999", "nan", "inf", "0x10", "9223372036854775808", "x",
        "100x50",
        "ff0000", "#", "f00", "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "00", "~~~~~~", "|||||", "file://", "//", "/", "..", "~", "?", "[",
        "@2x",
        "@9999999999x", "@0x", "@-1x", "@nanx", ".png", "a",
    ]

    @Test(arguments: 0..<8) func textsAreReadOrRefused(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var text = ""
            for _ in 0..<Int.random(in: 0...5, using: &chance) { text += Self.pieces.randomElement(using: &chance) ?? "" }
            if let data = try? DataURLLoader.parse(text, maximumBytes: 64) { #expect(data.bytes.count <= 64) }
            if let bitmap = BlurHash.bitmap(text, width: 3, height: 2) { #expect(bitmap.size == PixelSize(clamping: 3, 2)) }
            if let color = PixelColor(hex: text) { #expect(PixelColor(hex: color.hex) == color) }
            if let transformer = try? StandardTransformer(parsing: text) {
                #expect(transformer.identifier?.isEmpty != true || text.hasPrefix("r"))
            }
            let request = ImageRequest(ImageSource(text), .fit(10, 10))
            let keys = RequestKeys(ResolvedRequest(request), nonce: 0)
            #expect(keys.variant == RequestKeys(ResolvedRequest(request), nonce: 1).variant)
            #expect(ResolvedRequest(request).decode.scale > 0)
        }
    }

    @Test(arguments: 0..<8) func hashesAreReadOrRefused(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let hash = (0..<Int.random(in: 0...30, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
            if let ratio = ThumbHash.aspectRatio(hash) { #expect(ratio > 0 && ratio.isFinite) }
            if let bitmap = ThumbHash.bitmap(hash) { #expect(max(bitmap.size.width, bitmap.size.height) <= 64) }
        }
    }

    @Test(arguments: 0..<4) func storedEntriesAreReadOrRefused(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let key = CacheKey("https://example.org/a.png")
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let stored = StoredHTTPResponse(
            status: 200, headers: HTTPHeaders([("ETag", "\"a\""), ("Vary", "Accept")]), varying: HTTPHeaders([("Accept", "*/*")]),
            requestTime: now, responseTime: now, url: key.text)
        let metadata = CacheEntryMetadata(format: "png", storedAt: now, http: stored, extended: [1, 2, 3])
        let entry = CacheEntry(bytes: ByteRope([UInt8](repeating: 7, count: 40)), metadata: metadata)
        let file = try CacheEntryCoding.encode(entry, for: key, writtenAt: now)
        #expect(try CacheEntryCoding.decode(file, for: key).metadata == metadata)
        for _ in 0..<600 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                let index = Int.random(in: 0..<bytes.count, using: &chance)
                bytes[index] =
                    [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &chance)].randomElement(using: &chance) ?? 0
            }
            if Bool.random(using: &chance) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance)) }
            guard bytes != file else { continue }
            // Checksums stand over all of it.
            #expect(throws: ImageError.self) { try CacheEntryCoding.decode(bytes, for: key) }
        }
    }
}
