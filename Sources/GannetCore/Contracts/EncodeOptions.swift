/// Options of encoding. Coders ignore what their format does not support.
public struct EncodeOptions: Hashable, Sendable {
    /// Nil: the format the image was decoded from. Without one, or if it cannot be written: WebP, PNG or GIF for animations,
    /// PNG for images with alpha or in high range, otherwise JPEG.
    public var format: ImageFormat?
    /// 0 … 100; 100 is lossless if the format supports it. Nil: the coder's default (JPEG 85, WebP 80, AVIF 60, JPEG XL 90,
    /// HEIC 60).
    public var quality: Int?
    /// Background of transparent parts if the format has no alpha: 0xRRGGBB, default white.
    public var background: UInt32
    /// Shrinks the image first to fit.
    public var maximumPixelSize: PixelSize?
    /// Lowers the quality, then shrinks the image, until the file is small enough; `encodeFailed` if that is impossible.
    public var maximumFileSize: Int?
    /// Writes only frame 0 of an animation, as a still.
    public var firstFrameOnly: Bool
    /// Embeds a thumbnail if the format supports it; not in a JPEG if it takes more than a quarter of ``maximumFileSize``.
    public var embedsThumbnail: Bool
    /// Compression effort, 0 … 9; nil is the coder's default. JPEG has optimised Huffman tables from 5 on, and without an effort up to 1
    /// megapixel: one more pass, and some 7 % fewer bytes.
    public var effort: Int?
    /// Progressive (JPEG) or interlaced (PNG).
    public var progressive: Bool
    /// Whether the image's gain map, which makes highlights brighter than white on displays that can, is written too: into JPEG, as
    /// Ultra HDR and ISO 21496-1. No effect on images without one, and on other formats.
    public var keepsGainMap: Bool
    /// For libwebp alone.
    public var webP: WebPOptions
    /// This coder encodes, whatever others are registered; in one of its own formats, if ``format`` is nil and the image's is none of
    /// them. Its identifier is part of the keys. A registered coder must be able to read what is to be stored. - SDWebImage: imageCoder
    public var coder: (any ImageCoder)? {
        get { namedCoder?.coder }
        set { namedCoder = newValue.map { NamedCoder(coder: $0) } }
    }
    private var namedCoder: NamedCoder?

    /// By default: the image's own format, the coder's quality and effort, white behind transparent parts, no size limit, the gain map
    /// kept, any registered coder.
    public init(
        format: ImageFormat? = nil, quality: Int? = nil, background: UInt32 = 0xFFFFFF, maximumPixelSize: PixelSize? = nil,
        maximumFileSize: Int? = nil, firstFrameOnly: Bool = false, embedsThumbnail: Bool = false, effort: Int? = nil,
        progressive: Bool = false, keepsGainMap: Bool = true, webP: WebPOptions = WebPOptions(), coder: (any ImageCoder)? = nil
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
        self.keepsGainMap = keepsGainMap
        self.webP = webP
        self.coder = coder
    }

    /// Stable text for keys.
    public var keyText: String {
        var text =
            "f=\(format?.identifier.keyPart(",") ?? "-"),q=\(quality ?? -1),b=\(background),s=\(maximumPixelSize?.description ?? "-"),m=\(maximumFileSize ?? -1),1=\(firstFrameOnly)"
        text += ",t=\(embedsThumbnail),e=\(effort ?? -1),p=\(progressive)"
        if !keepsGainMap { text += ",g=0" }
        if !webP.values.isEmpty { text += ",w=" + webP.keyText }
        if let coder { text += ",x=" + coder.identifier.keyPart(",") }
        return text
    }

    /// Coders with one identifier are the same.
    private struct NamedCoder: Hashable, Sendable {
        var coder: any ImageCoder

        static func == (left: NamedCoder, right: NamedCoder) -> Bool { left.coder.identifier == right.coder.identifier }
        func hash(into hasher: inout Hasher) { hasher.combine(coder.identifier) }
    }
}
