import FoundationEssentials
import GannetCodecs
package import GannetCore
import GannetImages

/// Facts of a decoded image's colours, and the placeholders that pages show before it is there. A small copy of the image is enough
/// for all of it.
package struct ColorFacts: Sendable {
    /// Which of them are wanted.
    package struct Selection: Hashable, Sendable {
        package var dominant = false
        /// Of 2 … 256 colours.
        package var palette: Int?
        package var blurHash: Components?
        package var thumbHash = false

        /// Components of a BlurHash, each 1 … 9.
        package struct Components: Hashable, Sendable {
            package var across: Int
            package var down: Int

            package init(across: Int, down: Int) { (self.across, self.down) = (across, down) }
        }

        package init() {}

        package var isEmpty: Bool { self == Self() }

        /// Of equal texts the facts are equal.
        package var keyText: String {
            "\(dominant)|\(palette ?? 0)|\(blurHash.map { "\($0.across)x\($0.down)" } ?? "-")|\(thumbHash)"
        }
    }

    /// For JSON, in its order.
    package let fields: [(String, JSON)]

    /// No side of `image` should be longer than this: every fact is made of as few pixels.
    package static let side = 128

    /// Takes some milliseconds for an image of ``side``. Throws `limitExceeded` without the memory, and `cancelled`.
    package init(_ image: Bitmap, _ wish: Selection) throws(ImageError) {
        var fields: [(String, JSON)] = []
        if wish.dominant {
            let color = try image.dominantColor()
            fields.append(("dominantColor", color.alpha == 0 ? .null : .string(Self.text(color))))
        }
        if let count = wish.palette { fields.append(("palette", Self.palette(of: image, count: count))) }
        if let parts = wish.blurHash {
            fields.append(("blurHash", .string(try BlurHash.string(for: image, across: parts.across, down: parts.down))))
        }
        if wish.thumbHash { fields.append(("thumbHash", .string(Data(try ThumbHash.bytes(for: image)).base64EncodedString()))) }
        self.fields = fields
    }

    private static func text(_ color: PixelColor) -> String { String(color.hex.prefix(7)) }

    /// Up to `count` colours, the most frequent first, with their parts of the pixels that are more than half opaque.
    private static func palette(of image: Bitmap, count: Int) -> JSON {
        var pixels: [UInt32] = []
        for y in 0..<image.height {
            for x in 0..<image.width {
                guard let color = image.color(atX: x, y: y), color.alpha > 127 else { continue }
                pixels.append(
                    UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | UInt32(color.alpha) << 24)
            }
        }
        var quantizer = ColorQuantizer(pixels, limit: count)
        var counts = [Int](repeating: 0, count: quantizer.palette.count)
        for pixel in pixels { counts[Int(quantizer.index(of: pixel))] += 1 }
        let order = counts.indices.sorted { (-counts[$0], $0) < (-counts[$1], $1) }.filter { counts[$0] > 0 }
        return .array(
            order.map { index in
                let color = quantizer.palette[index]
                let text = text(
                    PixelColor(
                        red: UInt8(color & 0xFF), green: UInt8(color >> 8 & 0xFF), blue: UInt8(color >> 16 & 0xFF)))
                return .object([
                    ("color", .string(text)), ("part", .number(Double(counts[index]) / Double(pixels.count))),
                ])
            })
    }
}
