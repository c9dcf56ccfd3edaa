import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// From a picture to bytes.
@Suite struct EncodingTests {
    @Test("a picture with straight alpha is made smaller too, and what is clear lends it no colour")  // CD-06
    func straightAlpha() throws {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 8, 8), alpha: .straight))
        for y in 0..<8 {
            var row = buffer.mutableRow(y)
            for x in 0..<8 {
                let pixel: [UInt8] = x < 4 ? [200, 0, 0, 255] : [0, 250, 0, 0]
                for channel in 0..<4 { row[x * 4 + channel] = pixel[channel] }
            }
        }
        let bitmap = buffer.freeze()
        let metadata = ImageMetadata(format: .png, originalSize: bitmap.size)
        let clip = AnimatedImage(
            metadata: metadata, poster: bitmap, loopCount: 0, delays: [.seconds(1), .seconds(1)],
            source: FrameArray([bitmap, bitmap]))
        let encoding = ImageEncoding(coders: CodersManager([FakeImageCoder()]))
        for image in [DecodedImage.still(bitmap, metadata), .animated(clip)] {
            let encoded = try encoding.encode(
                image, options: EncodeOptions(format: FakeImageCoder.format, maximumPixelSize: PixelSize(clamping: 1, 1)))
            let words = String(decoding: encoded.bytes.contiguous(), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            #expect(words[1] == "1" && words[2] == "1" && words[4] == "0")
            #expect((95...105).contains(Int(words[3]) ?? 0))
        }
    }
}
