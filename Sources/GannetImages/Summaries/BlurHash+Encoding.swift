public import GannetCore
import GannetKernels
import Glibc

extension BlurHash {
    /// The BlurHash text of `image`: 4 + 2 × `across` × `down` characters. Clear parts count as black.
    ///
    /// `across` and `down`, clamped to 1 … 9, are the numbers of components. The image is shrunk to 64 pixels first. Throws
    /// `limitExceeded` without the memory for that, and `cancelled`.
    public static func string(for image: Bitmap, across: Int = 4, down: Int = 3) throws(ImageError) -> String {
        let (across, down) = (min(max(across, 1), 9), min(max(down, 1), 9))
        let small = try image.reduced(to: 64)
        let (width, height) = (small.width, small.height)
        let (horizontal, vertical) = (cosines(width, across), cosines(height, down))
        var factors = [SIMD3<Double>](repeating: .zero, count: across * down)
        for y in 0..<height {
            let row = small.row(y)
            for x in 0..<width {
                let light = SIMD3(linear(Int(row[x * 4])), linear(Int(row[x * 4 + 1])), linear(Int(row[x * 4 + 2])))
                for j in 0..<down {
                    let weight: Double = vertical[y * down + j]
                    for i in 0..<across { factors[j * across + i] += light * (weight * horizontal[x * across + i]) }
                }
            }
        }
        let area = Double(width * height)
        for index in factors.indices { factors[index] *= (index == 0 ? 1 : 2) / area }

        var text = digits(across - 1 + (down - 1) * 9, 1)
        let largest = factors.dropFirst().map { max(abs($0.x), abs($0.y), abs($0.z)) }.max() ?? 0
        let step = across * down > 1 ? Int(min(max(largest * 166 - 0.5, 0), 82)) : 0
        text += digits(step, 1)
        let maximum = across * down > 1 ? Double(step + 1) / 166 : 1
        let average = factors[0]
        text += digits(Int(encoded(average.x)) << 16 | Int(encoded(average.y)) << 8 | Int(encoded(average.z)), 4)
        func quantized(_ value: Double) -> Int {
            let root = sqrt(abs(value) / maximum)
            return Int(min(max(((value < 0 ? -root : root) * 9 + 9.5).rounded(.down), 0), 18))
        }
        for factor in factors.dropFirst() {
            text += digits((quantized(factor.x) * 19 + quantized(factor.y)) * 19 + quantized(factor.z), 2)
        }
        return text
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        var value = value
        var result: [UInt8] = []
        for _ in 0..<count {
            result.append(alphabet[value % 83])
            value /= 83
        }
        return String(decoding: result.reversed(), as: UTF8.self)
    }
}

extension Bitmap {
    /// A copy with 8-bit premultiplied pixels and no side longer than `side`.
    func reduced(to side: Int) throws(ImageError) -> Bitmap {
        let ready = try readyToPaint(.shared)
        let target = TargetSize(.fit, width: side, height: side).plan(for: size).scaled
        return target == size ? ready : try resample(ready, to: target)
    }
}
