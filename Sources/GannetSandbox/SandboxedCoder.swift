import CGannetSandbox
import GannetCore

#if Video
    import GannetCodecs
#endif

/// A coder whose decoders work in the sandbox. Recognising looks at a few bytes, in Swift, and encoding takes the program's own
/// pixels: both stay in this process.
struct SandboxedCoder: ImageCoder {
    private let coder: any ImageCoder
    private let type: String
    private let pool: SandboxPool

    /// Nil: the coder cannot be made in a worker.
    init?(_ coder: any ImageCoder, pool: SandboxPool) {
        guard coder is any WorkerLoadable, let type = _mangledTypeName(Swift.type(of: coder)) else { return nil }
        (self.coder, self.type, self.pool) = (coder, type, pool)
    }

    var identifier: String { coder.identifier }
    var needsOwnThread: Bool { true }
    var formats: [ImageFormat] { coder.formats }
    func recognizes(_ head: Span<UInt8>) -> Recognition { coder.recognizes(head) }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        try coder.makeEncoder(for: format, options: options)
    }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        var videoTime: Duration?
        #if Video
            videoTime = environment.load.videoTime
        #endif
        guard environment.load.pixelsInfluence.count == (videoTime == nil ? 0 : 1) else {
            throw ImageError(
                .misuse, stage: .decode,
                "The request has custom values that change pixels, and they do not reach a sandbox. Decode in this process (isolation: .inProcess), or leave them out."
            )
        }
        let manager = environment.colorManager.flatMap { $0 is any WorkerLoadable ? _mangledTypeName(Swift.type(of: $0)) : nil }
        return SandboxedDecoder(
            OpenRequest(
                coder: type, colorManager: manager, format: format, options: options,
                threads: min(max(environment.threads, 1), 1024), videoTime: videoTime,
                keepsKnowledge: environment.memory != nil),
            // Documents have text, and text has fonts.
            format.identifier == ImageFormat.svg.identifier ? GANNET_SANDBOX_FONTS : GANNET_SANDBOX_STRICT,
            DecoderName(coder: coder.identifier, format: format), environment, pool: pool)
    }
}
