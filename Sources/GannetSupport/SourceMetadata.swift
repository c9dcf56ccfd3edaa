package import GannetCodecs
package import GannetCore
package import GannetImages

/// EXIF and XMP of a file, for an image that is made of it.
package enum SourceMetadata {
    /// The formats that metadata can be written into.
    package static let formats = EmbeddedMetadata.writtenFormats

    /// Reads the file's header with the coder of its format; a file that ends early may have metadata too. Nil if no coder knows
    /// it. `rightsOnly`: who made the image, and whose it is, and nothing else. Blocking; throws what the coder throws for a damaged header.
    package static func read(
        from bytes: ByteRope, coders: CodersManager, places: DecodePlaces, limits: DecodeLimits, rightsOnly: Bool = false
    ) throws(ImageError) -> EmbeddedMetadata? {
        guard case .found(let coder, let format) = coders.match(bytes) else { return nil }
        var options = DecodeOptions()
        options.limits = limits
        options.allowsPartial = true
        var environment = DecodeEnvironment(limits: limits)
        environment.places = places
        let decoder = try places.coder(coder, for: format, nil).makeDecoder(
            for: format, options: ResolvedDecodeOptions(options), environment: environment)
        _ = try decoder.read(from: bytes)
        let metadata = EmbeddedMetadata(of: bytes.contiguous(), exif: decoder.exif)
        return rightsOnly ? metadata.copyright : metadata
    }

    /// A file that shows the thumbnail inside of this HEIC, AVIF or raw file; nil if there is none. O(n).
    package static func thumbnail(in bytes: ByteRope) -> ByteRope? {
        EmbeddedThumbnail.promoted(in: bytes.contiguous()).map { ByteRope($0) }
    }

    /// Encodes the image, and adds what is in `metadata`, corrected for the image as it is now. `maximumFileSize` is that of both.
    /// Blocking; throws what the encoder and ``EmbeddedMetadata/added(to:)`` throw.
    package static func encode(
        _ image: DecodedImage, with metadata: EmbeddedMetadata?, coders: CodersManager, options: EncodeOptions
    ) throws(ImageError) -> EncodedImage {
        var encoding = options
        if let metadata { encoding.maximumFileSize = options.maximumFileSize.map { max($0 - metadata.addedBytes, 1) } }
        var encoded = try ImageEncoding(coders: coders).encode(image, options: encoding)
        guard let metadata, !metadata.isEmpty else { return encoded }
        // A limit on the file size makes images smaller.
        let size = size(of: encoded.bytes, coders: coders) ?? image.bitmap.size
        encoded.bytes = ByteRope(try metadata.describing(size: size).added(to: encoded.bytes.contiguous()))
        return encoded
    }

    private static func size(of bytes: ByteRope, coders: CodersManager) -> PixelSize? {
        do throws(ImageError) { return try ImageDecoding(coders: coders).header(of: bytes).size } catch { return nil }
    }
}
