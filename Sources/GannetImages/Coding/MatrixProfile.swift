import GannetCore
import GannetKernels
import Glibc

/// A profile of three curves and a matrix (ICC.1, 8.3), as cameras, phones and displays have. Read here, because a library that reads
/// profiles may be kept in a sandbox.
struct MatrixProfile {
    /// The XYZ colours of the primaries, under the white of D50.
    private let columns: [[Double]]
    private let curves: [[Float]]

    /// Nil: the profile is another kind of one, or is damaged.
    init?(_ profile: [UInt8]) {
        let bytes = ProfileBytes(profile)
        // A profile with tables may have these too, for programs that read no tables.
        guard bytes.word(16) == ProfileBytes.name("RGB "), bytes.word(20) == ProfileBytes.name("XYZ "),
            let count = bytes.word(128),
            count <= 100
        else { return nil }
        var places: [Int: Int] = [:]
        for index in 0..<count {
            guard let tag = bytes.word(132 + index * 12), let start = bytes.word(136 + index * 12) else { return nil }
            places[tag] = start
        }
        guard places[ProfileBytes.name("A2B0")] == nil else { return nil }
        let columns = ["rXYZ", "gXYZ", "bXYZ"].compactMap { name in
            places[ProfileBytes.name(name)].flatMap { bytes.fixed($0 + 8, 3) }
        }
        let curves = ["rTRC", "gTRC", "bTRC"].compactMap { name in places[ProfileBytes.name(name)].flatMap { bytes.curve(at: $0) }
        }
        guard columns.count == 3, curves.count == 3 else { return nil }
        (self.columns, self.curves) = (columns, curves)
        guard toXYZ.checkedInverse != nil else { return nil }
    }

    /// To XYZ with the white of D65.
    var toXYZ: LightMatrix { LightMatrix.fromD50.after(LightMatrix((0..<9).map { columns[$0 % 3][$0 / 3] })) }

    var colors: BaseColors { BaseColors(light: curves, toXYZ: toXYZ) }

    var hasPrimariesOfSRGB: Bool {
        let wanted = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
        return zip(columns.joined(), wanted.joined()).allSatisfy { abs($0 - $1) < 0.005 }
    }
}

/// Numbers of a profile, which may name places that it does not have.
private struct ProfileBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func name(_ text: String) -> Int { text.utf8.reduce(0) { $0 << 8 | Int($1) } }

    func word(_ offset: Int) -> Int? { number(offset, 4) }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// With 16 bits behind the point.
    func fixed(_ offset: Int, _ count: Int) -> [Double]? {
        let numbers = (0..<count).compactMap { word(offset + $0 * 4) }.map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
        return numbers.count == count ? numbers : nil
    }

    /// The light of each byte: a power, a table, or a formula (ICC.1, 10.6 and 10.18).
    func curve(at start: Int) -> [Float]? {
        guard let kind = word(start) else { return nil }
        let light: (Double) -> Double
        if kind == Self.name("curv") {
            guard let found = table(start + 8) else { return nil }
            light = found
        } else if kind == Self.name("para") {
            guard let found = formula(start + 8) else { return nil }
            light = found
        } else {
            return nil
        }
        let values = (0..<256).map { light(Double($0) / 255) }
        return values.allSatisfy { $0.isFinite } ? values.map { Float(min(max($0, 0), 1)) } : nil
    }

    private func table(_ start: Int) -> ((Double) -> Double)? {
        guard let count = word(start) else { return nil }
        if count == 0 { return { $0 } }
        guard count <= 65_536 else { return nil }
        let samples = (0..<count).compactMap { number(start + 4 + $0 * 2, 2) }.map { Double($0) }
        guard samples.count == count else { return nil }
        if count == 1 { return { pow($0, samples[0] / 256) } }
        return { value in
            let place = value * Double(count - 1)
            let index = min(Int(place), count - 2)
            return (samples[index] + (samples[index + 1] - samples[index]) * (place - Double(index))) / 65_535
        }
    }

    private func formula(_ start: Int) -> ((Double) -> Double)? {
        guard let kind = number(start, 2), kind <= 4, let p = fixed(start + 4, [1, 3, 4, 5, 7][kind]) else { return nil }
        let power = p[0]
        guard kind > 0 else { return { pow($0, power) } }
        let (a, b) = (p[1], p[2])
        // Below `d` a line; the numbers that a formula does not have are 0.
        let slope = kind > 2 ? p[3] : 0
        let border = kind > 2 ? p[4] : a == 0 ? 0 : -b / a
        let (above, below) = kind == 4 ? (p[5], p[6]) : kind == 2 ? (p[3], p[3]) : (0, 0)
        return { $0 >= border ? pow(max(a * $0 + b, 0), power) + above : slope * $0 + below }
    }
}
