#if Video
    public import GannetCore

    /// Images from videos: MP4, QuickTime, WebM, Matroska and AVI, through ffmpeg's libraries. Decodes only.
    ///
    /// A video is one still image: its first frame, or the one at `LoadContext.videoTime`. The whole file is held in memory, so
    /// `maximumEncodedBytes` limits it. Nothing else is opened, whatever the file names. Codecs: H.264, HEVC, AV1, VP8, VP9,
    /// MPEG-1, -2 and -4, H.263, ProRes, Theora, FFV1, Motion JPEG.
    package struct VideoCoder: EmbeddedThumbnailReading, WorkerLoadable {
        /// Has no options; `LoadContext.videoTime` selects the frame.
        package init() {}

        package var identifier: String { "video" }
        package var needsOwnThread: Bool { true }
        package var formats: [ImageFormat] { [.mp4, .mov, .webm, .mkv, .avi] }

        package func recognizes(_ head: Span<UInt8>) -> Recognition { VideoSniffer.recognize(head) }

        package func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard formats.contains(format) else {
                throw ImageError(.unsupported, stage: .decode, "The video coder cannot decode \(format).")
            }
            return WholeFileDecoder<VideoFile>(options: options, environment: environment)
        }

        package func embeddedThumbnail(in file: ByteRope, limits: DecodeLimits) -> ByteRope? {
            VideoCover.image(in: file, limits: limits)
        }

        package func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            nil
        }

        /// Reads a video's container; decodes nothing. Throws `corrupt`, `unsupported`, `limitExceeded`.
        package static func info(of bytes: [UInt8], limits: DecodeLimits = .standard) throws(ImageError) -> VideoInfo {
            try VideoHandle.withVideo(bytes, limits) { (video) throws(ImageError) in video.info }
        }
    }

    /// The information of a video's container.
    package struct VideoInfo: Hashable, Sendable {
        /// The container's format.
        package var format: ImageFormat
        /// The stored size, before rotation; non-square pixels are counted as displayed.
        package var size: PixelSize
        /// The orientation stored in the container; not applied to ``size``.
        package var orientation: Orientation
        /// Nil: not stored in the container.
        package var duration: Duration?
        /// ffmpeg's short name, for example "h264".
        package var codec: String
    }

    extension ImageFormat {
        /// MPEG-4 (ISO/IEC 14496-14). Decoded with the trait `Video`, never written.
        public static let mp4 = ImageFormat(identifier: "mp4", mimeTypes: ["video/mp4"], fileExtensions: ["mp4", "m4v"])
        /// QuickTime. Decoded with the trait `Video`, never written.
        public static let mov = ImageFormat(identifier: "mov", mimeTypes: ["video/quicktime"], fileExtensions: ["mov", "qt"])
        /// WebM, a subset of Matroska. Decoded with the trait `Video`, never written.
        public static let webm = ImageFormat(identifier: "webm", mimeTypes: ["video/webm"], fileExtensions: ["webm"])
        /// Matroska. Decoded with the trait `Video`, never written.
        public static let mkv = ImageFormat(identifier: "mkv", mimeTypes: ["video/x-matroska"], fileExtensions: ["mkv"])
        /// AVI (RIFF). Decoded with the trait `Video`, never written.
        public static let avi = ImageFormat(
            identifier: "avi", mimeTypes: ["video/x-msvideo", "video/avi"], fileExtensions: ["avi"])
    }

    /// The selected frame of a video. Part of the decode key: two times are two images of one stored file.
    private enum VideoTimeKey: ContextKey {
        static var defaultValue: Duration? { nil }
        static func cacheInfluence(of value: Duration?) -> CacheInfluence {
            guard let value else { return .none }
            return .pixels("\(value.components.seconds).\(value.components.attoseconds)")
        }
    }

    extension LoadContext {
        /// Time from the start. Nil, zero and less: the first frame; after the end: the last one.
        public var videoTime: Duration? {
            get { self[VideoTimeKey.self] }
            set { self[VideoTimeKey.self] = newValue }
        }
    }

    extension RequestOption {
        /// A video's frame at this time. - Kingfisher: AVAssetImageDataProvider
        ///
        ///     manager.image(for: .file("/videos/a.mp4"), .videoFrame(at: .seconds(3)), .fit(320, 180))
        public static func videoFrame(at time: Duration) -> RequestOption { RequestOption { $0.context.videoTime = time } }
    }
#endif
