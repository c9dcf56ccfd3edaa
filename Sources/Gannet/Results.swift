public import FoundationEssentials
import GannetCodecs
public import GannetCore
import GannetImages
import GannetPlatform

// Writes results to bytes and files with the coders of this build.

extension DecodedImage {
    /// The image as a file. Encodes on a thread for decoding; the caller's thread stays free. ``ImageManager/encoded(_:_:)`` waits in
    /// the line of a manager besides.
    ///
    /// `coders`: those of a manager, for example: `manager.configuration.coders`. Nil: those of the build, so that no setting of another
    /// part of the program decides.
    ///
    /// Throws `unsupported` if no coder writes the format, `encodeFailed`, and `cancelled` if the caller's task is cancelled before
    /// the work begins.
    public func encoded(
        _ options: EncodeOptions = EncodeOptions(), coders: CodersManager? = nil
    ) async throws(ImageError) -> EncodedImage {
        try await offThread(.decoding) { () throws(ImageError) in try blockingEncoded(options, coders: coders) }
    }

    /// The same on this thread: **blocks** until it is encoded, up to seconds for a large image. For code that is not async, off
    /// the thread of a user interface.
    public func blockingEncoded(
        _ options: EncodeOptions = EncodeOptions(), coders: CodersManager? = nil
    ) throws(ImageError) -> EncodedImage {
        try ImageEncoding(coders: coders ?? CodersManager(BuiltInCoders.all)).encode(self, options: options)
    }

    /// All frames of an animation (APNG). Throws as ``encoded(_:coders:)``. - SDWebImage: sd_imageData - Kingfisher:
    /// pngRepresentation()
    public func pngData() async throws(ImageError) -> Data { Data(try await encoded(EncodeOptions(format: .png)).bytes) }

    /// `quality` 0 … 100. Throws as ``encoded(_:coders:)``. - Kingfisher: jpegRepresentation(compressionQuality:)
    public func jpegData(quality: Int = 85) async throws(ImageError) -> Data {
        Data(try await encoded(EncodeOptions(format: .jpeg, quality: quality)).bytes)
    }

    /// Writes the file in the format of the path's extension, unless `options` names one. Encodes on a thread for decoding and
    /// writes on one for files; the caller's thread stays free.
    ///
    /// Writes under a temporary name and renames, so that no program sees half a file. A replaced file keeps its mode, links are
    /// followed, and devices and pipes are written to. Throws `misuse` for an extension that is not a format, `io`, and as
    /// ``encoded(_:coders:)``.
    public func write(to path: String, options: EncodeOptions = EncodeOptions()) async throws(ImageError) {
        let chunks = try await encoded(Self.options(options, for: path)).bytes.chunks
        try await offThread(.files) { () throws(ImageError) in try WholeFile.write(chunks, to: path) }
    }

    /// The same on this thread: **blocks** until the file is written.
    public func blockingWrite(to path: String, options: EncodeOptions = EncodeOptions()) throws(ImageError) {
        try WholeFile.write(try blockingEncoded(Self.options(options, for: path)).bytes.chunks, to: path)
    }

    private static func options(_ options: EncodeOptions, for path: String) throws(ImageError) -> EncodeOptions {
        guard options.format == nil else { return options }
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), let format = ImageFormat.named(String(name[name.index(after: dot)...])) else {
            throw ImageError(
                .misuse, stage: .encode, "\(path) has no extension of an image format; name a format, or end it in .png.")
        }
        var options = options
        options.format = format
        return options
    }
}

extension LoadedImage {
    /// The image as PNG; see ``DecodedImage/pngData()``.
    public func pngData() async throws(ImageError) -> Data { try await image.pngData() }
    /// The image as JPEG of this `quality`, 0 … 100; see ``DecodedImage/jpegData(quality:)``.
    public func jpegData(quality: Int = 85) async throws(ImageError) -> Data { try await image.jpegData(quality: quality) }
    /// Writes the image in the format of the path's extension; see ``DecodedImage/write(to:options:)``. Also throws `misuse` and
    /// `io`.
    public func write(to path: String, options: EncodeOptions = EncodeOptions()) async throws(ImageError) {
        try await image.write(to: path, options: options)
    }
    /// Writes the image on this thread: **blocks**. See ``DecodedImage/blockingWrite(to:options:)``.
    public func blockingWrite(to path: String, options: EncodeOptions = EncodeOptions()) throws(ImageError) {
        try image.blockingWrite(to: path, options: options)
    }
}

extension AnimatedImage {
    /// Frame `index`, 0 ..< ``frameCount``, at the full size of the animation. Decodes on a thread for decoding, if it is not in
    /// memory. Frames before it may have to be decoded first, so the frames of a whole animation are best taken in order.
    ///
    /// Throws `misuse` if there is no such frame, the errors of its decoder, and `cancelled`. - SDWebImage:
    /// animatedImageFrame(at:)
    public func frame(at index: Int) async throws(ImageError) -> Bitmap {
        try await offThread(.decoding) { () throws(ImageError) in try self.blockingFrame(at: index) }
    }
}

/// Runs `body` on a thread of `executor`, unless the caller's task is cancelled before.
private func offThread<R: Sendable>(
    _ executor: BlockingExecutor, _ body: @Sendable @escaping () throws(ImageError) -> R
) async throws(ImageError) -> R {
    // Caught and thrown again: an error that only passes arrives on the other thread (see Documentation/Concurrency.md).
    do throws(ImageError) {
        return try await executor.run { () throws(ImageError) -> R in
            try ImageError.checkCancellation()
            return try body()
        }
    } catch { throw error }
}
