/// What libwebp's encoder can be told besides ``EncodeOptions/quality`` and ``EncodeOptions/effort``. Nil is the library's own default.
///
/// Names and ranges are those of its `WebPConfig`. A value outside of its range is `misuse` when the image is encoded, before anything
/// is fetched for it.
public struct WebPOptions: Hashable, Sendable {
    /// The kind of a lossless image.
    public enum ImageHint: Int, Hashable, Sendable {
        /// A portrait, or what was taken indoors.
        case picture = 1
        /// A photograph taken outdoors, in natural light.
        case photo = 2
        /// Few colours: a graph, a tile of a map.
        case graph = 3
    }

    /// Only what was set.
    package private(set) var values: [Field: Double] = [:]

    /// Nothing is set.
    public init() {}

    package subscript(field: Field) -> Double? {
        get { values[field] }
        set { values[field] = newValue }
    }

    private subscript(whole field: Field) -> Int? {
        get { values[field].flatMap { Int(exactly: $0) } }
        set { values[field] = newValue.map(Double.init) }
    }

    private subscript(flag field: Field) -> Bool? {
        get { values[field].map { $0 != 0 } }
        set { values[field] = newValue.map { $0 ? 1 : 0 } }
    }

    /// Whether every pixel is kept; nil: at quality 100. The quality of a lossless image is the work that is put into it.
    public var lossless: Bool? {
        get { self[flag: .lossless] }
        set { self[flag: .lossless] = newValue }
    }
    /// 0 (fast) … 6 (small); takes the place of ``EncodeOptions/effort``.
    public var method: Int? {
        get { self[whole: .method] }
        set { self[whole: .method] = newValue }
    }
    /// `image_hint`.
    public var imageHint: ImageHint? {
        get { self[whole: .imageHint].flatMap { ImageHint(rawValue: $0) } }
        set { self[whole: .imageHint] = newValue?.rawValue }
    }
    /// Bytes to aim at by choice of the quality, in ``pass`` attempts; ``EncodeOptions/maximumFileSize`` is a limit instead.
    public var targetSize: Int? {
        get { self[whole: .targetSize] }
        set { self[whole: .targetSize] = newValue }
    }
    /// Decibels to aim at, 0 … 99; takes precedence over ``targetSize``.
    public var targetPSNR: Double? {
        get { self[.targetPSNR] }
        set { self[.targetPSNR] = newValue }
    }
    /// Parts with their own strength of compression, 1 … 4.
    public var segments: Int? {
        get { self[whole: .segments] }
        set { self[whole: .segments] = newValue }
    }
    /// How much noise is moved to where it is seen least, 0 … 100. - WebPConfig: sns_strength
    public var noiseShaping: Int? {
        get { self[whole: .noiseShaping] }
        set { self[whole: .noiseShaping] = newValue }
    }
    /// Of the filter that smooths borders of blocks, 0 … 100.
    public var filterStrength: Int? {
        get { self[whole: .filterStrength] }
        set { self[whole: .filterStrength] = newValue }
    }
    /// 0 (sharpest) … 7.
    public var filterSharpness: Int? {
        get { self[whole: .filterSharpness] }
        set { self[whole: .filterSharpness] = newValue }
    }
    /// 0: simple, 1: strong.
    public var filterType: Int? {
        get { self[whole: .filterType] }
        set { self[whole: .filterType] = newValue }
    }
    /// Whether the strength of the filter is searched for.
    public var autofilter: Bool? {
        get { self[flag: .autofilter] }
        set { self[flag: .autofilter] = newValue }
    }
    /// Whether alpha of a lossy image is compressed.
    public var alphaCompression: Bool? {
        get { self[flag: .alphaCompression] }
        set { self[flag: .alphaCompression] = newValue }
    }
    /// Prediction of alpha: 0: none, 1: fast, 2: best.
    public var alphaFiltering: Int? {
        get { self[whole: .alphaFiltering] }
        set { self[whole: .alphaFiltering] = newValue }
    }
    /// 0 … 100, which is lossless.
    public var alphaQuality: Int? {
        get { self[whole: .alphaQuality] }
        set { self[whole: .alphaQuality] = newValue }
    }
    /// Passes of analysis, 1 … 10.
    public var pass: Int? {
        get { self[whole: .pass] }
        set { self[whole: .pass] = newValue }
    }
    /// 0: nothing, 1: segments are smoothed, 2: dithered; 0 … 7.
    public var preprocessing: Int? {
        get { self[whole: .preprocessing] }
        set { self[whole: .preprocessing] = newValue }
    }
    /// The logarithm of the number of parts, 0 … 3.
    public var partitions: Int? {
        get { self[whole: .partitions] }
        set { self[whole: .partitions] = newValue }
    }
    /// Loss that is allowed to keep predictions within 512 KiB, 0 … 100.
    public var partitionLimit: Int? {
        get { self[whole: .partitionLimit] }
        set { self[whole: .partitionLimit] = newValue }
    }
    /// Whether the file is about as large as a JPEG of the same quality.
    public var emulatesJPEGSize: Bool? {
        get { self[flag: .emulatesJPEGSize] }
        set { self[flag: .emulatesJPEGSize] = newValue }
    }
    /// Whether the library may use another thread, beside those of Gannet.
    public var usesThreads: Bool? {
        get { self[flag: .threads] }
        set { self[flag: .threads] = newValue }
    }
    /// Whether less memory is taken for more time.
    public var usesLowMemory: Bool? {
        get { self[flag: .lowMemory] }
        set { self[flag: .lowMemory] = newValue }
    }
    /// Of a lossless image: 0 (most loss) … 100 (none).
    public var nearLossless: Int? {
        get { self[whole: .nearLossless] }
        set { self[whole: .nearLossless] = newValue }
    }
    /// Whether colours of clear pixels are kept, in a lossless image.
    public var exact: Bool? {
        get { self[flag: .exact] }
        set { self[flag: .exact] = newValue }
    }
    /// Whether colours are halved by the slow, sharp way.
    public var usesSharpYUV: Bool? {
        get { self[flag: .sharpYUV] }
        set { self[flag: .sharpYUV] = newValue }
    }
    /// The lowest quality that a search takes, 0 … 100.
    public var minimumQuality: Int? {
        get { self[whole: .qualityMinimum] }
        set { self[whole: .qualityMinimum] = newValue }
    }
    /// The highest, 0 … 100.
    public var maximumQuality: Int? {
        get { self[whole: .qualityMaximum] }
        set { self[whole: .qualityMaximum] = newValue }
    }
}
