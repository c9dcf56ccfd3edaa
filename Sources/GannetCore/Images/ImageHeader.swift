/// What a picture's file says of itself before a pixel is decoded.
public struct ImageHeader: Sendable {
    /// By content.
    public var format: ImageFormat
    /// Pixels as stored, before orientation. For animations: the canvas.
    public var size: PixelSize
    /// Nil while an animation's number of frames is not known yet.
    public var frameCount: Int?
    /// Nil for still pictures, and while it is not known whether there is an animation.
    public var animation: AnimationInfo?
    /// Pictures that lie beside each other in one file, as the pages of a TIFF do: 1 for most files. Page n is decoded with
    /// ``FrameSelection/index(_:)``, and the header then describes that page.
    public var pageCount: Int = 1
    /// The file can hold transparent parts; whether it does is seen in the pixels.
    public var hasAlpha: Bool
    /// What the file asks for and the decoder has **not** yet applied.
    public var orientation: Orientation
    /// Shown in several passes that get better (progressive JPEG, interlaced PNG).
    public var isProgressive: Bool
    /// Bits of one channel as stored: 1, 2, 4, 8, 10, 12, 16 or 32.
    public var bitDepth: Int
    /// Of the stored numbers.
    public var colorSpace: ColorSpace
    /// The picture has no pixels of its own and is drawn at the size asked for.
    public var isVector: Bool

    /// Without more than format and size: one opaque, upright frame of 8-bit sRGB.
    public init(
        format: ImageFormat, size: PixelSize, frameCount: Int? = 1, animation: AnimationInfo? = nil, hasAlpha: Bool = false,
        orientation: Orientation = .up, isProgressive: Bool = false, bitDepth: Int = 8, colorSpace: ColorSpace = .sRGB,
        isVector: Bool = false
    ) {
        self.format = format
        self.size = size
        self.frameCount = frameCount
        self.animation = animation
        self.hasAlpha = hasAlpha
        self.orientation = orientation
        self.isProgressive = isProgressive
        self.bitDepth = bitDepth
        self.colorSpace = colorSpace
        self.isVector = isVector
    }

    /// Pixels on screen: ``size`` with the orientation applied.
    public var displayedSize: PixelSize { orientation.displayed(size) }
}

/// What a file says about playing it.
public struct AnimationInfo: Hashable, Sendable {
    /// How often the whole sequence is shown; 0 is for ever; nil: the file says nothing.
    public var loopCount: Int?
    /// As stored, one per frame.
    public var delays: [Duration]

    /// Delays are kept as they are; see ``shownDelay(_:)``.
    public init(loopCount: Int?, delays: [Duration]) {
        self.loopCount = loopCount
        self.delays = delays
    }

    /// What players show for a stored delay: 10 ms and less become 100 ms, as browsers do.
    public static func shownDelay(_ stored: Duration) -> Duration {
        stored <= .milliseconds(10) ? .milliseconds(100) : stored
    }
}

/// Which colours the stored numbers mean, before any conversion.
public struct ColorSpace: Hashable, Sendable {
    /// What the channels are.
    public enum Model: String, Hashable, Sendable {
        /// Red, green, blue; palettes too.
        case rgb
        /// One channel of brightness.
        case gray
        /// Four inks.
        case cmyk
        /// Four inks, the first three as luma and chroma (JPEG).
        case ycck
        /// CIE L*a*b*.
        case lab
    }
    /// Of the file; decoders deliver RGB.
    public var model: Model
    /// An embedded ICC profile; empty if there is none.
    public var iccProfile: [UInt8]
    /// Code points of ITU-T H.273 where the file has them.
    public var cicp: CICP?

    /// Without a profile and code points: the usual colours of the model, sRGB for `rgb`.
    public init(model: Model, iccProfile: [UInt8] = [], cicp: CICP? = nil) {
        self.model = model
        self.iccProfile = iccProfile
        self.cicp = cicp
    }

    /// RGB without a profile: what files mean that say nothing.
    public static let sRGB = ColorSpace(model: .rgb)
}

/// Coding-independent code points, ITU-T H.273: colour primaries, transfer characteristics, matrix coefficients.
public struct CICP: Hashable, Sendable {
    /// Table 2 of H.273; 1 is BT.709, 2 unspecified, 9 BT.2020, 12 Display P3.
    public var primaries: Int
    /// Table 3 of H.273; 13 is sRGB, 2 unspecified, 16 PQ, 18 HLG.
    public var transfer: Int
    /// Table 4 of H.273; 0 is RGB.
    public var matrix: Int
    /// Numbers use their whole range, not only the studio range of video.
    public var isFullRange: Bool

    /// Any numbers; nothing is checked.
    public init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// True for what needs no conversion: primaries of BT.709 with the transfer of sRGB (or unspecified).
    public var isSRGB: Bool {
        (primaries == 1 || primaries == 2) && (transfer == 13 || transfer == 2 || transfer == 1 || transfer == 6)
    }
}
