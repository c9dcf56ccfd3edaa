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
        let (coder, format) = try coder(for: bytes, options)
        return try open(bytes, options, coder, at: environment.places.coder(coder, for: format, options.isolation), format)
    }

    /// The same on one of Swift's own threads, which must not be held up. Nil: the image is not known to be a small one, or its decoder
    /// waits for something else than the processor; it belongs on a thread for blocking work.
    func openIfBrief(_ bytes: ByteRope, _ options: ResolvedDecodeOptions) throws(ImageError) -> DecodeSession? {
        guard bytes.count <= DecodeSession.briefBytes else { return nil }
        let (coder, format) = try coder(for: bytes, options)
        let place = try environment.places.coder(coder, for: format, options.isolation)
        if place.needsOwnThread { return nil }
        let session = try open(bytes, options, coder, at: place, format)
        return session.isBrief ? session : nil
    }

    /// Whether these bytes are decoded by waiting for something else than the processor, such as a process of the sandbox.
    func needsOwnThread(_ bytes: ByteRope, _ options: ResolvedDecodeOptions) -> Bool {
        guard let (coder, format) = try? coder(for: bytes, options) else { return false }
        return (try? environment.places.coder(coder, for: format, options.isolation))?.needsOwnThread ?? false
    }

    private func open(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ coder: any ImageCoder, at place: any ImageCoder,
        _ format: ImageFormat
    ) throws(ImageError) -> DecodeSession {
        let session = try open(bytes, options, coder, at: place, format, asking: options)
        let highRange = session.findHighRange()
        let isFiner = options.usesLinearLight && session.layout.size != session.header.size && !session.header.isVector
        guard highRange != nil || isFiner else { return session }
        // Decoders average stored numbers when they shrink.
        var own = isFiner ? options.oversampled : options
        let curve = own
        if let highRange { own.keeps16Bit = highRange.isDeep }
        if let highRange, highRange.keepsColors { own.color = .raw }
        guard case .brightBase = highRange else {
            return try open(bytes, options, coder, at: place, format, asking: own, highRange)
        }
        // A curve needs less memory than the map that the author made.
        if let authors = try? open(bytes, options, coder, at: place, format, asking: own, highRange),
            authors.neededBytes <= environment.budget.capacity
        {
            return authors
        }
        return isFiner ? try open(bytes, options, coder, at: place, format, asking: curve) : session
    }

    /// `own`: what the decoder itself is asked for.
    private func open(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ coder: any ImageCoder, at place: any ImageCoder,
        _ format: ImageFormat, asking own: ResolvedDecodeOptions, _ highRange: HighRange? = nil
    ) throws(ImageError) -> DecodeSession {
        var environment = environment
        environment.limits = options.limits
        let (decoder, decodesRegion) = try decoder(bytes, own, coder, at: place, format, environment)
        guard let header = decoder.header, let layout = decoder.outputLayout else {
            throw ImageError(.truncated, stage: .decode, "The \(format) file ends before its header does; load it again.")
        }
        let session = DecodeSession(
            decoder: decoder, header: header, layout: layout, options: options, environment: environment, bytes: bytes,
            coder: coder, format: format, decodesRegion: decodesRegion, highRange: highRange)
        try session.check()
        return session
    }

    /// A decoder that has read the bytes, and whether it decodes the region alone.
    private func decoder(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ coder: any ImageCoder, at place: any ImageCoder,
        _ format: ImageFormat, _ environment: DecodeEnvironment
    ) throws(ImageError) -> (any ImageDecoder, Bool) {
        if options.region != nil, coder is any RegionCoder {
            let decoder = try place.makeDecoder(for: format, options: options, environment: environment)
            _ = try decoder.read(from: bytes)
            if let decoder = decoder as? any RegionDecoder, decoder.decodesRegion { return (decoder, true) }
        }
        let decoder = try place.makeDecoder(for: format, options: options.withoutRegion, environment: environment)
        _ = try decoder.read(from: bytes)
        return (decoder, false)
    }

    /// The coder for bytes that are there, within the limit, and of a format that may be read.
    func coder(
        for bytes: ByteRope, _ options: ResolvedDecodeOptions
    ) throws(ImageError) -> (any ImageCoder, ImageFormat) {
        guard !bytes.isEmpty else {
            throw ImageError(.empty, stage: .decode, "There are no bytes to decode; the file or the answer is empty.")
        }
        try options.limits.check(encodedBytes: bytes.count)
        let found = try recognised(bytes, options)
        try coders.checkReadable(found.1)
        return found
    }

    private func recognised(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions
    ) throws(ImageError) -> (any ImageCoder, ImageFormat) {
        if let coder = options.coder {
            let recognised: ImageFormat? =
                if case .yes(let format) = bytes.withPrefix(4096, coder.recognizes) { format } else { nil }
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
