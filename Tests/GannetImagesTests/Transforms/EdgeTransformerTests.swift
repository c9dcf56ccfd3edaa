import GannetCore
import GannetImages
import GannetPlatform
import GannetTesting
import Testing

/// Trimming and pixelating.
@Suite("Edges and squares")
struct EdgeTransformerTests {
    private static let red = PixelColor.red

    /// White, with something red inside.
    private static func framed(_ content: PixelRect, _ edge: PixelColor = .white) throws -> Bitmap {
        try Drawing.picture(12, 9) { x, y in
            (content.x..<content.x + content.width).contains(x) && (content.y..<content.y + content.height).contains(y)
                ? red : edge
        }
    }

    @Test("trim: every rectangle is found, and nothing more is cut")
    func rectangles() throws {
        for x in 0..<12 {
            for y in 0..<9 {
                for width in 1...12 - x {
                    for height in 1...9 - y where (x, y) != (0, 0) {
                        let image = try Self.framed(PixelRect(x: x, y: y, width: width, height: height))
                        let trimmed = try image.trimmed()
                        #expect(trimmed.size == PixelSize(clamping: width, height), "\(x), \(y), \(width), \(height)")
                        #expect(trimmed.color(atX: 0, y: 0) == Self.red)
                    }
                }
            }
        }
    }

    @Test("trim: colour, threshold and equal edges")
    func options() throws {
        let image = try Self.framed(PixelRect(x: 1, y: 2, width: 7, height: 4))
        #expect(try image.trimmed(color: .white).size == PixelSize(clamping: 7, 4))
        #expect(try image.trimmed(color: .blue).size == image.size)
        #expect(try image.trimmed(threshold: 255).size == image.size)
        #expect(try image.trimmed(equalHorizontal: true).size == PixelSize(clamping: 10, 4))
        #expect(try image.trimmed(equalVertical: true).size == PixelSize(clamping: 7, 5))
        // Every channel may differ by as much.
        let near = try Self.framed(
            PixelRect(x: 1, y: 2, width: 7, height: 4), PixelColor(red: 245, green: 10, blue: 10))
        #expect(try near.trimmed(threshold: 10).size == near.size)
        #expect(try near.trimmed(threshold: 9).size == PixelSize(clamping: 7, 4))
        #expect(try Drawing.flat(5, 4, .white).trimmed().size == PixelSize(clamping: 5, 4))
    }

    @Test("trim: clear pixels are magenta, half clear ones are mixed with it")
    func alpha() throws {
        let image = try Self.framed(PixelRect(x: 1, y: 2, width: 7, height: 4), .clear)
        #expect(try image.trimmed().size == PixelSize(clamping: 7, 4))
        let magenta = PixelColor(red: 255, green: 0, blue: 255)
        #expect(try image.trimmed(color: magenta).size == PixelSize(clamping: 7, 4))
        #expect(try image.trimmed(color: .black).size == image.size)
        let faint = try Self.framed(
            PixelRect(x: 1, y: 2, width: 7, height: 4), PixelColor(red: 0, green: 0, blue: 0, alpha: 5))
        #expect(try faint.trimmed(color: magenta).size == PixelSize(clamping: 7, 4))
        #expect(try faint.trimmed(threshold: 4, color: magenta).size == faint.size)
    }

    @Test("trim leaves animations as they are")
    func animations() throws {
        let animation = DecodedImage.animated(try TestImages.animation())
        let trimmed = try animation.trimmed(threshold: 200)
        #expect(trimmed.bitmap.size == animation.bitmap.size)
        #expect(try trimmed.bitmap.trimmed(threshold: 200).size != animation.bitmap.size)
    }

    @Test("pixelate: each square has its mean, also where it is cut off", arguments: [1, 2, 3, 5, 12, 99])
    func squares(size: Int) throws {
        let image = try Drawing.picture(12, 9) { x, y in
            PixelColor(red: UInt8(x * 20), green: UInt8(y * 25), blue: UInt8((x * y) % 7 * 30))
        }
        let made = try image.pixelated(size: size)
        for y in 0..<9 {
            for x in 0..<12 {
                let square = PixelRect(x: x / size * size, y: y / size * size, width: size, height: size)
                let colors = image.colors(in: square)
                func mean(_ channel: KeyPath<PixelColor, UInt8>) -> UInt8 {
                    UInt8((colors.reduce(0) { $0 + Int($1[keyPath: channel]) } + colors.count / 2) / colors.count)
                }
                #expect(made.color(atX: x, y: y) == PixelColor(red: mean(\.red), green: mean(\.green), blue: mean(\.blue)))
            }
        }
    }

    @Test("pixelate: clear pixels have no colour")
    func clearSquares() throws {
        let image = try Drawing.picture(2, 1) { x, _ in x == 0 ? .red : .clear }
        #expect(try image.pixelated(size: 2).color(atX: 1, y: 0) == PixelColor(red: 255, green: 0, blue: 0, alpha: 128))
    }
}
