/// A coder whose decoders may be ``RegionDecoder``s.
package protocol RegionCoder: ImageCoder {}

/// A decoder that can decode ``ResolvedDecodeOptions/region`` without the rest of the image.
///
/// Other decoders are never told of a region: it is cut out of their pixels.
package protocol RegionDecoder: ImageDecoder {
    /// Whether ``ImageDecoder/outputLayout`` and the pixels are those of the region alone. False without a region, before the header is
    /// known, and for files that are decoded as a whole; another decoder is then asked for the whole.
    var decodesRegion: Bool { get }
}
