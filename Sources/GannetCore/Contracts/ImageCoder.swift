/// A coder for one or more formats: recognises them, and creates sessions that decode or encode one file.
///
/// A coder is a stateless value. The last one registered is tried first.
public protocol ImageCoder: Sendable {
    /// Stable; part of the decode key when a request names its coder.
    var identifier: String { get }
    /// Formats it can recognise or decode; ``makeEncoder(for:options:)`` knows those it can write.
    var formats: [ImageFormat] { get }
    /// Whether these first bytes belong to one of its formats. By content only, never by name.
    func recognizes(_ head: Span<UInt8>) -> Recognition
    /// Throws `unsupported` for other formats.
    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder
    /// Nil: this coder only decodes.
    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)?
    /// True: its decoders wait for something else than the processor, as for another process, and always have a thread for
    /// blocking work. Default false: files of at most 64 KiB with at most 2¹⁸ pixels are decoded on Swift's own threads.
    var needsOwnThread: Bool { get }
}

extension ImageCoder {
    public var needsOwnThread: Bool { false }
}

/// A coder's answer to the first bytes of a file.
public enum Recognition: Hashable, Sendable {
    /// The bytes are of this format.
    case yes(ImageFormat)
    /// None of the coder's formats, whatever follows.
    case no
    /// The number of bytes from the start that are needed to answer.
    case needsMoreBytes(Int)
}

/// The surroundings of a decoder.
public struct DecodeEnvironment: Sendable {
    /// The request's limits; a decoder checks those that only it can see (metadata, scans, frames, time).
    public var limits: DecodeLimits
    /// Provides memory for pixels.
    public var pool: PixelPool
    /// The budget behind ``reserve(_:)``.
    package var budget: ResourceBudget
    /// Nil: no colour management in this build.
    public var colorManager: (any ColorManager)?
    /// Threads that a library may use; 1 unless the machine is otherwise idle.
    public var threads: Int
    /// The request's custom values. Values that a coder reads must have a key with influence `pixels`. Empty when a stored
    /// result is read, because its pixels already reflect the values.
    public var load: LoadContext
    /// Where the bytes are decoded. By default in this process.
    package var places = DecodePlaces()
    /// Of the file, if several regions of it are decoded; else nil.
    package var memory: RegionMemory?

    /// By default: standard limits, the shared pool, any number of bytes for ``reserve(_:)``, no colour management, one thread.
    public init(
        limits: DecodeLimits = .standard, pool: PixelPool = .shared, reservableBytes: Int = .max,
        colorManager: (any ColorManager)? = nil, threads: Int = 1, load: LoadContext = LoadContext()
    ) {
        self.init(
            limits: limits, pool: pool, budget: reservableBytes == .max ? .unlimited : ResourceBudget(capacity: reservableBytes),
            colorManager: colorManager, threads: threads, load: load)
    }

    package init(
        limits: DecodeLimits = .standard, pool: PixelPool = .shared, budget: ResourceBudget,
        colorManager: (any ColorManager)? = nil, threads: Int = 1, load: LoadContext = LoadContext()
    ) {
        self.limits = limits
        self.pool = pool
        self.budget = budget
        self.colorManager = colorManager
        self.threads = threads
        self.load = load
    }

    /// Reserves image-sized memory that a decoder holds in addition to the caller's buffer, until the last reference to the result
    /// is gone. Throws `limitExceeded` if it is not free now: the decoder's caller waits and restarts, not the decoder.
    public func reserve(_ bytes: Int) throws(ImageError) -> MemoryReservation {
        if let reservation = try budget.reserve(bytes) { return reservation }
        throw ImageError(
            .limitExceeded, stage: .decode,
            "The decoder needs \(bytes) bytes beside the image, which are not free in the decode budget of \(budget.capacity) bytes. Decode fewer images at once, or raise the budget."
        )
    }
}

/// The state of a session after it received bytes.
public enum DecodeStatus: Hashable, Sendable {
    /// More bytes are needed. Not an error while the rope is incomplete.
    case needsMoreData
    /// At least one frame can be decoded with ``ImageDecoder/decodeFrame(at:into:)``.
    case frameAvailable
    /// All relevant bytes were read.
    case finished
}

/// A session for one file. Not `Sendable`: one session, one task at a time.
///
///     session = { read } header { read | frame | preview | decodeFrame }
///
/// For callers:
/// - `read` receives growing snapshots of one rope; a complete rope is read once more after its last growth.
/// - Repeated calls for the header or a frame change nothing.
/// - The buffer is the caller's: `outputLayout` is the layout that `decodeFrame` expects. The caller checks the limits against
///   it **before** allocating; the decoder checks those that only it can see (metadata, scans, frames).
/// - After an error every later call throws the same error.
///
/// For implementers:
/// - Incomplete bytes give `needsMoreData`; the same bytes in a complete rope throw `truncated` (or are decoded as far as
///   possible if `options.allowsPartial`, with ``isPartial`` set).
/// - Reserve any memory of the image's size with ``DecodeEnvironment/reserve(_:)``, and pass its errors on.
/// - Check `ImageError.checkCancellation` and the time limit between rows or scans.
/// - Deliver pixels in the file's colours (``ImageHeader/colorSpace``), as RGB(A), not rotated; the caller converts and
///   rotates. Decoders of other models (CMYK, Lab) convert to RGB themselves, with `environment.colorManager` if there is a
///   profile, and then report ``ColorSpace/sRGB``-like RGB in ``outputColorSpace``.
public protocol ImageDecoder: AnyObject {
    /// Reads the new bytes and keeps its position, so that each byte is read once. Throws `corrupt`, `truncated`,
    /// `unsupported`, `limitExceeded` or `cancelled`.
    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus
    /// Nil until enough bytes have arrived.
    var header: ImageHeader? { get }
    /// The layout that ``decodeFrame(at:into:)`` fills. Nil until the header is known. A decoder that can shrink returns the
    /// size of `options.scaledSize(for: header)`, or one between it and the full size; others the full size.
    var outputLayout: PixelLayout? { get }
    /// Colours of the delivered pixels.
    var outputColorSpace: ColorSpace { get }
    /// The bytes ended early, and `allowsPartial` was set.
    var isPartial: Bool { get }
    /// Decodes full-canvas frame `index`. Any order works; ascending order is cheapest. The buffer has `outputLayout`; the
    /// decoder sets its alpha mode to the delivered one (opaque, or `options.alpha`).
    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError)
    /// Draws a preview from bytes that are still arriving. False: nothing new to show, and the buffer's contents are undefined.
    func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool
    /// Frames from the first on that can already be decoded while bytes arrive; the header has their delays. From 2 on the
    /// animation plays before it is complete. 0: unknown, and it plays only when complete.
    var availableFrameCount: Int { get }
    /// The raw EXIF block (from the TIFF header on), if the file has one and it has arrived.
    var exif: [UInt8]? { get }
}

extension ImageDecoder {
    public var outputColorSpace: ColorSpace { header?.colorSpace ?? .sRGB }
    public var isPartial: Bool { false }
    public func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool { false }
    public var availableFrameCount: Int { 0 }
    public var exif: [UInt8]? { nil }
}

/// A session that writes one file.
public protocol ImageEncoder: AnyObject {
    /// Blocking; call it on an executor. Animations are written as such if the format supports them, otherwise as their first
    /// frame.
    func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8]
}

/// An encoder that writes high range as what it is. All others get images in standard range.
package protocol HighRangeEncoder: ImageEncoder {}

extension ImageFormat {
    /// Those that such encoders write.
    package static let highRange: [ImageFormat] = [.avif, .jxl, .png]
}

/// Creates converters from an image's colours to sRGB. PQ and HLG without a profile are not asked for: their light is mapped to standard
/// range by ``DecodeOptions/toneMapping``.
public protocol ColorManager: Sendable {
    /// Nil: no conversion needed. Throws `corrupt` for an unreadable profile; callers then keep the stored values.
    func converter(from colorSpace: ColorSpace, format: PixelFormat) throws(ImageError) -> (any ColorConverter)?
    /// A converter from 8-bit CMYK (0 is no ink) to straight `rgba8`; without a profile the library's plain conversion.
    func cmykConverter(iccProfile: [UInt8]) throws(ImageError) -> (any ColorConverter)?
}

/// Converts rows in place. Straight or opaque pixels only.
public protocol ColorConverter: AnyObject {
    /// Converts all rows in place. Throws `misuse` for premultiplied pixels, and `cancelled`.
    func convert(_ buffer: inout PixelBuffer) throws(ImageError)
    /// Converts `count` four-byte pixels in place.
    func convertRow(_ pixels: inout MutableSpan<UInt8>, count: Int)
}
