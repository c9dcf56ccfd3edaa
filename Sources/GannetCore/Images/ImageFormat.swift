/// An image file format. Open: plug-in coders add their own with ``init(identifier:mimeTypes:fileExtensions:)``.
public struct ImageFormat: Sendable {
    /// Lower case, unique, stable; printed by `--json` and stored by the disk cache.
    public let identifier: String
    /// The most common type first.
    public let mimeTypes: [String]
    /// Extensions without a dot, the most common one first.
    public let fileExtensions: [String]

    /// Values are not normalised: pass identifier and extensions in lower case, extensions without a dot.
    public init(identifier: String, mimeTypes: [String], fileExtensions: [String]) {
        self.identifier = identifier
        self.mimeTypes = mimeTypes
        self.fileExtensions = fileExtensions
    }

    /// ISO/IEC 10918 (ITU-T T.81).
    public static let jpeg = ImageFormat(
        identifier: "jpeg", mimeTypes: ["image/jpeg", "image/jpg"], fileExtensions: ["jpg", "jpeg", "jpe", "jfif"])
    /// Animations (APNG) included.
    public static let png = ImageFormat(
        identifier: "png", mimeTypes: ["image/png", "image/apng"], fileExtensions: ["png", "apng"])
    /// Animations included.
    public static let gif = ImageFormat(identifier: "gif", mimeTypes: ["image/gif"], fileExtensions: ["gif"])
    /// Lossy and lossless, animations included.
    public static let webp = ImageFormat(identifier: "webp", mimeTypes: ["image/webp"], fileExtensions: ["webp"])
    /// Stills and sequences.
    public static let avif = ImageFormat(identifier: "avif", mimeTypes: ["image/avif"], fileExtensions: ["avif", "avifs"])
    /// HEIC and other HEIF files. Stills only: the primary image of collections and sequences.
    public static let heic = ImageFormat(
        identifier: "heic", mimeTypes: ["image/heic", "image/heif"], fileExtensions: ["heic", "heif", "hif"])
    /// JPEG XL, bare or in a container, animations included.
    public static let jxl = ImageFormat(identifier: "jxl", mimeTypes: ["image/jxl"], fileExtensions: ["jxl"])
    /// Also BigTIFF. A file may have many pages, see ``ImageHeader/pageCount``.
    public static let tiff = ImageFormat(identifier: "tiff", mimeTypes: ["image/tiff"], fileExtensions: ["tif", "tiff"])
    /// Vector images; `svgz` is compressed with gzip. Never written.
    public static let svg = ImageFormat(identifier: "svg", mimeTypes: ["image/svg+xml"], fileExtensions: ["svg", "svgz"])
    /// Bitmaps of Windows and OS/2.
    public static let bmp = ImageFormat(
        identifier: "bmp", mimeTypes: ["image/bmp", "image/x-ms-bmp"], fileExtensions: ["bmp", "dib"])
    /// Icons and cursors of Windows. A file may hold one image in several sizes.
    public static let ico = ImageFormat(
        identifier: "ico", mimeTypes: ["image/x-icon", "image/vnd.microsoft.icon"], fileExtensions: ["ico", "cur"])
    /// The "Quite OK Image Format": lossless, 8 bits a channel.
    public static let qoi = ImageFormat(identifier: "qoi", mimeTypes: ["image/qoi"], fileExtensions: ["qoi"])
    /// The Netpbm family: PBM, PGM, PPM and PAM.
    public static let pnm = ImageFormat(
        identifier: "pnm", mimeTypes: ["image/x-portable-anymap", "image/x-portable-pixmap", "image/x-portable-graymap"],
        fileExtensions: ["pnm", "ppm", "pgm", "pbm", "pam"])
    /// Light itself, with a shared exponent (RGBE). Never written.
    public static let radiance = ImageFormat(
        identifier: "radiance", mimeTypes: ["image/vnd.radiance"], fileExtensions: ["hdr", "rgbe", "xyze"])
    /// Light itself, in floating-point numbers. Never written.
    public static let pfm = ImageFormat(identifier: "pfm", mimeTypes: ["image/x-portable-floatmap"], fileExtensions: ["pfm"])

    /// The formats above, whether or not this build can decode them, which depends on its traits. Video formats are not included.
    public static let builtIn: [ImageFormat] = [
        .jpeg, .png, .gif, .webp, .avif, .heic, .jxl, .tiff, .svg, .bmp, .ico, .qoi, .pnm, .radiance, .pfm,
    ]

    /// The built-in format with this identifier, file extension or MIME type, ignoring case.
    public static func named(_ name: String) -> ImageFormat? {
        let name = name.lowercased()
        return builtIn.first { $0.identifier == name || $0.fileExtensions.contains(name) || $0.mimeTypes.contains(name) }
    }
}

extension ImageFormat: Hashable {
    public static func == (left: ImageFormat, right: ImageFormat) -> Bool { left.identifier == right.identifier }
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension ImageFormat: CustomStringConvertible {
    public var description: String { identifier }
}
