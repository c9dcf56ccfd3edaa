package import GannetCore
import GannetKernels

/// Converts decoded pixels in place, whatever their alpha; light brighter than white is mapped to it. Without a conversion for these
/// colours they stay as they are; also if a profile cannot be read, as in browsers.
package func convertToSRGB(
    _ buffer: inout PixelBuffer, from colorSpace: ColorSpace, with manager: any ColorManager, _ toneMapping: ToneMapping = .bt2390
) throws(ImageError) {
    if colorSpace.hasNarrowRange { try makeFullRange(&buffer) }
    // A profile goes first.
    if colorSpace.iccProfile.isEmpty, let map = ToneMap(colorSpace, by: toneMapping) {
        return try map.apply(&buffer, to: .standard)
    }
    let isPremultiplied = buffer.layout.alpha == .premultiplied
    do throws(ImageError) {
        guard let converter = try manager.converter(from: colorSpace, format: buffer.layout.format) else { return }
        if isPremultiplied { unpremultiply(&buffer) }
        try converter.convert(&buffer)
    } catch {
        // A cancelled conversion may have processed only some rows.
        if error.code == .cancelled { throw error }
    }
    if isPremultiplied, buffer.layout.alpha == .straight { premultiply(&buffer) }
}
