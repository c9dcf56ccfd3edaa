import GannetCore

/// A guess at bytes that no coder accepts, for a helpful error. An HTML page instead of an image is the most common case,
/// followed by a format behind a package trait.
struct ForeignFormat {
    /// The phrase after "These bytes are".
    var name: String
    /// The package trait with a coder for it.
    var trait: String?

    /// Nil: unknown. Reads the first 512 bytes.
    init?(_ bytes: ByteRope) {
        let head = bytes.prefix(512)
        let found =
            Self.signatures.first { $0.stands(in: head) }.map { Self(name: $0.name, trait: $0.trait) }
            ?? Self.ofBoxes(head) ?? Self.ofText(head)
        guard let found else { return nil }
        self = found
    }

    private init(name: String, trait: String? = nil) {
        self.name = name
        self.trait = trait
    }

    private struct Signature {
        var name: String
        var trait: String?
        var offset = 0
        var bytes: [UInt8]

        init(_ name: String, trait: String? = nil, at offset: Int = 0, _ bytes: [UInt8]) {
            self.name = name
            self.trait = trait
            self.offset = offset
            self.bytes = bytes
        }

        init(_ name: String, trait: String? = nil, at offset: Int = 0, _ text: String) {
            self.init(name, trait: trait, at: offset, Array(text.utf8))
        }

        func stands(in head: [UInt8]) -> Bool { head.dropFirst(offset).starts(with: bytes) }
    }

    /// Signatures from the formats' specifications.
    private static let signatures = [
        Signature("a JPEG image", trait: "JPEG", [0xFF, 0xD8, 0xFF]),
        Signature("a PNG image", trait: "PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature("a GIF image", trait: "GIF", "GIF8"),
        Signature("a WebP image", trait: "WebP", at: 8, "WEBP"),
        Signature("a JPEG XL image", trait: "JXL", [0xFF, 0x0A]),
        Signature("a JPEG XL image", trait: "JXL", at: 4, "JXL \r\n"),
        Signature("a raw file of a camera", trait: "RAW", at: 8, "CR\u{2}\0"),
        Signature("a raw file of a camera", trait: "RAW", "FUJIFILMCCD-RAW"),
        Signature("a raw file of a camera", trait: "RAW", "IIRO"),
        Signature("a raw file of a camera", trait: "RAW", "IIRS"),
        Signature("a raw file of a camera", trait: "RAW", "MMOR"),
        Signature("a raw file of a camera", trait: "RAW", "IIU\0"),
        Signature("a TIFF image or a raw file of a camera", trait: "TIFF", [0x49, 0x49, 0x2A, 0]),
        Signature("a TIFF image or a raw file of a camera", trait: "TIFF", [0x4D, 0x4D, 0, 0x2A]),
        Signature("a BMP image", trait: "BMP", "BM"),
        Signature("an icon", trait: "ICO", [0, 0, 1, 0]),
        Signature("a cursor", trait: "ICO", [0, 0, 2, 0]),
        Signature("a QOI image", trait: "QOI", "qoif"),
        Signature("a Matroska or WebM video", trait: "Video", [0x1A, 0x45, 0xDF, 0xA3]),
        Signature("an AVI video", trait: "Video", at: 8, "AVI "),
        Signature("a JPEG 2000 image", trait: "JP2", at: 4, "jP  \r\n"),
        Signature("a JPEG 2000 image", trait: "JP2", [0xFF, 0x4F, 0xFF, 0x51]),
        Signature("a PDF document", trait: "PDF", "%PDF"),
        Signature("a PostScript document", "%!PS"),
        Signature("a Photoshop document", "8BPS"),
        Signature("a GIMP document", "gimp xcf"),
        Signature("an OpenEXR image", [0x76, 0x2F, 0x31, 0x01]),
        Signature("a Radiance HDR image", trait: "Radiance", "#?RADIANCE"),
        Signature("a Radiance HDR image", trait: "Radiance", "#?RGBE"),
        Signature("a PFM image", trait: "PFM", "PF\n"),
        Signature("a PFM image", trait: "PFM", "Pf\n"),
        Signature("a BPG image", [0x42, 0x50, 0x47, 0xFB]),
        Signature("a FLIF image", "FLIF"),
        Signature("a DDS texture", "DDS "),
        Signature("a ZIP archive", "PK\u{3}\u{4}"),
        Signature("compressed by gzip", [0x1F, 0x8B]),
    ]

    /// Formats of ISO/IEC 14496-12, by the brands in the first box.
    private static func ofBoxes(_ head: [UInt8]) -> ForeignFormat? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let brands = stride(from: 8, to: min(head.count, Int(head[3])) - 3, by: 4).map {
            String(decoding: head[$0..<$0 + 4], as: UTF8.self)
        }
        if brands.contains(where: { ["avif", "avis"].contains($0) }) {
            return ForeignFormat(name: "an AVIF image", trait: "AVIF")
        }
        let isHEIF = brands.contains { ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"].contains($0) }
        if isHEIF { return ForeignFormat(name: "a HEIC image", trait: "HEIC") }
        if brands.contains("crx ") { return ForeignFormat(name: "a raw file of a camera", trait: "RAW") }
        return ForeignFormat(name: "an MP4 or QuickTime video", trait: "Video")
    }

    private static func ofText(_ head: [UInt8]) -> ForeignFormat? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = String(decoding: head.starts(with: mark) ? head[3...] : head[...], as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace }
        // The first element decides: a page may contain drawings.
        switch firstElement(start) {
        case "html", "head": return ForeignFormat(name: "a page of HTML")
        case "svg": return ForeignFormat(name: "an SVG image", trait: "SVG")
        default: break
        }
        if start.hasPrefix("<?xml") { return ForeignFormat(name: "an XML document") }
        if start.hasPrefix("{"), ["\"fr\":", "\"ip\":", "\"op\":"].allSatisfy({ start.contains($0) }) {
            return ForeignFormat(name: "a Lottie animation", trait: "Lottie")
        }
        if start.hasPrefix("{\"") || start.hasPrefix("[{") { return ForeignFormat(name: "JSON") }
        return nil
    }

    /// Its name, without a prefix; also of a document type. Nil: there is none behind declarations and comments.
    private static func firstElement(_ text: Substring) -> Substring? {
        var rest = text
        while rest.first == "<" {
            let end: String
            if rest.hasPrefix("<!--") {
                end = "-->"
            } else if rest.hasPrefix("<?") {
                end = "?>"
            } else {
                let inside = rest.hasPrefix("<!doctype") ? rest.dropFirst(9).drop { $0.isWhitespace } : rest.dropFirst()
                return inside.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.split(separator: ":").last
            }
            guard let found = rest.firstRange(of: end) else { return nil }
            rest = rest[found.upperBound...].drop { $0.isWhitespace }
        }
        return nil
    }
}

extension ForeignFormat {
    /// The error message for bytes that no coder for `formats` accepts.
    static func message(_ bytes: ByteRope, formats: [ImageFormat]) -> String {
        let list = formats.isEmpty ? "this build reads none" : formats.map(\.identifier).joined(separator: ", ")
        guard let found = ForeignFormat(bytes) else { return "These bytes are no image in a format of this build (\(list))." }
        if let trait = found.trait {
            if formats.contains(where: { $0.identifier == (trait == "Video" ? "mp4" : trait.lowercased()) }) {
                return "These bytes begin like \(found.name), and are none that can be read: "
                    + "the header is damaged, or of another kind."
            }
            return "These bytes are \(found.name), which no coder here reads (\(list)). "
                + "Build with the package trait \(trait), or add a coder for it."
        }
        return "These bytes are \(found.name), no image in a format of this build (\(list))."
    }
}
