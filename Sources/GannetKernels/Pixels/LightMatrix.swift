/// Three rows of three numbers, which turn light of one set of primaries into that of another.
package struct LightMatrix: Hashable, Sendable {
    /// By rows.
    package let numbers: [Double]

    package init(_ numbers: [Double]) {
        precondition(numbers.count == 9, "three rows of three")
        self.numbers = numbers
    }

    /// RGB to XYZ, of primaries of H.273 with the white of D65: 1 (BT.709), 9 (BT.2020) or 12 (P3). Nil: others.
    package init?(primaries: Int) {
        switch primaries {
        case 1: self = .sRGB
        case 9: self = .wide
        case 12: self = Self.toXYZ([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)])
        default: return nil
        }
    }

    /// To XYZ with the white of D65.
    package static let sRGB = toXYZ([(0.640, 0.330), (0.300, 0.600), (0.150, 0.060)])
    /// BT.2020.
    package static let wide = toXYZ([(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)])
    /// XYZ with the white of D50, as in profiles, to that of D65 (Bradford).
    package static let fromD50 = LightMatrix(
        [1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436, 0.7521316]
    ).inverse
    package static let same = LightMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

    /// The luminance of each primary, for a matrix that leads to XYZ.
    package var luminance: [Double] { Array(numbers[3..<6]) }

    /// First `other`, then this one.
    package func after(_ other: LightMatrix) -> LightMatrix {
        LightMatrix(
            (0..<9).map { place in
                let (row, column) = (place / 3 * 3, place % 3)
                return (0..<3).map { numbers[row + $0] * other.numbers[3 * $0 + column] }.reduce(0, +)
            })
    }

    package func scaled(by factor: Double) -> LightMatrix { LightMatrix(numbers.map { $0 * factor }) }

    /// Nil: there is none.
    package var checkedInverse: LightMatrix? {
        let m = numbers
        let cofactors = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
        return abs(determinant) < 1e-9 ? nil : LightMatrix(cofactors.map { $0 / determinant })
    }

    /// Of primaries that span a triangle.
    package var inverse: LightMatrix { checkedInverse ?? .same }

    /// SMPTE RP 177, with the white of D65.
    private static func toXYZ(_ places: [(x: Double, y: Double)]) -> LightMatrix {
        let columns = places.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let white = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
        let matrix = LightMatrix((0..<9).map { columns[$0 % 3][$0 / 3] })
        let inverse = matrix.inverse.numbers
        let scales = (0..<3).map { row in (0..<3).map { inverse[3 * row + $0] * white[$0] }.reduce(0, +) }
        return LightMatrix((0..<9).map { matrix.numbers[$0] * scales[$0 % 3] })
    }
}
