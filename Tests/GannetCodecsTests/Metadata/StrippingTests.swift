import FoundationEssentials
import GannetCore
import GannetTesting
import Glibc
import Testing

@testable import GannetCodecs

/// S3-22: stored images do not reveal where, when and with which camera they were taken.
@Suite("Stripping of metadata") struct StrippingTests {
    static let secret = Array("49°24'N, my garden, serial 4711".utf8)
    /// Orientation 6 and a place.
    static let exif = EXIFTests.block(
        bigEndian: true, [(0x0112, 3, 1, [0, 6, 0, 0]), (0x8825, 4, 1, [0, 0, 0, 38])], tail: secret)

    private func joined(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    private var jpegTail: [UInt8] {
        segment(0xDB, [UInt8](repeating: 1, count: 65)) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 9]
    }

    @Test func aJPEGKeepsItsProfileAndItsTurn() throws {
        let jfif = segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 5, 6, 7])
        let adobe = segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let bytes = joined(
            [0xFF, 0xD8], jfif, segment(0xE1, EXIF.prefix + Self.exif),
            segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Self.secret),
            segment(0xED, Array("Photoshop 3.0\0".utf8) + Self.secret), segment(0xFE, Self.secret), profile, adobe, jpegTail,
            [0xFF, 0xD9], [0xFF, 0xD8], segment(0xE1, EXIF.prefix + Self.exif))
        guard case .stripped(let stripped) = MetadataStripper.strip(bytes) else {
            Issue.record("not stripped")
            return
        }
        let turn = segment(0xE1, EXIF.prefix + EXIF.block(orientation: .right))
        #expect(stripped == joined([0xFF, 0xD8], jfif, turn, profile, adobe, jpegTail, [0xFF, 0xD9]))
        #expect(MetadataStripper.strip(stripped) == .clean)
    }

    /// Data that affects colours is kept at any length; a thumbnail may show content that was cropped away.
    @Test func longerSegmentsOfAJPEGAreCutToWhatIsRead() {
        let jfif = joined(Array("JFIF\0".utf8), [1, 1, 0, 0, 1, 0, 1])
        let adobe = joined(Array("Adobe".utf8), [0, 100, 0, 0, 0, 0, 1])
        let bytes = joined(
            [0xFF, 0xD8], segment(0xE0, jfif + [1, 1, 9, 9, 9]), segment(0xE0, Array("JFXX\0".utf8) + Self.secret),
            segment(0xEE, adobe + Self.secret), jpegTail, [0xFF, 0xD9])
        let kept = joined([0xFF, 0xD8], segment(0xE0, jfif + [0, 0]), segment(0xEE, adobe), jpegTail, [0xFF, 0xD9])
        #expect(MetadataStripper.strip(bytes) == .stripped(kept))
    }

    @Test func aJPEGThatEndsEarlyStaysAsLongAsItIs() {
        let bytes = [0xFF, 0xD8] + segment(0xFE, Self.secret) + jpegTail
        #expect(MetadataStripper.strip(bytes) == .stripped([0xFF, 0xD8] + jpegTail))
    }

    private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [1, 2, 3, 4]
    }

    @Test func aPNGKeepsWhatDecidesAboutPixels() throws {
        let (start, end) = (chunk("IHDR", [1, 2, 3]) + chunk("gAMA", [4]), chunk("IDAT", [7, 7]) + chunk("IEND", []))
        let bytes =
            PNGStripping.signature + start + chunk("eXIf", Self.exif) + chunk("tEXt", Self.secret) + chunk("iTXt", Self.secret)
            + chunk("prVt", Self.secret) + chunk("tIME", [1]) + end + Self.secret
        guard case .stripped(let stripped) = MetadataStripper.strip(bytes) else {
            Issue.record("not stripped")
            return
        }
        #expect(stripped.starts(with: PNGStripping.signature + start + [0, 0, 0, 26] + Array("eXIf".utf8)))
        #expect(stripped.suffix(end.count) == end[...])
        #expect(stripped.count == 8 + start.count + 12 + 26 + end.count)
        #expect(MetadataStripper.strip(stripped) == .clean)
    }

    #if PNG
        /// The decoder turns by what ImageMagick and XMP say too.
        @Test func aPNGKeepsATurnThatIsNotInItsEXIF() throws {
            // Two pixels and iTXt "XML:com.adobe.xmp" with tiff:Orientation="6".
            let file = try #require(
                Data(
                    base64Encoded:
                        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAL2lUWHRYTUw6Y29tLmFkb2JlLnhtcAAAAAAAPHggdGlmZjpPcmllbnRhdGlvbj0iNiIvPp/jYCkAAAALSURBVHjaY2AAAwAABwABISLbEwAAAABJRU5ErkJggg=="
                ))
            guard case .stripped(let stripped) = MetadataStripper.strip([UInt8](file)) else {
                Issue.record("not stripped")
                return
            }
            let decoder = try PNGCoder().makeDecoder(
                for: .png, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(stripped))
            #expect(decoder.header?.orientation == .right)
            #expect(stripped.count == file.count - 59 + 12 + 26)
        }
    #endif

    private func riff(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [UInt8(content.count), 0, 0, 0] + content + (content.count.isMultiple(of: 2) ? [] : [0])
    }

    @Test func aWebPKeepsItsTurnAndItsFlagsSayTheTruth() {
        let picture = riff("VP8 ", [9, 9, 9])
        func file(_ flags: UInt8, _ chunks: [UInt8]) -> [UInt8] {
            let body = Array("WEBP".utf8) + riff("VP8X", [flags, 0, 0, 0, 1, 0, 0, 1, 0, 0]) + chunks
            return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
        }
        let bytes = file(0b1_1100, picture + riff("EXIF", Self.exif) + riff("XMP ", Self.secret)) + Self.secret
        let turn = riff("EXIF", EXIF.block(orientation: .right))
        #expect(MetadataStripper.strip(bytes) == .stripped(file(0b1_1000, picture + turn)))
        #expect(MetadataStripper.strip(file(0b1_0100, picture + riff("XMP ", Self.secret))) == .stripped(file(0b1_0000, picture)))
        #expect(MetadataStripper.strip(file(0b1_0000, picture)) == .clean)
        // The last chunk of a file may lack its padding.
        let first = file(0b1_1000, riff("EXIF", Self.exif) + picture.dropLast())
        #expect(MetadataStripper.strip(first) == .stripped(file(0b1_1000, picture + turn)))
    }

    @Test func aGIFKeepsLoopsAndTimes() {
        let head = joined(Array("GIF89a".utf8), [1, 0, 1, 0, 0x80, 0, 0], [1, 2, 3, 4, 5, 6])
        let loops = joined([0x21, 0xFF, 11], Array("NETSCAPE2.0".utf8), [3, 1, 0, 0, 0])
        let times: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 1, 2, 3, 4, 5, 6, 2, 2, 0x4C, 1, 0]
        let comment = joined([0x21, 0xFE, UInt8(Self.secret.count)], Self.secret, [0])
        let xmp = joined([0x21, 0xFF, 11], Array("XMP DataXMP".utf8), [UInt8(Self.secret.count)], Self.secret, [0])
        let bytes = joined(head, loops, comment, times, xmp, frame, [0x3B], Self.secret)
        #expect(MetadataStripper.strip(bytes) == .stripped(joined(head, loops, times, frame, [0x3B])))
    }

    @Test func whatIsNotKnownOrDamagedIsNotCalledClean() {
        #expect(MetadataStripper.strip(Array("II*\0".utf8) + Self.secret) == .unknown)
        #expect(MetadataStripper.strip([]) == .unknown)
        #expect(MetadataStripper.strip([0xFF, 0xD8, 0xFF, 0xE1, 0xFF]) == .unknown)
        #expect(MetadataStripper.strip([0xFF, 0xD8, 0xFF, 0xE1, 0, 1]) == .unknown)
        #expect(
            MetadataStripper.strip(PNGStripping.signature + [255, 255, 255, 255] + Array("IDAT".utf8) + [0, 0, 0, 0]) == .unknown)
        #expect(MetadataStripper.strip(Array("RIFF".utf8) + [255, 255, 0, 0] + Array("WEBP".utf8)) == .unknown)
        #expect(MetadataStripper.strip(Array("GIF89a".utf8) + [1, 0, 1, 0, 0xFF, 0, 0]) == .unknown)
        #expect(MetadataStripper.strip(Array("BM".utf8)) == .clean)
    }

    @Test func everyTruncationIsSurvived() {
        let whole = [0xFF, 0xD8] + segment(0xE1, EXIF.prefix + Self.exif) + jpegTail + [0xFF, 0xD9]
        for count in 0..<whole.count {
            if case .stripped(let stripped) = MetadataStripper.strip(Array(whole.prefix(count))) {
                #expect(!stripped.contains(Self.secret))
            }
        }
    }

    // S3-22
    @Test func theCacheHoldsNoPlace() async throws {
        let inner = DictionaryCache()
        let cache = MetadataFreeCache(inner)
        let key = CacheKey("a")
        func store(_ bytes: [UInt8], isPartial: Bool = false) async throws {
            let metadata = CacheEntryMetadata(storedAt: Timestamp(milliseconds: 0), isPartial: isPartial)
            try await cache.store(CacheEntry(bytes: ByteRope(bytes), metadata: metadata), for: key)
        }
        let clean = [0xFF, 0xD8] + jpegTail + [0xFF, 0xD9]
        try await store([0xFF, 0xD8] + segment(0xFE, Self.secret) + jpegTail + [0xFF, 0xD9])
        #expect(try await inner.entry(for: key, touch: false)?.bytes.contiguous() == clean)
        #expect(try await cache.entry(for: key, touch: false)?.bytes.contiguous() == clean)
        // After a broken download, or with a format that cannot be stripped, not even the old entry remains.
        try await store([0xFF, 0xD8] + segment(0xFE, Self.secret), isPartial: true)
        #expect(await inner.contains(key) == false)
        try await store(clean)
        try await store(Self.secret)
        #expect(await inner.contains(key) == false)
    }

    private static let corpora = Corpora.root

    /// Every file of up to 64 KiB that can be decoded looks the same afterwards.
    @Test(
        .enabled(if: corpora != nil, "GANNET_CORPORA is not set"), arguments: ["jpeg", "png", "apng", "webp", "gif"])
    func filesLookTheSame(_ kind: String) throws {
        let folder = try #require(Self.corpora) + "/" + kind
        var compared = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
            let path = folder + "/" + name
            guard compared < 60, let data = FileManager.default.contents(atPath: path), (1..<1 << 16).contains(data.count),
                let before = Self.look([UInt8](data))
            else { continue }
            guard case .stripped(let stripped) = MetadataStripper.strip([UInt8](data)) else { continue }
            #expect(Self.look(stripped) == before, "\(name)")
            #expect(MetadataStripper.strip(stripped) == .clean, "\(name)")
            compared += 1
        }
    }

    private struct Look: Equatable {
        var size: PixelSize
        var orientation: Orientation
        var frameCount: Int?
        var colors: ColorSpace
        var pixels: [UInt8]
    }

    /// The header and the first frame; nil if the file cannot be decoded.
    private static func look(_ bytes: [UInt8]) -> Look? {
        let limits = DecodeLimits(maximumPixels: 1 << 16, maximumFrames: 64, maximumDecodeTime: .seconds(60))
        for coder in BuiltInCoders.all {
            guard case .yes(let format) = coder.recognizes(bytes.span),
                let decoder = try? coder.makeDecoder(
                    for: format, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment(limits: limits)),
                (try? decoder.read(from: ByteRope(bytes))) != nil, let header = decoder.header, let layout = decoder.outputLayout,
                header.size.area < 1 << 16, var buffer = try? PixelBuffer(layout),
                (try? decoder.decodeFrame(at: 0, into: &buffer)) != nil
            else { continue }
            return Look(
                size: header.size, orientation: header.orientation, frameCount: header.frameCount, colors: header.colorSpace,
                pixels: buffer.freeze().packedBytes())
        }
        return nil
    }

    #if JPEG && PNG
        /// Encoded pictures carry no metadata, whatever they were made of.
        @Test func encodersWriteNone() throws {
            for format in [ImageFormat.jpeg, .png] {
                var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 9, 7), alpha: .opaque))
                buffer.fill(200)
                let image = DecodedImage.still(
                    buffer.freeze(), ImageMetadata(format: format, originalSize: PixelSize(clamping: 9, 7)))
                let coder: any ImageCoder = format == .jpeg ? JPEGCoder() : PNGCoder()
                let encoder = try #require(try coder.makeEncoder(for: format, options: EncodeOptions(format: format)))
                let bytes = try encoder.encode(image)
                #expect(MetadataStripper.strip(bytes) == .clean)
            }
        }
    #endif
}
