public import GannetCore

/// Removes metadata from encoded bytes: EXIF with places (GPS), cameras and times, XMP, IPTC, comments, embedded thumbnails,
/// and anything after the end. (BMP and QOI cannot hold the former and are left unchanged.)
///
/// Pixels are not decoded and stay identical, bit by bit. The colour profile, animation and orientation (as an EXIF block of
/// one number) stay, too. Only what is known to be harmless is kept.
package enum MetadataStripper {
    /// The result for a file.
    package enum Outcome: Hashable, Sendable {
        /// There was nothing to remove.
        case clean
        /// The whole file without metadata; never equal to the input.
        case stripped([UInt8])
        /// Not JPEG, PNG, WebP, GIF, BMP or QOI, or a damaged structure: the metadata is unknown.
        case unknown
    }

    /// Cost: one pass over the structure, not the pixels (JPEG: one pass over all bytes), and a copy.
    package static func strip(_ bytes: [UInt8]) -> Outcome {
        let result: [UInt8]? =
            switch true {
            case bytes.starts(with: [0xFF, 0xD8, 0xFF]): JPEGStripping.strip(bytes)
            case bytes.starts(with: PNGStripping.signature): PNGStripping.strip(bytes)
            case bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)):
                WebPStripping.strip(bytes)
            case bytes.starts(with: Array("GIF87a".utf8)), bytes.starts(with: Array("GIF89a".utf8)): GIFStripping.strip(bytes)
            // These formats have no place for metadata, and only decoding finds their end.
            case bytes.starts(with: Array("BM".utf8)), bytes.starts(with: Array("qoif".utf8)): bytes
            default: nil
            }
        guard let result else { return .unknown }
        return result == bytes ? .clean : .stripped(result)
    }
}

extension EncodedImage {
    /// The same image without EXIF, places (GPS), XMP, IPTC, comments, embedded thumbnails, and anything after the end. Pixels
    /// are not decoded and stay identical; so do the colour profile, the animation and the orientation. Nil: neither JPEG, PNG,
    /// WebP, GIF, BMP nor QOI, or a damaged structure.
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
