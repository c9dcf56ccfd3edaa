import CGannetKernels
package import GannetCore
import Glibc

/// The colours of an image whose light a gain map multiplies: how each byte becomes light, and to which primaries it belongs.
package struct BaseColors: Sendable {
    /// By the byte, for red, green and blue; white is 1.
    package let light: [[Float]]
    /// To XYZ with the white of D65.
    package let toXYZ: LightMatrix

    package init(light: [[Float]], toXYZ: LightMatrix) {
        precondition(light.count == 3 && light.allSatisfy { $0.count == 256 }, "256 entries for each channel")
        (self.light, self.toXYZ) = (light, toXYZ)
    }

    package static let sRGB = BaseColors(light: curveOfSRGB, toXYZ: .sRGB)

    /// P3 and BT.2020 with the curve of sRGB, or with one that is shown by it. Nil: others, and sRGB itself.
    package init?(_ points: CICP) {
        guard points.primaries == 9 || points.primaries == 12, [1, 6, 13, 14, 15].contains(points.transfer),
            let matrix = LightMatrix(primaries: points.primaries)
        else { return nil }
        self.init(light: Self.curveOfSRGB, toXYZ: matrix)
    }

    private static let curveOfSRGB: [[Float]] = .init(
        repeating: (0..<256).map { Float(TransferCurve.linear(Double($0) / 255)) }, count: 3)
}

/// `bitmap` (8 bits, opaque) in high range: its light multiplied by what the samples of `map` stand for (ISO 21496-1), which are
/// interpolated between the map's pixels. A map lies over the whole bitmap, and has any size; nil: only the numbers change.
///
/// - Parameters:
///   - ratioColors: to XYZ, of the primaries that the ratios are for; nil: those of `colors`.
///   - headroom: how much of the map applies.
package func brightened(
    _ bitmap: Bitmap, _ colors: BaseColors, by map: Bitmap?, _ metadata: GainMapMetadata, ratioColors: LightMatrix? = nil,
    headroom: Double, pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    precondition(bitmap.layout.format == .rgba8 && bitmap.layout.alpha == .opaque, "8-bit opaque pixels only")
    let weight = map == nil ? 0 : metadata.weight(headroom: headroom)
    let between = ratioColors ?? colors.toXYZ
    var gain = gannet_gain()
    gain.setMatrices(
        before: between.inverse.after(colors.toXYZ),
        after: LightMatrix.wide.inverse.after(between).scaled(by: DynamicRange.white / PQ.peak))
    var layout = PixelLayout(size: bitmap.size, format: .rgba16, alpha: .opaque)
    // A weight of 1 shows all light of the map, less shows what the display has room for.
    layout.dynamicRange = .high(headroom: weight == 0 ? 1 : min(headroom, metadata.headroom))
    // One flat sample where there is no map.
    let samples = if let map { map } else { try flatSample(pool) }
    return try applied(
        gain, to: bitmap, light: colors.light, by: samples, metadata, weight: weight, signal: LightTable.pq, as: layout, pool)
}

/// The alternate rendition of an image whose base is the brighter one (ISO 21496-1): `bitmap` (PQ of BT.2020, opaque), of whose light there is
/// as much less as the samples of `map` say. In sRGB with 16 bits. What would be brighter than white, or more saturated than sRGB, loses
/// saturation.
///
/// - Parameter ratioColors: to XYZ, of the primaries that the ratios are for.
package func alternate(
    of bitmap: Bitmap, by map: Bitmap, _ metadata: GainMapMetadata, ratioColors: LightMatrix, pool: PixelPool = .shared
) throws(ImageError) -> Bitmap {
    precondition(bitmap.layout.format == .rgba16 && bitmap.layout.alpha == .opaque, "16-bit opaque pixels only")
    var gain = gannet_gain()
    gain.to_standard = true
    gain.setMatrices(
        before: ratioColors.inverse.after(.wide), after: LightMatrix.sRGB.inverse.after(ratioColors))
    withUnsafeMutableBytes(of: &gain.gray) { $0.copyBytes(from: LightTable.floats(LightMatrix.sRGB.luminance)) }
    let light = LightTable.make { PQ.light(of: $0) / DynamicRange.white }
    return try applied(
        gain, to: bitmap, light: [light, light, light], by: map, metadata, weight: metadata.weight(headroom: 1),
        signal: LightTable.make { ToneMap.sRGB($0 * $0) }, as: PixelLayout(size: bitmap.size, format: .rgba16, alpha: .opaque),
        pool)
}

extension gannet_gain {
    fileprivate mutating func setMatrices(before: LightMatrix, after: LightMatrix) {
        withUnsafeMutableBytes(of: &self.before) { $0.copyBytes(from: LightTable.floats(before.numbers)) }
        withUnsafeMutableBytes(of: &self.after) { $0.copyBytes(from: LightTable.floats(after.numbers)) }
    }
}

private func applied(
    _ gain: gannet_gain, to bitmap: Bitmap, light: [[Float]], by map: Bitmap, _ metadata: GainMapMetadata, weight: Double,
    signal: [Float], as layout: PixelLayout, _ pool: PixelPool
) throws(ImageError) -> Bitmap {
    var gain = gain
    let ratios = metadata.channels.map { channel in
        LightTable.make { exp2((pow($0, 1 / channel.gamma) * (channel.maximum - channel.minimum) + channel.minimum) * weight) }
    }
    // The offsets of a base that is shown as it is cancel out.
    let offsets = metadata.channels.map { channel in
        weight == 0 ? (0, 0) : (channel.baseOffset, channel.alternateOffset)
    }
    withUnsafeMutableBytes(of: &gain.base_offset) { $0.copyBytes(from: LightTable.floats(offsets.map { $0.0 })) }
    withUnsafeMutableBytes(of: &gain.alternate_offset) { $0.copyBytes(from: LightTable.floats(offsets.map { $0.1 })) }
    var buffer = try PixelBuffer(layout, pool: pool)
    // The tables outlive the calls, and C keeps none of them.
    try withTables(light + ratios + [signal]) { (tables) throws(ImageError) in
        gain.light = (tables[0], tables[1], tables[2])
        gain.ratio = (tables[3], tables[4], tables[5])
        gain.signal = tables[6]
        try write(gain, of: bitmap, map, into: &buffer)
    }
    return buffer.freeze()
}

private func write(
    _ gain: gannet_gain, of bitmap: Bitmap, _ map: Bitmap, into buffer: inout PixelBuffer
) throws(ImageError) {
    var gain = gain
    try bitmap.eachBand { (rows, source, stride) throws(ImageError) in
        buffer.withUnsafeRows { target, targetStride in
            map.withUnsafeRows { samples, mapStride in
                for y in rows {
                    (target + y * targetStride).withMemoryRebound(to: UInt16.self, capacity: bitmap.width * 4) {
                        gannet_gain_row(
                            &gain, $0, source + y * stride, bitmap.width, bitmap.height, y, samples, mapStride, map.width,
                            map.height)
                    }
                }
            }
        }
    }
}

private func flatSample(_ pool: PixelPool) throws(ImageError) -> Bitmap {
    var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1, 1), alpha: .opaque), pool: pool)
    buffer.fill(0)
    return buffer.freeze()
}
