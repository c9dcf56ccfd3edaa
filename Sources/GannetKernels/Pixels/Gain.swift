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
    let (before, after) = (between.inverse.after(colors.toXYZ), LightMatrix.wide.inverse.after(between))
    let ratios = metadata.channels.map { channel in
        LightTable.make { exp2((pow($0, 1 / channel.gamma) * (channel.maximum - channel.minimum) + channel.minimum) * weight) }
    }
    var gain = gannet_gain()
    withUnsafeMutableBytes(of: &gain.before) { $0.copyBytes(from: LightTable.floats(before.numbers)) }
    withUnsafeMutableBytes(of: &gain.after) {
        $0.copyBytes(from: LightTable.floats(after.scaled(by: DynamicRange.white / PQ.peak).numbers))
    }
    // The offsets of a base that is shown as it is cancel out.
    let offsets = metadata.channels.map { channel in
        weight == 0 ? (0, 0) : (channel.baseOffset, channel.alternateOffset)
    }
    withUnsafeMutableBytes(of: &gain.base_offset) { $0.copyBytes(from: LightTable.floats(offsets.map { $0.0 })) }
    withUnsafeMutableBytes(of: &gain.alternate_offset) { $0.copyBytes(from: LightTable.floats(offsets.map { $0.1 })) }
    var layout = PixelLayout(size: bitmap.size, format: .rgba16, alpha: .opaque)
    // A weight of 1 shows all light of the map, less shows what the display has room for.
    layout.dynamicRange = .high(headroom: weight == 0 ? 1 : min(headroom, metadata.headroom))
    var buffer = try PixelBuffer(layout, pool: pool)
    // One flat sample where there is no map.
    let samples = if let map { map } else { try flatSample(pool) }
    // The tables outlive the calls, and C keeps none of them.
    try withTables(colors.light) { (light) throws(ImageError) in
        try withTables(ratios) { (ratio) throws(ImageError) in
            try withTables([LightTable.pq]) { (signal) throws(ImageError) in
                gain.light = (light[0], light[1], light[2])
                gain.ratio = (ratio[0], ratio[1], ratio[2])
                gain.signal = signal[0]
                try write(gain, of: bitmap, samples, into: &buffer)
            }
        }
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
