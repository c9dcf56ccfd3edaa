import Gannet
import GannetCore
import GannetImages

/// Two inks: dark pixels take the colour `shadows`, light ones the colour `highlights`, those between a mixture.
struct DuotoneTransformer: ImageTransformer, Hashable {
    var shadows: PixelColor
    var highlights: PixelColor

    // Every parameter, and a version: two transformers with one identifier share their results in memory and on disk. Raise the
    // version when the same colours come to give other pixels.
    var identifier: String? { "org.example.duotone@1(\(shadows.hex),\(highlights.hex))" }

    func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        guard bitmap.layout.format == .rgba8 else {
            throw ImageError(.unsupported, stage: .transform, "Duotone works on 8-bit images; put a resize in front of it.")
        }
        // A bitmap is immutable; a copy can be changed until it is frozen. The pool provides its memory and reuses it.
        var buffer = try bitmap.mutableCopy(pool: context.pool)
        for y in 0..<buffer.size.height {
            // The user may have scrolled away: check for cancellation between bands of rows.
            if y % 32 == 0 { try ImageError.checkCancellation(stage: .transform) }
            var row = buffer.mutableRow(y)
            for x in stride(from: 0, to: row.count, by: 4) {
                // Colours are premultiplied: none is above alpha, and neither is a mixture weighed with them.
                let alpha = Int(row[x + 3])
                let light = (Int(row[x]) * 54 + Int(row[x + 1]) * 183 + Int(row[x + 2]) * 19) >> 8
                row[x] = mixed(shadows.red, highlights.red, light, alpha)
                row[x + 1] = mixed(shadows.green, highlights.green, light, alpha)
                row[x + 2] = mixed(shadows.blue, highlights.blue, light, alpha)
            }
        }
        return buffer.freeze()
    }

    /// `light` of the light ink and the rest, up to `alpha`, of the dark one.
    private func mixed(_ dark: UInt8, _ bright: UInt8, _ light: Int, _ alpha: Int) -> UInt8 {
        UInt8((Int(dark) * (alpha - light) + Int(bright) * light) / 255)
    }
}

// Reached like the built-in ones: `.transform(.duotone(.black, .white))`.
extension ImageTransformer where Self == DuotoneTransformer {
    static func duotone(_ shadows: PixelColor, _ highlights: PixelColor) -> Self {
        DuotoneTransformer(shadows: shadows, highlights: highlights)
    }
}
