package import GannetCore
import Glibc

/// The point that catches the eye, in fractions of both sides: where edges, colours of skin and strong colours are together, blurred
/// to the size of the part that is to be kept. The method is that of libvips' `smartcrop` with `attention`.
///
/// - Parameters:
///   - bitmap: opaque or premultiplied; clear pixels count as black, which attracts no attention.
///   - part: the size of the part to keep, in an image scaled to `whole`.
///
/// Costs one resize to 32 × 32. Throws `limitExceeded` without the memory for that, and `cancelled`.
package func attention(
    in bitmap: Bitmap, keeping part: PixelSize, of whole: PixelSize, pool: PixelPool = .shared
) throws(ImageError) -> (x: Double, y: Double) {
    let side = AttentionMap.side
    let size = PixelSize(clamping: side, side)
    let small = try narrowed(resample(bitmap, to: size, filter: .area, pool: pool), pool: pool)
    var map = AttentionMap(small)
    let columns = Double(part.width * side) / Double(whole.width)
    let rows = Double(part.height * side) / Double(whole.height)
    map.blur(sigma: max((columns * columns + rows * rows).squareRoot() / 10, 1))
    let best = map.scores.indices.max { map.scores[$0] < map.scores[$1] } ?? 0
    return ((Double(best % side) + 0.5) / Double(side), (Double(best / side) + 0.5) / Double(side))
}

/// How much each of 32 × 32 cells attracts the eye.
private struct AttentionMap {
    static let side = 32
    /// Row by row.
    private(set) var scores: [Float]

    init(_ small: Bitmap) {
        let colors = (0..<Self.side).flatMap { y in
            let row = small.row(y)
            return (0..<Self.side).map { x in CIEColor(row[x * 4], row[x * 4 + 1], row[x * 4 + 2]) }
        }
        func light(_ x: Int, _ y: Int) -> Float {
            colors[min(max(y, 0), Self.side - 1) * Self.side + min(max(x, 0), Self.side - 1)].xyz.y
        }
        scores = colors.indices.map { index in
            let (x, y) = (index % Self.side, index / Self.side)
            let neighbours = light(x - 1, y) + light(x + 1, y) + light(x, y - 1) + light(x, y + 1)
            let edge = abs(4 * light(x, y) - neighbours) * 5
            // Skin and colour cannot be told in the dark.
            guard colors[index].xyz.y > 5 else { return edge }
            return edge + colors[index].likenessToSkin + colors[index].redness
        }
    }

    /// Gaussian, with the edges repeated outwards.
    mutating func blur(sigma: Double) {
        let reach = min(Int((sigma * 3).rounded(.up)), Self.side)
        let offsets = Array(-reach...reach)
        let raw = offsets.map { Float(exp(-Double($0 * $0) / (2 * sigma * sigma))) }
        let sum = raw.reduce(0, +)
        let weights = raw.map { $0 / sum }
        for horizontal in [true, false] {
            let source = scores
            scores = source.indices.map { index in
                let (x, y) = (index % Self.side, index / Self.side)
                return zip(offsets, weights).reduce(0) { total, next in
                    let moved = min(max((horizontal ? x : y) + next.0, 0), Self.side - 1)
                    return total + next.1 * source[horizontal ? y * Self.side + moved : moved * Self.side + x]
                }
            }
        }
    }
}

/// A colour in CIE XYZ, D65, 0 … 100.
private struct CIEColor {
    let xyz: SIMD3<Float>

    /// 8-bit sRGB.
    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        let light = SIMD3(Self.light(red), Self.light(green), Self.light(blue))
        // IEC 61966-2-1.
        xyz = SIMD3(
            (light * SIMD3(41.24, 35.76, 18.05)).sum(), (light * SIMD3(21.26, 71.52, 7.22)).sum(),
            (light * SIMD3(1.93, 11.92, 95.05)).sum())
    }

    /// Linear light, 0 … 1.
    private static func light(_ value: UInt8) -> Float { Float(TransferCurve.toLinear[Int(value)]) / 65_535 }

    /// 100 for the hue of skin, as smartcrop.js and libvips have it; less, and below 0, the further away.
    var likenessToSkin: Float {
        let length = (xyz * xyz).sum().squareRoot()
        guard length > 0 else { return 0 }
        let away = xyz / length - SIMD3(0.78, 0.57, 0.44)
        return 100 - 100 * (away * away).sum().squareRoot()
    }

    /// a* of CIELAB: below 0 for greens, which are mostly background.
    var redness: Float {
        func root(_ part: Float) -> Float { part > 0.008856 ? cbrt(part) : 7.787 * part + 16 / 116 }
        return 500 * (root(xyz.x / 95.047) - root(xyz.y / 100))
    }
}
