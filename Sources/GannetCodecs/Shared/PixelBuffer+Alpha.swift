import GannetCore
import GannetKernels

extension PixelBuffer {
    /// Whether alpha is zero everywhere (8 bits). Stops at the first other pixel.
    var isClear: Bool {
        for y in 0..<size.height {
            let row = row(y)
            for x in stride(from: 3, to: row.count, by: 4) where row[x] != 0 { return false }
        }
        return true
    }

    /// Converts the layout's alpha to the requested one. Opaque images stay opaque.
    mutating func deliver(_ alpha: AlphaMode) {
        guard layout.alpha != alpha, layout.alpha != .opaque else { return }
        switch alpha {
        case .straight: unpremultiply(&self)
        case .premultiplied: premultiply(&self)
        case .opaque:
            unpremultiply(&self)
            fillAlpha()
            setAlpha(.opaque)
        }
    }

    /// Sets all bits of every pixel's alpha, in 8 or 16 bits.
    mutating func fillAlpha() { fillAlpha(rows: 0..<size.height) }

    mutating func fillAlpha(rows: Range<Int>) {
        let bytes = layout.format.bytesPerPixel
        for y in rows {
            var row = mutableRow(y)
            for x in 0..<row.count / bytes {
                for byte in bytes * 3 / 4..<bytes { row[x * bytes + byte] = 255 }
            }
        }
    }
}
