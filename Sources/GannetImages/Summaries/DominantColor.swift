public import GannetCore

extension Bitmap {
    /// The dominant colour: the average of the largest group of similar colours, opaque. Clear pixels do not count; a fully
    /// clear image gives `clear`. The image is shrunk to 64 pixels first.
    ///
    /// Throws `limitExceeded` without the memory for that, and `cancelled`.
    public func dominantColor() throws(ImageError) -> PixelColor {
        let small = try reduced(to: 64)
        // 16 levels a channel; a group is 2 × 2 × 2 neighbours, so that no border of a level splits it.
        var groups = [SIMD4<Int>](repeating: .zero, count: 4096)
        for y in 0..<small.height {
            let row = small.row(y)
            for x in 0..<small.width {
                let alpha = Int(row[x * 4 + 3])
                guard alpha > 0 else { continue }
                let pixel = SIMD4(Int(row[x * 4]), Int(row[x * 4 + 1]), Int(row[x * 4 + 2]), alpha)
                let levels = SIMD4((0..<4).map { min(pixel[$0] * 255 / alpha, 255) >> 4 })
                groups[levels.x << 8 | levels.y << 4 | levels.z] &+= pixel
            }
        }
        var best = SIMD4<Int>.zero
        for red in 0..<15 {
            for green in 0..<15 {
                for blue in 0..<15 {
                    var sum = SIMD4<Int>.zero
                    for corner in [0, 1, 16, 17, 256, 257, 272, 273] { sum &+= groups[(red << 8 | green << 4 | blue) + corner] }
                    if sum.w > best.w { best = sum }
                }
            }
        }
        guard best.w > 0 else { return .clear }
        func channel(_ value: Int) -> UInt8 { UInt8(min((value * 255 + best.w / 2) / best.w, 255)) }
        return PixelColor(red: channel(best.x), green: channel(best.y), blue: channel(best.z))
    }
}
