import GannetCore

/// The same numbers on every machine and in every run.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func below(_ bound: Int) -> Int { Int(next() >> 33) % bound }
}

enum Picture {
    static func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(clamping: width, height) }

    /// An `rgba8` picture from a function of the place.
    static func make(
        _ width: Int, _ height: Int, alpha: AlphaMode = .premultiplied, _ pixel: (Int, Int) -> [UInt8]
    ) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(PixelLayout(size: size(width, height), alpha: alpha))
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                let value = pixel(x, y)
                for channel in 0..<4 { row[x * 4 + channel] = value[channel] }
            }
        }
        return buffer.freeze()
    }

    /// An `rgba16` picture from a function of the place.
    static func make16(
        _ width: Int, _ height: Int, alpha: AlphaMode = .premultiplied, _ pixel: (Int, Int) -> [UInt16]
    ) throws(ImageError) -> Bitmap {
        var buffer = try PixelBuffer(PixelLayout(size: size(width, height), format: .rgba16, alpha: alpha))
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                let value = pixel(x, y)
                for channel in 0..<4 {
                    row[x * 8 + channel * 2] = UInt8(truncatingIfNeeded: value[channel].littleEndian)
                    row[x * 8 + channel * 2 + 1] = UInt8(truncatingIfNeeded: value[channel].littleEndian >> 8)
                }
            }
        }
        return buffer.freeze()
    }

    /// Noise with every alpha, premultiplied.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1, opaque: Bool = false) throws(ImageError) -> Bitmap {
        var noise = Noise(seed: seed)
        return try make(width, height, alpha: opaque ? .opaque : .premultiplied) { _, _ in
            let alpha = opaque ? 255 : noise.below(256)
            return [
                UInt8(noise.below(alpha + 1)), UInt8(noise.below(alpha + 1)), UInt8(noise.below(alpha + 1)), UInt8(alpha),
            ]
        }
    }

    static func noise16(_ width: Int, _ height: Int, seed: UInt64 = 1) throws(ImageError) -> Bitmap {
        var noise = Noise(seed: seed)
        return try make16(width, height) { _, _ in
            let alpha = noise.below(65536)
            return [
                UInt16(noise.below(alpha + 1)), UInt16(noise.below(alpha + 1)), UInt16(noise.below(alpha + 1)), UInt16(alpha),
            ]
        }
    }
}

extension Bitmap {
    /// The four channels at a place, as numbers, for both pixel formats.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        let row = row(y)
        return (0..<4).map { channel in
            layout.format == .rgba8
                ? Int(row[x * 4 + channel]) : Int(row[x * 8 + channel * 2]) | Int(row[x * 8 + channel * 2 + 1]) << 8
        }
    }

    var pixels: [[Int]] { (0..<height).flatMap { y in (0..<width).map { pixel($0, y) } } }
}

/// The largest difference of any channel.
func largestDifference(_ left: Bitmap, _ right: Bitmap) -> Int {
    guard left.size == right.size else { return .max }
    return zip(left.pixels, right.pixels).reduce(0) { worst, pair in
        zip(pair.0, pair.1).reduce(worst) { max($0, abs($1.0 - $1.1)) }
    }
}
