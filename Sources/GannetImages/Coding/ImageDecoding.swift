public import GannetCore
import GannetKernels

/// Decodes bytes for display: sniff, open, check limits, decode, convert colours, scale, crop, rotate.
///
/// Blocking: call it on `BlockingExecutor.decoding`. A value; every decode makes its own session.
public struct ImageDecoding: Sendable {
    /// Chosen by content, the last one added first.
    public var coders: CodersManager
    /// Limits, memory, colour management and threads of every decode.
    public var environment: DecodeEnvironment

    /// Defaults: standard limits, the shared pool, no colour management, one thread for each library.
    public init(coders: CodersManager, environment: DecodeEnvironment = DecodeEnvironment()) {
        self.coders = coders
        self.environment = environment
    }

    /// Reads the file's header; decodes no pixel.
    ///
    /// Throws `empty`, `notAnImage`, `truncated`, `corrupt`, `unsupported` or `limitExceeded`.
    public func header(of bytes: ByteRope, options: ResolvedDecodeOptions = ResolvedDecodeOptions()) throws(ImageError)
        -> ImageHeader
    {
        try open(bytes, options).header
    }

    /// Decodes an image. `bytes` must be complete.
    public func decode(
        _ bytes: ByteRope, options: ResolvedDecodeOptions = ResolvedDecodeOptions()
    ) throws(ImageError) -> DecodedImage {
        let session = try open(bytes, options)
        guard let reservation = try environment.budget.reserve(session.neededBytes) else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "Other decodes hold all of the decode budget of \(environment.budget.capacity) bytes; decode through the manager to wait for it."
            )
        }
        defer { withExtendedLifetime(reservation) {} }
        return try session.decode()
    }

    /// Opens a session whose header is known and within the limits.
    package func open(_ bytes: ByteRope, _ options: ResolvedDecodeOptions) throws(ImageError) -> DecodeSession {
        guard !bytes.isEmpty else {
            throw ImageError(.empty, stage: .decode, "There are no bytes to decode; the file or the answer is empty.")
        }
        var environment = environment
        environment.limits = options.limits
        try options.limits.check(encodedBytes: bytes.count)
        let (coder, format) = try coder(for: bytes, options)
        try coders.checkReadable(format)
        let decoder = try environment.places.coder(coder, for: format, options.isolation)
            .makeDecoder(for: format, options: options, environment: environment)
        _ = try decoder.read(from: bytes)
        guard let header = decoder.header, let layout = decoder.outputLayout else {
            throw ImageError(.truncated, stage: .decode, "The \(format) file ends before its header does; load it again.")
        }
        let session = DecodeSession(
            decoder: decoder, header: header, layout: layout, options: options, environment: environment, bytes: bytes,
            coder: coder,
            format: format)
        try session.check()
        return session
    }

    private func coder(
        for bytes: ByteRope, _ options: ResolvedDecodeOptions
    ) throws(ImageError) -> (any ImageCoder, ImageFormat) {
        if let coder = options.coder {
            let recognised: ImageFormat? =
                if case .yes(let format) = coder.recognizes(bytes.prefix(4096).span) { format } else { nil }
            guard let format = recognised ?? options.formatHint ?? coder.formats.first else {
                throw ImageError(.misuse, stage: .decode, "The coder \(coder.identifier) names no format; give it at least one.")
            }
            return (coder, format)
        }
        var complete = bytes
        complete.isComplete = true
        guard case .found(let coder, let format) = coders.match(complete, hint: options.formatHint) else {
            throw ImageError(.notAnImage, stage: .decode, ForeignFormat.message(bytes, formats: coders.formats))
        }
        return (coder, format)
    }
}
