public import GannetCore
import Glibc

/// BlurHash strings (github.com/woltapp/blurhash, "Algorithm"): a few cosine components of the light, as base-83 digits.
public enum BlurHash {
    /// The blurred image; nil if the text is no BlurHash. `width` and `height` are clamped to 1 … 128 pixels. Cost: O(width ×
    /// height × components), 81 components at most.
    public static func bitmap(_ hash: String, width: Int = 32, height: Int = 32) -> Bitmap? {
        let digits = hash.utf8.map { value($0) }
        guard digits.count >= 6, !digits.contains(nil) else { return nil }
        let numbers = digits.compactMap { $0 }
        let columns = numbers[0] % 9 + 1
        let rows = numbers[0] / 9 + 1
        guard numbers[0] < 81, numbers.count == 4 + 2 * columns * rows else { return nil }
        let maximum = Double(numbers[1] + 1) / 166
        let average = numbers[2...5].reduce(0) { $0 * 83 + $1 }
        guard average < 1 << 24 else { return nil }
        var colors: [SIMD3<Double>] = [
            SIMD3(linear(average >> 16), linear(average >> 8 & 255), linear(average & 255))
        ]
        for component in 1..<max(columns * rows, 1) {
            let number = numbers[4 + component * 2] * 83 + numbers[5 + component * 2]
            guard number < 19 * 19 * 19 else { return nil }
            let parts = SIMD3(Double(number / 361), Double(number / 19 % 19), Double(number % 19))
            let signed = (parts - 9) / 9
            colors.append(signed * SIMD3(abs(signed.x), abs(signed.y), abs(signed.z)) * maximum)
        }
        let width = min(max(width, 1), 128)
        let height = min(max(height, 1), 128)
        guard var buffer = try? PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque)) else {
            return nil
        }
        let across = cosines(width, columns)
        let down = cosines(height, rows)
        for y in 0..<height {
            var row = buffer.mutableRow(y)
            for x in 0..<width {
                var color = SIMD3<Double>.zero
                for j in 0..<rows {
                    let vertical: Double = down[y * rows + j]
                    for i in 0..<columns {
                        let weight: Double = across[x * columns + i] * vertical
                        color += colors[j * columns + i] * weight
                    }
                }
                row[x * 4] = encoded(color.x)
                row[x * 4 + 1] = encoded(color.y)
                row[x * 4 + 2] = encoded(color.z)
                row[x * 4 + 3] = 255
            }
        }
        return buffer.freeze()
    }

    static func cosines(_ length: Int, _ components: Int) -> [Double] {
        (0..<length * components).map { index -> Double in
            let angle = Double(index / components) * Double(index % components) / Double(length)
            return cos(Double.pi * angle)
        }
    }

    static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        for (index, byte) in alphabet.enumerated() { values[Int(byte)] = index }
        return values
    }()

    private static func value(_ byte: UInt8) -> Int? { values[Int(byte)] }

    /// sRGB to linear light by IEC 61966-2-1.
    static func linear(_ value: Int) -> Double {
        let v = Double(value) / 255
        return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ value: Double) -> UInt8 {
        let v = min(max(value, 0), 1)
        return UInt8(v <= 0.0031308 ? v * 12.92 * 255 + 0.5 : (1.055 * pow(v, 1 / 2.4) - 0.055) * 255 + 0.5)
    }
}
