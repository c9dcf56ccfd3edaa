public import FoundationEssentials
import GannetCodecs
public import GannetCore
import GannetImages
import GannetPlatform

// Writes results to bytes and files with the coders of this build. Blocking: for large images do not call them on the UI's
// thread.

extension DecodedImage {
    /// Throws `unsupported` if this build cannot write the format, and `encodeFailed`.
    public func encoded(_ options: EncodeOptions = EncodeOptions()) throws(ImageError) -> [UInt8] {
        try ImageEncoding(coders: CodersManager(BuiltInCoders.all)).encode(self, options: options).bytes.contiguous()
    }

    /// All frames of an animation (APNG). Throws `encodeFailed`, and `unsupported` in a build without PNG. - SDWebImage:
    /// sd_imageData - Kingfisher: pngRepresentation()
    public func pngData() throws(ImageError) -> Data { Data(try encoded(EncodeOptions(format: .png))) }

    /// `quality` 0 … 100.
    public func jpegData(quality: Int = 85) throws(ImageError) -> Data {
        Data(try encoded(EncodeOptions(format: .jpeg, quality: quality)))
    }

    /// Writes the file in the format of the path's extension, unless `options` names one. Writes under a temporary name and
    /// renames, so that no program sees half a file. A replaced file keeps its mode, links are followed, and devices and pipes
    /// are written to. Throws `misuse` for an extension that is not a format, and `io`.
    public func write(to path: String, options: EncodeOptions = EncodeOptions()) throws(ImageError) {
        var options = options
        if options.format == nil {
            let name = path.split(separator: "/").last ?? ""
            guard let dot = name.lastIndex(of: "."), let format = ImageFormat.named(String(name[name.index(after: dot)...]))
            else {
                throw ImageError(
                    .misuse, stage: .encode, "\(path) has no extension of an image format; name a format, or end it in .png.")
            }
            options.format = format
        }
        let bytes = try encoded(options)
        try WholeFile.write([bytes], to: path)
    }
}

extension LoadedImage {
    /// As `DecodedImage.pngData()`.
    public func pngData() throws(ImageError) -> Data { try image.pngData() }
    /// As `DecodedImage.jpegData(quality:)`: `quality` 0 … 100.
    public func jpegData(quality: Int = 85) throws(ImageError) -> Data { try image.jpegData(quality: quality) }
    /// As `DecodedImage.write(to:options:)`: in the format of the path's extension. Throws `misuse` and `io`, too.
    public func write(to path: String, options: EncodeOptions = EncodeOptions()) throws(ImageError) {
        try image.write(to: path, options: options)
    }
}
