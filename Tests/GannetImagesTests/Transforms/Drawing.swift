import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform

/// Small pictures drawn by a function, for the tests of the transformers.
enum Drawing {
    static func picture(_ width: Int, _ height: Int, _ color: (Int, Int) -> PixelColor) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height)))
        var isOpaque = true
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                let color = color(x, y)
                let alpha = Int(color.alpha)
                for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                    row[x * 4 + channel] = UInt8((Int(value) * alpha * 2 + 255) / 510)
                }
                row[x * 4 + 3] = color.alpha
                if alpha < 255 { isOpaque = false }
            }
        }
        if isOpaque { buffer.setAlpha(.opaque) }
        return buffer.freeze()
    }

    static func flat(_ width: Int, _ height: Int, _ color: PixelColor) throws(ImageError) -> Bitmap {
        try picture(width, height) { _, _ in color }
    }

    /// 30 × 30, clear around: a black bar on top, a red left part, a blue right one, a half-clear green block at the bottom.
    static func logo() throws(ImageError) -> Bitmap {
        try picture(30, 30) { x, y in
            guard (5..<25).contains(x) else { return .clear }
            if y < 5 { return .black }
            if y >= 25 { return PixelColor(red: 0, green: 255, blue: 0, alpha: 128) }
            return x < 15 ? .red : .blue
        }
    }

    /// Different everywhere, every alpha.
    static func varied(_ width: Int, _ height: Int) throws(ImageError) -> Bitmap {
        try picture(width, height) { x, y in
            PixelColor(
                red: UInt8(truncatingIfNeeded: x * 37 + y * 11), green: UInt8(truncatingIfNeeded: x * 5 + y * 91),
                blue: UInt8(truncatingIfNeeded: x * y * 7), alpha: UInt8(truncatingIfNeeded: 255 - x * 13 - y * 3))
        }
    }
}

extension Bitmap {
    /// Premultiplied channels.
    func channels(_ x: Int, _ y: Int) -> [Int] {
        let row = row(y)
        return (0..<4).map { Int(row[x * 4 + $0]) }
    }

    var isPremultiplied: Bool {
        (0..<height).allSatisfy { y in
            (0..<width).allSatisfy { x in
                let pixel = channels(x, y)
                return max(pixel[0], pixel[1], pixel[2]) <= pixel[3]
            }
        }
    }
}

/// The largest difference of any premultiplied channel.
func difference(_ left: Bitmap, _ right: Bitmap) -> Int {
    guard left.size == right.size else { return .max }
    var worst = 0
    for y in 0..<left.height {
        for x in 0..<left.width {
            worst = max(worst, zip(left.channels(x, y), right.channels(x, y)).map { abs($0 - $1) }.max() ?? 0)
        }
    }
    return worst
}
