import Glibc

/// The transfer curve of sRGB (IEC 61966-2-1) as tables.
package enum TransferCurve {
    /// Straight byte to linear light, 0 … 65,535.
    package static let toLinear: [UInt16] = (0..<256).map { UInt16((linear(Double($0) / 255) * 65535).rounded()) }
    /// Linear light, 0 … 65,535, to a byte.
    package static let fromLinear: [UInt8] = (0..<65536).map { UInt8((encoded(Double($0) / 65535) * 255).rounded()) }

    /// 0 … 1 as stored to 0 … 1 of light.
    package static func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// 0 … 1 of light to 0 … 1 as stored.
    package static func encoded(_ value: Double) -> Double {
        value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
    }
}
