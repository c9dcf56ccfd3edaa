import GannetCore

/// A format that is decoded from a complete file. ``WholeFileDecoder`` does the rest of a session: waiting for bytes, sticky
/// errors, truncation, partial images, the requested alpha.
///
/// One value lives as long as one session. Make it a class, or let it own a handle with a `deinit`, if a library keeps state
/// between frames. The calls come in this order, from one task:
///
///     format = init { header | outputSize } complete { header | outputSize | exif | decode }
///
/// A coder then needs one line: `WholeFileDecoder<TheFormat>(options: options, environment: environment)`.
protocol WholeFileFormat {
    /// The most bytes from the start that `init` receives; `Int.max` if the header can be anywhere.
    static var headerBytes: Int { get }

    /// True if nothing is known before the file is complete: `init` is then called once, with all bytes. Default: false.
    static var needsAllBytes: Bool { get }

    /// Reads the header; decodes no pixels and allocates nothing of the image's size.
    ///
    /// Nil: more bytes are needed, and `init` is called again with more; after all bytes, nil is `truncated`. `head` is the
    /// first ``headerBytes`` of the bytes so far. `isComplete`: no more will arrive, for libraries that cannot tell a partial
    /// file from a broken one. Throws `corrupt`, `unsupported` or `limitExceeded`.
    init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)

    /// May gain frames, delays, orientation and profile in ``complete(_:)``, but not change its size.
    var header: ImageHeader { get }

    /// The size that `decode` fills: the header's, or smaller if the format shrinks while decoding (`options.scaledSize(for:
    /// header)`). Default: the header's size.
    var outputSize: PixelSize { get }

    /// See ``RegionDecoder``; ``outputSize`` is then that of the region. Default: false, which needs a ``RegionCoder`` for anything else.
    var decodesRegion: Bool { get }

    /// Colours of the delivered pixels, if not the header's (CMYK converted to RGB). Default: the header's.
    var outputColorSpace: ColorSpace { get }

    /// The EXIF block from the TIFF header on. Default: nil.
    var exif: [UInt8]? { get }

    /// The least bytes of a complete file; shorter ones are truncated (or partial, if allowed). Default: 0.
    var leastBytes: Int { get }

    /// Called when all bytes are there: reads what follows the header (profile, EXIF, number of frames) and checks limits that
    /// only the format sees. Called again for each complete rope of the session. Default: nothing.
    mutating func complete(_ bytes: ByteRope) throws(ImageError)

    /// Fills the buffer, which is zeroed and has ``outputSize``, with full-canvas frame `index` (a valid one). Its format is
    /// `rgba16` only if 16 bits were requested and the header's `bitDepth` exceeds 8.
    ///
    /// The buffer is `straight` if the header has alpha, otherwise `opaque`; for premultiplied pixels call `setAlpha`. Call
    /// `watch.check()` between rows. False: the bytes ended early, and missing rows are still zeros; that is `truncated` unless
    /// partial images are allowed.
    mutating func decode(
        _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
    ) throws(ImageError) -> Bool
}

extension WholeFileFormat {
    static var needsAllBytes: Bool { false }
    var outputSize: PixelSize { header.size }
    var decodesRegion: Bool { false }
    var outputColorSpace: ColorSpace { header.colorSpace }
    var exif: [UInt8]? { nil }
    var leastBytes: Int { 0 }
    mutating func complete(_ bytes: ByteRope) throws(ImageError) {}
}
