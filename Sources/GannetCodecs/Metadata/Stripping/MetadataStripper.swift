public import GannetCore

/// Takes what a picture says beside its pixels out of encoded bytes: EXIF with places (GPS), cameras and times, XMP, IPTC, comments,
/// embedded thumbnails, and whatever stands behind the end (BMP and QOI, which have no place for the others, are left as they are). // S3-22
///
/// Pixels are not decoded and stay what they are, bit by bit; so do the colour profile, animation and the orientation (as an EXIF
/// block of that one number). Only what is known to be harmless is kept.
public enum MetadataStripper {
    /// What became of a file.
    public enum Outcome: Hashable, Sendable {
        /// There was nothing to take away.
        case clean
        /// The whole file without what it said; never equal to what came in.
        case stripped([UInt8])
        /// Another format than JPEG, PNG, WebP, GIF, BMP and QOI, or a file whose structure is damaged: nothing is known of what it says.
        case unknown
    }

    /// Cost: one pass over the structure, not the pixels (JPEG: one pass over all bytes), and a copy.
    public static func strip(_ bytes: [UInt8]) -> Outcome {
        let result: [UInt8]? =
            switch true {
            case bytes.starts(with: [0xFF, 0xD8, 0xFF]): JPEGStripping.strip(bytes)
            case bytes.starts(with: PNGStripping.signature): PNGStripping.strip(bytes)
            case bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)):
                WebPStripping.strip(bytes)
            case bytes.starts(with: Array("GIF87a".utf8)), bytes.starts(with: Array("GIF89a".utf8)): GIFStripping.strip(bytes)
            // They have no place for such things, and where they end only decoding tells.
            case bytes.starts(with: Array("BM".utf8)), bytes.starts(with: Array("qoif".utf8)): bytes
            default: nil
            }
        guard let result else { return .unknown }
        return result == bytes ? .clean : .stripped(result)
    }
}

extension EncodedImage {
    /// The same picture without EXIF, XMP, IPTC and comments; nil if the format is not known well enough (see ``MetadataStripper``).
    public func withoutMetadata() -> EncodedImage? {
        switch MetadataStripper.strip(bytes.contiguous()) {
        case .clean: return self
        case .unknown: return nil
        case .stripped(let stripped):
            var image = self
            image.bytes = ByteRope(stripped)
            return image
        }
    }
}
