import GannetCore
import GannetKernels
import Glibc
import Testing

@testable import GannetImages

/// Profiles of curves and a matrix, read for the light of an image with a gain map. CX-15
@Suite struct MatrixProfileTests {
    /// The primaries of sRGB under the white of D50.
    private func profile(_ curve: [UInt8], others: [(String, [UInt8])] = []) -> [UInt8] {
        ICCProfileWriter(
            space: "RGB ",
            tags: [
                ("rXYZ", ICCProfileWriter.xyz(0.43607, 0.22249, 0.01392)),
                ("gXYZ", ICCProfileWriter.xyz(0.38515, 0.71687, 0.09708)),
                ("bXYZ", ICCProfileWriter.xyz(0.14307, 0.06061, 0.71410)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
            ] + others
        ).bytes
    }

    private func fixed(_ value: Double) -> [UInt8] {
        let number = Int32((value * 65_536).rounded())
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private func formula(_ kind: UInt8, _ numbers: [Double]) -> [UInt8] {
        Array("para".utf8) + [0, 0, 0, 0, 0, kind, 0, 0] + numbers.flatMap(fixed)
    }

    @Test func theMatrixIsThatOfItsPrimaries() throws {
        let profile = try #require(MatrixProfile(profile(ICCProfileWriter.sRGBCurve)))
        #expect(profile.hasPrimariesOfSRGB)
        #expect(zip(profile.toXYZ.numbers, LightMatrix.sRGB.numbers).allSatisfy { abs($0 - $1) < 0.0005 })
        // BT.2087-0, equation 1.
        let wide = LightMatrix.wide.inverse.after(profile.toXYZ).numbers
        #expect(zip(wide, HighRangeLight.fromBT709).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test func curvesAreThoseOfTheirKind() throws {
        func light(_ curve: [UInt8]) throws -> [Float] { try #require(MatrixProfile(profile(curve))).colors.light[1] }
        func expect(_ curve: [UInt8], _ wanted: (Double) -> Double, _ comment: Comment) throws {
            let found = try light(curve)
            #expect((0..<256).allSatisfy { abs(Double(found[$0]) - wanted(Double($0) / 255)) < 0.0005 }, comment)
        }
        try expect(ICCProfileWriter.sRGBCurve, HighRangeLight.sRGB, "table")
        try expect(ICCProfileWriter.curve(2.2), { pow($0, 563.0 / 256) }, "power")
        try expect(Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 0], { $0 }, "none")
        try expect(formula(0, [1.8]), { pow($0, 1.8) }, "0")
        try expect(formula(1, [2, 0.5, 0.5]), { pow(0.5 * $0 + 0.5, 2) }, "1")
        try expect(formula(2, [2, 0.9, 0.05, 0.01]), { pow(0.9 * $0 + 0.05, 2) + 0.01 }, "2")
        try expect(formula(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]), HighRangeLight.sRGB, "3")
        try expect(
            formula(4, [2, 0.9, 0.05, 0.5, 0.1, 0.02, 0.01]), { $0 >= 0.1 ? pow(0.9 * $0 + 0.05, 2) + 0.02 : 0.5 * $0 + 0.01 },
            "4")
    }

    @Test func otherKindsAreNone() {
        let curve = ICCProfileWriter.sRGBCurve
        #expect(MatrixProfile(profile(curve, others: [("A2B0", [1, 2, 3, 4])])) == nil, "tables go first")
        #expect(MatrixProfile(ICCProfileWriter(space: "GRAY", tags: [("kTRC", curve)]).bytes) == nil)
        #expect(MatrixProfile(profile(formula(5, [1]))) == nil && MatrixProfile(profile(Array("mpet".utf8))) == nil)
        #expect(MatrixProfile([]) == nil)
    }

    /// Whatever is damaged: a matrix with finite curves, or none.
    @Test func damageIsSurvived() {
        for whole in [profile(ICCProfileWriter.curve(2.2)), profile(formula(3, [2.4, 0.9, 0.1, 0.08, 0.04]))] {
            for count in whole.indices { _ = MatrixProfile(Array(whole.prefix(count))) }
            for index in whole.indices {
                for value in [0, 0x7F, 0xFF] as [UInt8] {
                    var bytes = whole
                    bytes[index] = value
                    guard let found = MatrixProfile(bytes) else { continue }
                    let light = found.colors.light.joined()
                    #expect(light.allSatisfy { (0...1).contains($0) } && found.toXYZ.inverse.numbers.allSatisfy { $0.isFinite })
                }
            }
        }
    }
}
