/// Knows one or more formats: recognises them, and makes one-shot sessions that decode or encode.
///
/// A coder is a stateless value. The last one registered is asked first.
public protocol ImageCoder: Sendable {
    /// Stable; part of the decode key when a request names its coder.
    var identifier: String { get }
    /// Those it can recognise or decode; of those that it can write too, ``makeEncoder(for:options:)`` knows.
    var formats: [ImageFormat] { get }
    /// Whether these first bytes are of one of its formats. By content only, never by name.
    func recognizes(_ head: Span<UInt8>) -> Recognition
    /// Throws `unsupported` if the format is not its own.
    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder
    /// Nil: this coder only decodes.
    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)?
}

/// What a coder says of the first bytes of a file.
public enum Recognition: Hashable, Sendable {
    /// The bytes are of this format.
    case yes(ImageFormat)
    /// None of the coder's formats, whatever follows.
    case no
    /// So many bytes from the start are needed to answer.
    case needsMoreBytes(Int)
}

/// What a decoder is handed from around it.
public struct DecodeEnvironment: Sendable {
    /// The request's; a decoder checks those that only it can see (metadata, scans, frames, time).
    public var limits: DecodeLimits
    /// Where memory for pixels comes from.
    public var pool: PixelPool
    /// For memory of the picture's size that the decoder itself holds beside the caller's buffer.
    public var budget: ResourceBudget
    /// Nil: no colour management in this build.
    public var colorManager: (any ColorManager)?
    /// How many threads a library may use; 1 unless the machine is otherwise idle.
    public var threads: Int
    /// The request's own values. What a coder reads here must be of a key whose influence is `pixels`. Empty where a stored result is
    /// read again, because the values are in its pixels already.
    public var load: LoadContext

    /// By default: standard limits, the shared pool, no budget, no colour management, one thread.
    public init(
        limits: DecodeLimits = .standard, pool: PixelPool = .shared, budget: ResourceBudget = .unlimited,
        colorManager: (any ColorManager)? = nil, threads: Int = 1, load: LoadContext = LoadContext()
    ) {
        self.limits = limits
        self.pool = pool
        self.budget = budget
        self.colorManager = colorManager
        self.threads = threads
        self.load = load
    }
}

/// What a session can say after it was handed bytes.
public enum DecodeStatus: Hashable, Sendable {
    /// Nothing new can be done before more bytes come. Not an error while the rope is incomplete.
    case needsMoreData
    /// At least one frame can be decoded with ``ImageDecoder/decodeFrame(at:into:)``.
    case frameAvailable
    /// All bytes that matter were read.
    case finished
}

/// One session over one file. Not `Sendable`: one session, one task at a time.
///
///     session = { read } header { read | frame | preview | decodeFrame }
///
/// For callers:
/// - `read` is called with ever longer snapshots of one rope; a complete rope is read once more after its last growth.
/// - Asking twice for the header or for a frame changes nothing.
/// - The buffer is the caller's: `outputLayout` says which layout `decodeFrame` expects. The limits are checked by the
///   caller against it **before** he allocates; the decoder checks those that only it can see (metadata, scans, frames).
/// - After a thrown error every later call throws the same error.
///
/// For implementers:
/// - Incomplete bytes answer `needsMoreData`; the same bytes in a complete rope throw `truncated` (or are decoded as far as
///   they go if `options.allowsPartial`, with ``isPartial`` set).
/// - Nothing of the picture's size is allocated without a reservation from the environment's budget. Where it is refused the
///   decoder throws `limitExceeded`, and the load begins it anew when there is room.
/// - Look at `ImageError.checkCancellation` and at the time limit between rows or scans.
/// - Pixels are delivered in the file's own colours (``ImageHeader/colorSpace``), RGB(A), not turned; the caller converts and
///   turns. Decoders of other models (CMYK, Lab) convert to RGB themselves, with `environment.colorManager` where there is a profile,
///   and then report ``ColorSpace/sRGB``-like RGB through ``outputColorSpace``.
public protocol ImageDecoder: AnyObject {
    /// Looks at what is new and keeps its place, so that bytes are read once. Throws `corrupt`, `truncated`, `unsupported`,
    /// `limitExceeded` or `cancelled`.
    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus
    /// Nil until enough bytes came.
    var header: ImageHeader? { get }
    /// The layout that ``decodeFrame(at:into:)`` fills. Nil until the header is there. A decoder that can shrink while it
    /// loads answers the size of `options.scaledSize(for: header)` (or one between it and the full size); others the full size.
    var outputLayout: PixelLayout? { get }
    /// Colours of the delivered pixels.
    var outputColorSpace: ColorSpace { get }
    /// Bytes ended early and `allowsPartial` was set.
    var isPartial: Bool { get }
    /// Full-canvas frame `index`. Frames may be asked for in any order; ascending order is cheapest. The buffer has
    /// `outputLayout`; its alpha mode is set by the decoder to what it delivered (opaque, or `options.alpha`).
    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError)
    /// The picture as far as it came, for bytes that still arrive. False: nothing new to show. The buffer's contents are
    /// undefined after false.
    func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool
    /// So many frames from the first on can be decoded already, while bytes still arrive; their delays stand in the header. Where it
    /// is 2 or more the animation is played as far as it came. 0: the decoder cannot tell, and stands still until all is there.
    var availableFrameCount: Int { get }
    /// The raw EXIF block (from the TIFF header on), if the file has one and it came already.
    var exif: [UInt8]? { get }
}

extension ImageDecoder {
    public var outputColorSpace: ColorSpace { header?.colorSpace ?? .sRGB }
    public var isPartial: Bool { false }
    public func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool { false }
    public var availableFrameCount: Int { 0 }
    public var exif: [UInt8]? { nil }
}

/// One session that writes one file.
public protocol ImageEncoder: AnyObject {
    /// Blocking; call it on an executor. Animations are written as such if the format can, else their first frame.
    func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8]
}

/// How a picture is written. Coders leave out what their format cannot do.
public struct EncodeOptions: Hashable, Sendable {
    /// Nil: the format the picture was decoded from. Without one, or where it cannot be written: WebP, PNG or GIF for animations, PNG for
    /// pictures with alpha, else JPEG.
    public var format: ImageFormat?
    /// 0 … 100; 100 is lossless where the format can. Nil: the coder's default (JPEG 85, WebP 80, AVIF 60, JPEG XL 90, HEIC 60).
    public var quality: Int?
    /// What transparent parts lie on when the format has no alpha: 0xRRGGBB, default white.
    public var background: UInt32
    /// Shrinks the picture first so that it fits.
    public var maximumPixelSize: PixelSize?
    /// Quality is lowered, then the picture shrunk, until the file is not larger; `encodeFailed` if that cannot be.
    public var maximumFileSize: Int?
    /// Writes a still picture of an animation's frame 0.
    public var firstFrameOnly: Bool
    /// Embeds a thumbnail where the format can; in a JPEG not if it took more than a quarter of ``maximumFileSize``.
    public var embedsThumbnail: Bool
    /// 0 … 9, how hard to try for small files; nil is the coder's default.
    public var effort: Int?
    /// Progressive (JPEG) or interlaced (PNG).
    public var progressive: Bool

    /// By default: the picture's own format, the coder's quality and effort, white behind transparent parts, no bound on size.
    public init(
        format: ImageFormat? = nil, quality: Int? = nil, background: UInt32 = 0xFFFFFF, maximumPixelSize: PixelSize? = nil,
        maximumFileSize: Int? = nil, firstFrameOnly: Bool = false, embedsThumbnail: Bool = false, effort: Int? = nil,
        progressive: Bool = false
    ) {
        self.format = format
        self.quality = quality
        self.background = background
        self.maximumPixelSize = maximumPixelSize
        self.maximumFileSize = maximumFileSize
        self.firstFrameOnly = firstFrameOnly
        self.embedsThumbnail = embedsThumbnail
        self.effort = effort
        self.progressive = progressive
    }

    /// Stable text for keys.
    public var keyText: String {
        "f=\(format?.identifier ?? "-"),q=\(quality ?? -1),b=\(background),s=\(maximumPixelSize?.description ?? "-"),m=\(maximumFileSize ?? -1),1=\(firstFrameOnly)"
            + ",t=\(embedsThumbnail),e=\(effort ?? -1),p=\(progressive)"
    }
}

/// Makes converters from a picture's colours to sRGB.
public protocol ColorManager: Sendable {
    /// Nil: no conversion needed. Throws `corrupt` for a profile that cannot be read; callers then keep the stored numbers.
    func converter(from colorSpace: ColorSpace, format: PixelFormat) throws(ImageError) -> (any ColorConverter)?
    /// From 8-bit CMYK (0 is no ink) to straight `rgba8`; nil profile means the library's plain conversion.
    func cmykConverter(iccProfile: [UInt8]) throws(ImageError) -> (any ColorConverter)?
}

/// Converts rows in place. Straight or opaque pixels only.
public protocol ColorConverter: AnyObject {
    /// All rows in place. Throws `misuse` for premultiplied pixels, and `cancelled`.
    func convert(_ buffer: inout PixelBuffer) throws(ImageError)
    /// `count` four-byte pixels in place.
    func convertRow(_ pixels: inout MutableSpan<UInt8>, count: Int)
}
