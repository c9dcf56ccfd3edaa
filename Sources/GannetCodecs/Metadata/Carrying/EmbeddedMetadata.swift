package import GannetCore

/// EXIF and XMP of a file, which encoders do not write, on their way into a file that was made of it.
package struct EmbeddedMetadata: Equatable, Sendable {
    /// EXIF from the TIFF header on.
    package var exif: [UInt8]?
    /// The packet, in UTF-8.
    package var xmp: [UInt8]?

    /// Formats that metadata can be added to.
    package static let writtenFormats: [ImageFormat] = [.jpeg, .png, .webp]

    /// `exif` is what the decoder of `file` found. XMP is read from JPEG, PNG and WebP files; damaged ones have none.
    package init(of file: [UInt8], exif: [UInt8]?) {
        self.exif = exif
        switch true {
        case file.starts(with: [0xFF, 0xD8, 0xFF]): xmp = JPEGMetadata.xmp(in: file)
        case file.starts(with: PNGStripping.signature): xmp = PNGMetadata.xmp(in: file)
        case WebPMetadata.isWebP(file): xmp = WebPMetadata.xmp(in: file)
        default: xmp = nil
        }
    }

    package var isEmpty: Bool { exif == nil && xmp == nil }

    /// Bytes that ``added(to:)`` may add to a file.
    package var addedBytes: Int { isEmpty ? 0 : (exif?.count ?? 0) + (xmp?.count ?? 0) + 128 }

    /// Corrects what a conversion has made wrong: the pixels are upright, `size` large and sRGB, the thumbnail may show what was cut
    /// away, and a gain map has a description of its own where it is kept.
    package func describing(size: PixelSize) -> EmbeddedMetadata {
        var result = self
        result.exif = exif.map { EXIF.describing(size: size, in: $0) }
        result.xmp = xmp.map { GainMapXMP.withoutGainMap(Self.upright($0)) }
        return result
    }

    /// `file`, a whole JPEG, PNG or WebP file without metadata, with this in it. Throws `encodeFailed` if it does not fit, and
    /// `unsupported` for other formats.
    package func added(to file: [UInt8]) throws(ImageError) -> [UInt8] {
        if isEmpty { return file }
        let result: [UInt8]? =
            switch true {
            case file.starts(with: [0xFF, 0xD8, 0xFF]): try JPEGMetadata.adding(self, to: file)
            case file.starts(with: PNGStripping.signature): PNGMetadata.adding(self, to: file)
            case WebPMetadata.isWebP(file): WebPMetadata.adding(self, to: file)
            default: nil
            }
        guard let result else {
            let names = Self.writtenFormats.map(\.identifier).joined(separator: ", ")
            throw ImageError(.unsupported, stage: .encode, "EXIF and XMP can be written into \(names) only.")
        }
        return result
    }

    /// Sets every `tiff:Orientation`, attribute or element, to 1. The length stays.
    private static func upright(_ xmp: [UInt8]) -> [UInt8] {
        var result = xmp
        let name = Array("tiff:Orientation".utf8)
        var start = 0
        while let found = result[start...].firstIndex(of: name[0]) {
            start = found + 1
            guard result[found...].starts(with: name) else { continue }
            let value = result[(found + name.count)...].prefix(4).firstIndex {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
            if let value { result[value] = UInt8(ascii: "1") }
        }
        return result
    }
}
