/// A coder of a format whose files may have gain maps.
package protocol GainMapReading: ImageCoder {
    /// The map of a whole file; nil: it has none that could be used. Reads no pixels. Never throws: a wrong map leaves a good image.
    func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap?
}

extension ImageFormat {
    /// Those of such coders.
    package static let withGainMaps: [ImageFormat] = [.jpeg, .avif, .heic, .jxl]
}
