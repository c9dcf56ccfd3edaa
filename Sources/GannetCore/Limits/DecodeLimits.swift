/// Resource limits for one image. Checked after the header, and before any allocation of the image's size.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of one frame, default 100 million.
    public var maximumPixels: Int
    /// Bytes of decoded pixels that one image may hold at once, default 512 MiB.
    public var maximumDecodedBytes: Int
    /// Bytes of the file, default 64 MiB.
    public var maximumEncodedBytes: Int
    /// Frames of an animation, default 10,000.
    public var maximumFrames: Int
    /// Pixels of all frames of an animation together (canvas × frames), default 1,000 million, or 4,000 for each byte of the
    /// file if that is more. Checked when frames beyond the first are wanted.
    public var maximumAnimationPixels: Int
    /// Bytes of metadata (profiles, EXIF, XMP, text), default 16 MiB.
    public var maximumMetadataBytes: Int
    /// Scans of a progressive JPEG, default 500. In total they may visit 100 million blocks, or each block 24 times.
    public var maximumScans: Int
    /// Processor time for reading a file, and for each frame, default 60 s; checked between rows or scans, and in a sandbox by the
    /// kernel too. A step that takes four times as long by the clock ends as well.
    public var maximumDecodeTime: Duration

    /// The defaults above; each can be changed separately.
    public init(
        maximumPixels: Int = 100_000_000, maximumDecodedBytes: Int = 512 << 20, maximumEncodedBytes: Int = 64 << 20,
        maximumFrames: Int = 10_000, maximumMetadataBytes: Int = 16 << 20, maximumScans: Int = 500,
        maximumDecodeTime: Duration = .seconds(60), maximumAnimationPixels: Int = 1_000_000_000
    ) {
        self.maximumPixels = maximumPixels
        self.maximumDecodedBytes = maximumDecodedBytes
        self.maximumEncodedBytes = maximumEncodedBytes
        self.maximumFrames = maximumFrames
        self.maximumMetadataBytes = maximumMetadataBytes
        self.maximumScans = maximumScans
        self.maximumDecodeTime = maximumDecodeTime
        self.maximumAnimationPixels = maximumAnimationPixels
    }

    /// The limits of requests that set none.
    public static let standard = DecodeLimits()

    /// The limits that affect a decode; the file size affects only its transfer.
    var keyText: String {
        "\(maximumPixels),\(maximumDecodedBytes),\(maximumFrames),\(maximumAnimationPixels),\(maximumMetadataBytes),\(maximumScans),"
            + "\(maximumDecodeTime)"
    }

    /// Throws `limitExceeded` for a frame that is too large. `layout` is the allocation, `size` the stored size.
    public func check(size: PixelSize, allocating layout: PixelLayout) throws(ImageError) {
        guard size.area <= maximumPixels else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The image has \(size) = \(size.area) pixels; the limit is \(maximumPixels). Raise maximumPixels to allow it.")
        }
        guard layout.byteCount <= maximumDecodedBytes else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The decoded image would need \(layout.byteCount) bytes; the limit is \(maximumDecodedBytes). Ask for a smaller target size or raise maximumDecodedBytes."
            )
        }
    }

    /// Throws `limitExceeded`.
    public func check(frames: Int) throws(ImageError) {
        guard frames <= maximumFrames else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The animation has more than \(maximumFrames) frames. Raise maximumFrames to allow it.")
        }
    }

    /// Throws `limitExceeded` if `frames` frames of `size` are too much drawing for a file of `encodedBytes`.
    public func check(animationOf size: PixelSize, frames: Int, encodedBytes: Int) throws(ImageError) {
        let pixels = size.area.multipliedReportingOverflow(by: frames)
        let honest = encodedBytes.multipliedReportingOverflow(by: 4000)
        guard !pixels.overflow,
            pixels.partialValue <= maximumAnimationPixels || !honest.overflow && pixels.partialValue <= honest.partialValue
        else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "\(frames) frames of \(size) are too much work for a file of \(encodedBytes) bytes. Ask for the first frame only, or raise maximumAnimationPixels."
            )
        }
    }

    /// Throws `limitExceeded`.
    public func check(encodedBytes: Int) throws(ImageError) {
        guard encodedBytes <= maximumEncodedBytes else {
            throw ImageError(
                .limitExceeded, stage: .load,
                "The file is larger than \(maximumEncodedBytes) bytes. Raise maximumEncodedBytes to allow it.")
        }
    }

    /// Throws `limitExceeded`.
    public func check(metadataBytes: Int) throws(ImageError) {
        guard metadataBytes <= maximumMetadataBytes else {
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The file carries more than \(maximumMetadataBytes) bytes of metadata. Raise maximumMetadataBytes to allow it.")
        }
    }
}
