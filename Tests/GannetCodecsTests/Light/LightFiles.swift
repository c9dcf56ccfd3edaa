import Glibc

/// Files of light that tests write themselves.
enum LightFiles {
    /// RGBE by Ward's rule: the mantissa of the largest channel is in the upper half of its byte.
    static func rgbe(_ light: [Double]) -> [UInt8] {
        let most = light.max() ?? 0
        guard most > 1e-32 else { return [0, 0, 0, 0] }
        let exponent = Int(floor(log2(most))) + 1
        return light.map { UInt8(min(max($0, 0) * exp2(Double(8 - exponent)), 255)) } + [UInt8(exponent + 128)]
    }

    /// What such a pixel stands for.
    static func light(_ pixel: [UInt8]) -> [Double] {
        (0..<3).map { pixel[3] == 0 ? 0 : (Double(pixel[$0]) + 0.5) * exp2(Double(pixel[3]) - 136) }
    }

    static func radianceHeader(_ sides: String, format: String = "32-bit_rle_rgbe", extra: String = "") -> [UInt8] {
        Array("#?RADIANCE\n# a comment\nEXPOSURE=1\n\(extra)FORMAT=\(format)\n\n\(sides)\n".utf8)
    }

    /// Rows of pixels, each of them stored as it is.
    static func radiance(_ rows: [[[UInt8]]], sides: String? = nil, format: String = "32-bit_rle_rgbe") -> [UInt8] {
        radianceHeader(sides ?? "-Y \(rows.count) +X \(rows[0].count)", format: format) + Array(rows.joined().joined())
    }

    /// The same with the run lengths of 1991.
    static func packed(_ rows: [[[UInt8]]]) -> [UInt8] {
        let width = rows[0].count
        var bytes = radianceHeader("-Y \(rows.count) +X \(width)")
        for row in rows {
            bytes += [2, 2, UInt8(width >> 8), UInt8(width & 255)]
            for channel in 0..<4 {
                var x = 0
                while x < width {
                    let value = row[x][channel]
                    var run = 1
                    while run < 127, x + run < width, row[x + run][channel] == value { run += 1 }
                    bytes += run > 2 ? [UInt8(128 + run), value] : [1, value]
                    x += run > 2 ? run : 1
                }
            }
        }
        return bytes
    }

    /// Rows from the top; three numbers a pixel, or one.
    static func pfm(_ rows: [[Float]], isGray: Bool = false, isBigEndian: Bool = false, scale: String? = nil) -> [UInt8] {
        let width = rows[0].count / (isGray ? 1 : 3)
        var bytes = Array("\(isGray ? "Pf" : "PF")\n\(width) \(rows.count)\n\(scale ?? (isBigEndian ? "1.0" : "-1.0"))\n".utf8)
        for row in rows.reversed() {
            for value in row {
                let bits = isBigEndian ? value.bitPattern.bigEndian : value.bitPattern.littleEndian
                bytes += withUnsafeBytes(of: bits) { Array($0) }
            }
        }
        return bytes
    }
}
