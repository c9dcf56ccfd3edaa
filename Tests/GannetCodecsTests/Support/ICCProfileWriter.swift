import Glibc

/// Writes small display profiles (ICC.1:2010, version 2.1).
struct ICCProfileWriter {
    /// Four characters: "RGB " or "GRAY".
    var space: String
    var tags: [(name: String, data: [UInt8])]

    var bytes: [UInt8] {
        var table = Self.long(tags.count)
        var data: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for tag in tags {
            table += Array(tag.name.utf8) + Self.long(start + data.count) + Self.long(tag.data.count)
            data += tag.data + [UInt8](repeating: 0, count: (4 - tag.data.count % 4) % 4)
        }
        var header = Self.long(start + data.count) + Array("test".utf8) + Self.long(0x0210_0000)
        header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += Self.fixed(0.9642) + Self.fixed(1) + Self.fixed(0.8249)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + data
    }

    static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ ".utf8) + long(0) + fixed(x) + fixed(y) + fixed(z)
    }

    /// One gamma, in steps of 1/256.
    static func curve(_ gamma: Double) -> [UInt8] {
        let value = Int(gamma * 256)
        return Array("curv".utf8) + long(0) + long(1) + [UInt8(value >> 8), UInt8(value & 255)]
    }

    /// The curve of IEC 61966-2-1 in 1024 steps.
    static var sRGBCurve: [UInt8] {
        var bytes = Array("curv".utf8) + long(0) + long(1024)
        for index in 0..<1024 {
            let value = Double(index) / 1023
            let light = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            let word = Int(light * 65535 + 0.5)
            bytes += [UInt8(word >> 8), UInt8(word & 255)]
        }
        return bytes
    }

    private static func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    private static func fixed(_ value: Double) -> [UInt8] { long(Int(value * 65536 + 0.5)) }
}
