import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import Testing

// S3-23: short texts and bytes that unfold to blurred pictures. Expectations come from the public implementations in Python
// (PyPI: blurhash 1.1.5, thumbhash 0.1.2) and from the formula in matrix form, for an image that is easy to draw:
// red x · 255 / (w − 1), green y · 255 / (h − 1), blue x · y · 3 mod 256; where it has alpha, every other 6 × 6 block is clear.
@Suite struct HashTests {
    private func drawn(_ width: Int, _ height: Int, hasAlpha: Bool = false) throws(ImageError) -> Bitmap {
        try Drawing.picture(width, height) { x, y in
            PixelColor(
                red: UInt8(x * 255 / (width - 1)), green: UInt8(y * 255 / (height - 1)), blue: UInt8(x * y * 3 % 256),
                alpha: hasAlpha && (x / 6 + y / 6) % 2 == 1 ? 0 : 255)
        }
    }

    // S3-23
    @Test(arguments: [
        (40, 30, 4, 3, "L$HetO2o$2X4l]WUjrf6gGfhfQfk"), (40, 30, 1, 1, "00HetO"),
        (40, 30, 9, 2, "H$HetO2o$2X4jqk8WnocWml]WUjrf6fPf6fRf8fR"), (20, 36, 4, 3, "L$HoE.2-wtbql]aejse;gGfhfRfk"),
        (20, 36, 9, 2, "H$HoE.2-wtbqWmt2SJt6SJl]aejse;fQe=fSjIa}"),
    ])
    func blurHashIsThatOfThePublicImplementation(_ width: Int, _ height: Int, _ across: Int, _ down: Int, _ text: String) throws {
        #expect(try BlurHash.string(for: drawn(width, height), across: across, down: down) == text)
    }

    /// A hash unfolds to about the picture. BlurHash's cosines are not quite free of the average, so one colour stays one colour
    /// only with one component.
    @Test func blurHashUnfoldsToThePicture() throws {
        let orange = PixelColor(red: 240, green: 130, blue: 20)
        for (across, down) in [(1, 1), (4, 3), (9, 9)] {
            let text = try BlurHash.string(for: Drawing.flat(50, 20, orange), across: across, down: down)
            #expect(text.count == 4 + 2 * across * down)
            let unfolded = try #require(BlurHash.bitmap(text, width: 10, height: 4))
            #expect(difference(unfolded, try Drawing.flat(10, 4, orange)) <= (across == 1 ? 2 : 45))
        }
        let smooth = try Drawing.picture(32, 32) { x, _ in PixelColor(red: UInt8(60 + x * 4), green: 90, blue: UInt8(200 - x * 4))
        }
        let unfolded = try #require(BlurHash.bitmap(try BlurHash.string(for: smooth, across: 6, down: 2), width: 32, height: 32))
        #expect(difference(unfolded, smooth) <= 25)
    }

    // S3-23
    @Test(arguments: [
        (40, 30, false, "5f080a2d9a7076777077777787688777a0900af877"), (20, 36, false, "5ef80d241a600677788786787878c1900bf878"),
        (36, 24, true, "5f08861b8c187065707666b0a10bf8777878b8c777887f"),
    ])
    func thumbHashIsThatOfTheFormula(_ width: Int, _ height: Int, _ hasAlpha: Bool, _ hex: String) throws {
        let hash = try ThumbHash.bytes(for: drawn(width, height, hasAlpha: hasAlpha))
        let digits = hex.compactMap { $0.hexDigitValue }
        let expected = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        #expect(hash.count == expected.count)
        #expect(Array(hash.prefix(6)) == Array(expected.prefix(6)))
        // A wave of amplitude 0 lies between level 7 and 8: either is right, so one level may differ.
        for (left, right) in zip(hash, expected) {
            #expect(abs(Int(left & 15) - Int(right & 15)) <= 1 && abs(Int(left >> 4) - Int(right >> 4)) <= 1)
        }
    }

    @Test(arguments: [
        ("5f080a2d9a7076777077777787688777a0900af877", 32, 23, [[4, 8, 51, 255], [255, 0, 102, 255], [123, 113, 137, 255]]),
        ("5ef80d241a600677788786787878c1900bf878", 18, 32, [[0, 0, 0, 255], [234, 0, 68, 255], [132, 131, 157, 255]]),
        (
            "5f08861b8c187065707666b0a10bf8777878b8c777887f", 32, 19,
            [[69, 69, 75, 203], [202, 72, 103, 60], [125, 118, 136, 138]]
        ),
    ])
    func thumbHashUnfoldsAsTheFormulaSays(_ hex: String, _ width: Int, _ height: Int, _ pixels: [[Int]]) throws {
        let digits = hex.compactMap { $0.hexDigitValue }
        let hash = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        let bitmap = try #require(ThumbHash.bitmap(hash))
        #expect(bitmap.size == PixelSize(clamping: width, height))
        for ((x, y), expected) in zip([(0, 0), (width - 1, 0), (width / 2, height / 2)], pixels) {
            for (channel, value) in bitmap.channels(x, y).enumerated() {
                let wanted = channel == 3 ? expected[3] : expected[channel] * expected[3] / 255
                #expect(abs(value - wanted) <= 2, "\(x), \(y)")
            }
        }
    }

    @Test func brokenThumbHashesAreNone() throws {
        let hash = try ThumbHash.bytes(for: drawn(36, 24, hasAlpha: true))
        for count in 0..<hash.count { #expect(ThumbHash.bitmap(Array(hash.prefix(count))) == nil) }
        for byte in UInt8.min...UInt8.max { _ = ThumbHash.bitmap([UInt8](repeating: byte, count: 30)) }
        #expect(ThumbHash.bitmap([UInt8](repeating: 0, count: 30)) == nil)
        let ratio = try #require(ThumbHash.aspectRatio(hash))
        #expect(abs(ratio - 1.5) < 0.3)
    }

    /// The largest group of like colours wins, even spread over a border of levels; clear pixels do not count.
    // S3-23
    @Test func dominantColor() throws {
        let wall = try Drawing.picture(40, 40) { x, y in
            if x < 14 { return PixelColor(red: 255, green: 0, blue: 0) }
            return PixelColor(red: 20, green: UInt8(124 + (x + y) % 8), blue: 60)
        }
        let color = try wall.dominantColor()
        #expect(color.red == 20 && abs(Int(color.green) - 127) <= 1 && color.blue == 60 && color.alpha == 255)
        #expect(try Drawing.flat(9, 9, .clear).dominantColor() == .clear)
        let veil = try Drawing.picture(30, 30) { x, _ in
            x < 8 ? PixelColor(red: 200, green: 100, blue: 50, alpha: 128) : .clear
        }
        let half = try veil.dominantColor()
        #expect(abs(Int(half.red) - 200) <= 2 && abs(Int(half.green) - 100) <= 2 && abs(Int(half.blue) - 50) <= 2)
        #expect(try Drawing.flat(500, 3, .white).dominantColor() == .white)
    }
}
