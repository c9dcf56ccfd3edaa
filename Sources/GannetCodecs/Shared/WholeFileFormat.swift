import GannetCore

/// A format that is decoded from a whole file, not while bytes arrive: what its own code has to know. Everything else of a
/// session – waiting for bytes, errors that stick, truncation, partial pictures, the alpha asked for – is ``WholeFileDecoder``'s.
///
/// One value lives as long as one session; make it a class, or let it own a handle with a `deinit`, if a library keeps state
/// between frames. The calls come in this order, from one task:
///
///     format = init { header | outputSize } complete { header | outputSize | exif | decode }
///
/// A coder then needs one line: `WholeFileDecoder<TheFormat>(options: options, environment: environment)`.
protocol WholeFileFormat {
    /// So many bytes from the start are handed to `init` at most; `Int.max` if the header can be anywhere.
    static var headerBytes: Int { get }

    /// Nothing is known before all bytes are there: `init` is then called once, with the whole file. Default: false.
    static var needsAllBytes: Bool { get }

    /// Reads the header; no pixels are touched, nothing of the picture's size is allocated.
    ///
    /// Nil: more bytes are needed to tell. It is then made again once there are more; after all bytes nil is `truncated`.
    /// `head` is the first ``headerBytes`` of what came so far; `isComplete` says that no more will come, for libraries that cannot
    /// tell a part of a file from a broken one. Throws `corrupt`, `unsupported` or `limitExceeded`.
    init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)

    /// May gain frames, delays, orientation and profile with ``complete(_:)``, but not change its size.
    var header: ImageHeader { get }

    /// What `decode` fills: the header's size, or a smaller one if the format shrinks while it decodes
    /// (`options.scaledSize(for: header)`). Default: the header's size.
    var outputSize: PixelSize { get }

    /// Colours of the delivered pixels, where they are not the header's (CMYK turned to RGB). Default: the header's.
    var outputColorSpace: ColorSpace { get }

    /// The EXIF block from the TIFF header on. Default: nil.
    var exif: [UInt8]? { get }

    /// Bytes that a whole file has at least; shorter ones are truncated (or partial, if that is allowed). Default: 0.
    var leastBytes: Int { get }

    /// All bytes are there: the place to read what lies behind the header (profile, EXIF, number of frames) and to check the
    /// limits that only the format sees. Called again for each complete rope of the session. Default: nothing.
    mutating func complete(_ bytes: ByteRope) throws(ImageError)

    /// Fills the buffer, which is zeros and has ``outputSize``, with full-canvas frame `index` (a valid one). Its format is
    /// `rgba16` only if 16 bits were asked for and the header's `bitDepth` is more than 8.
    ///
    /// The buffer says `straight` if the header has alpha, else `opaque`; a library that delivers premultiplied pixels says so
    /// with `setAlpha`. Call `watch.check()` between rows. False: the bytes ended early, and rows that did not come are still
    /// zeros; that is `truncated` unless partial pictures are allowed.
    mutating func decode(
        _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
    ) throws(ImageError) -> Bool
}

extension WholeFileFormat {
    static var needsAllBytes: Bool { false }
    var outputSize: PixelSize { header.size }
    var outputColorSpace: ColorSpace { header.colorSpace }
    var exif: [UInt8]? { nil }
    var leastBytes: Int { 0 }
    mutating func complete(_ bytes: ByteRope) throws(ImageError) {}
}
