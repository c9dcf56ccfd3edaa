import GannetCore
import Glibc

/// The formulas of the standards, written down a second time.
enum HighRangeLight {
    /// SMPTE ST 2084, equations 5.2 and 5.1, in cd/m².
    static func pq(_ light: Double) -> Double {
        let y = pow(max(light, 0) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
    }

    static func light(ofPQ signal: Double) -> Double {
        let e = pow(signal, 1 / 78.84375)
        return 10_000 * pow(max(e - 0.8359375, 0) / (18.8515625 - 18.6875 * e), 1 / 0.1593017578125)
    }

    static func sRGB(_ value: Double) -> Double { value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4) }

    /// BT.2087-0, and SMPTE EG 432-1 for P3: to the primaries of BT.2020, by rows.
    static let fromBT709: [Double] = [0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.0880, 0.8956]
    static let fromP3: [Double] = [0.7538, 0.1986, 0.0476, 0.0457, 0.9418, 0.0125, -0.0012, 0.0176, 0.9836]

    static func turned(_ rgb: [Double], by matrix: [Double]) -> [Double] {
        (0..<3).map { row in (0..<3).map { matrix[3 * row + $0] * rgb[$0] }.reduce(0, +) }
    }

    /// Red, green, blue and alpha of every pixel of 16 bits.
    static func samples(_ bitmap: Bitmap) -> [[Int]] {
        (0..<bitmap.height).flatMap { y -> [[Int]] in
            let row = bitmap.row(y)
            return (0..<bitmap.width).map { x in
                (0..<4).map { Int(row[8 * x + 2 * $0]) | Int(row[8 * x + 2 * $0 + 1]) << 8 }
            }
        }
    }
}
