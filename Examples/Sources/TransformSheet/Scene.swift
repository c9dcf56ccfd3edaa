import GannetCore
import GannetImages

/// The image that the sheet shows changed: drawn by a formula, 180 × 120, clear around a badge's corner.
func drawScene(width: Int = 180, height: Int = 120) throws(ImageError) -> Bitmap {
    var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height)))
    for y in 0..<height {
        var row = buffer.mutableRow(y)
        for x in 0..<width {
            let color = sceneColor(Double(x), Double(y))
            let alpha = Int(color.alpha)
            for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                row[x * 4 + channel] = UInt8(Int(value) * alpha / 255)
            }
            row[x * 4 + 3] = color.alpha
        }
    }
    return buffer.freeze()
}

private func sceneColor(_ x: Double, _ y: Double) -> PixelColor {
    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255)) }
    // A half-clear disc at the lower right, and nothing behind its lower half.
    let (dx, dy) = (x - 150, y - 92)
    if dx * dx + dy * dy < 22 * 22 { return PixelColor(red: 30, green: 160, blue: 90, alpha: y < 92 ? 255 : 140) }
    if x > 130, y > 104 { return .clear }
    let (sx, sy) = (x - 48, y - 34)
    if sx * sx + sy * sy < 15 * 15 { return PixelColor(red: 255, green: 225, blue: 90) }
    let hill = 78 - abs(x - 95) * 0.45
    if y > 100 - abs((x - 20).truncatingRemainder(dividingBy: 60)) * 0.3 {
        return PixelColor(red: 40, green: 90, blue: byte(40 + x / 3))
    }
    if y > hill { return PixelColor(red: byte(110 + (y - hill)), green: 95, blue: byte(120 - (y - hill))) }
    // A fence of fine lines shows what resampling and turning do.
    if x > 120, x < 172, y > 14, y < 40, Int(x) % 4 < 2 { return PixelColor(red: 250, green: 250, blue: 250) }
    return PixelColor(red: byte(70 + y * 1.2), green: byte(140 + y * 0.7), blue: 230)
}
