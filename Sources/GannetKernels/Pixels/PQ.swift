import CGannetKernels
import Glibc

/// SMPTE ST 2084: signals of 0 … 1 for light of up to 10,000 cd/m².
package enum PQ {
    package static let peak = 10_000.0

    /// cd/m²; the EOTF.
    package static func light(of signal: Double) -> Double {
        let root = pow(max(signal, 0), 1 / m2)
        return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1) * peak
    }

    /// The inverse EOTF.
    package static func signal(of light: Double) -> Double {
        let power = pow(max(light, 0) / peak, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    private static let m1 = 2610.0 / 16_384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32
}

/// Tables that C interpolates in.
enum LightTable {
    private static let steps = Int(GANNET_TONE_MAP_STEPS)

    static func make(_ value: (Double) -> Double) -> [Float] { (0...steps).map { Float(value(Double($0) / Double(steps))) } }

    /// The signal of PQ, by the fourth root of light over the brightest: the same steps for the eye.
    static let pq = make { PQ.signal(of: pow($0, 4) * PQ.peak) }

    static func floats(_ numbers: [Double]) -> [UInt8] { numbers.map { Float($0) }.withUnsafeBytes { Array($0) } }
}

/// The addresses of tables, as long as `body` runs.
func withTables<R, Failure: Error>(
    _ tables: [[Float]], _ body: ([UnsafePointer<Float>?]) throws(Failure) -> R
) throws(Failure) -> R {
    var addresses: [UnsafePointer<Float>?] = []
    func next(_ rest: ArraySlice<[Float]>) throws(Failure) -> R {
        guard let table = rest.first else { return try body(addresses) }
        return try table.withUnsafeBufferPointer { (buffer) throws(Failure) in
            addresses.append(buffer.baseAddress)
            return try next(rest.dropFirst())
        }
    }
    return try next(tables[...])
}
