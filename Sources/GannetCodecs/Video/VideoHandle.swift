#if Video
    import CGannetShims
    import GannetCore

    /// One open video over fixed bytes; the only file that uses ffmpeg's pointers.
    struct VideoHandle: ~Copyable {
        private let video: OpaquePointer
        private let format: ImageFormat

        /// Opens, calls `body`, closes. Throws `corrupt`, `unsupported`, `limitExceeded`, `cancelled`.
        static func withVideo<R>(
            _ bytes: [UInt8], _ limits: DecodeLimits, _ body: (borrowing VideoHandle) throws(ImageError) -> R
        ) throws(ImageError) -> R {
            guard case .yes(let format) = VideoSniffer.recognize(bytes.span) else {
                throw ImageError(.corrupt, stage: .decode, "The file does not begin as videos do.")
            }
            let stop = StopSign(DecodeWatch(limits))
            try stop.check()
            if format == .mp4 || format == .mov { try VideoIndex.check(bytes) }
            let result = bytes.withUnsafeBufferPointer { bytes -> Result<R, ImageError> in
                Result { () throws(ImageError) -> R in try body(try VideoHandle(bytes, format, limits, stop)) }
            }
            return try result.get()
        }

        private init(
            _ bytes: UnsafeBufferPointer<UInt8>, _ format: ImageFormat, _ limits: DecodeLimits, _ stop: StopSign
        ) throws(ImageError) {
            let container: gannet_video_container =
                switch format {
                case .webm, .mkv: GANNET_VIDEO_MATROSKA
                case .avi: GANNET_VIDEO_AVI
                default: GANNET_VIDEO_MOV
                }
            var result = GANNET_VIDEO_OK
            // ffmpeg counts in 32 bits.
            let pixels = Int64(min(limits.maximumPixels, Int(Int32.max)))
            let made = gannet_video_open(
                bytes.baseAddress, bytes.count, container, pixels, StopSign.ask, stop.context, &result)
            guard let made else { throw Self.error(result, stop, limits) }
            video = made
            self.format = format
        }

        deinit { gannet_video_free(video) }

        var info: VideoInfo {
            let info = gannet_video_get_info(video)
            let turns: [Orientation] = [.up, .right, .down, .left]
            return VideoInfo(
                format: format, size: PixelSize(clamping: Int(info.width), Int(info.height)),
                orientation: turns[Int(info.quarter_turns) & 3],
                duration: info.microseconds < 0 ? nil : .microseconds(info.microseconds), codec: String(cString: info.codec))
        }

        /// Draws the frame at `time`, scaled to the whole buffer.
        func draw(at time: Duration?, into buffer: inout PixelBuffer, _ watch: DecodeWatch, _ limits: DecodeLimits)
            throws(ImageError)
        {
            precondition(buffer.layout.format == .rgba8)
            let stop = StopSign(watch)
            let size = buffer.size
            let microseconds = (time ?? .zero) / .microseconds(1)
            let result = buffer.withUnsafeRows { base, stride in
                gannet_video_draw(
                    video, Int64(min(max(microseconds, 0), 1e15)), base, stride, Int32(size.width), Int32(size.height),
                    StopSign.ask,
                    stop.context)
            }
            guard result == GANNET_VIDEO_OK else { throw Self.error(result, stop, limits) }
        }

        private static func error(_ result: gannet_video_result, _ stop: StopSign, _ limits: DecodeLimits) -> ImageError {
            switch result {
            case GANNET_VIDEO_STOPPED: stop.error ?? .cancelled(stage: .decode)
            case GANNET_VIDEO_UNSUPPORTED:
                ImageError(
                    .unsupported, stage: .decode,
                    "The video has no frames, or they are in a codec that is not read here. Convert it to H.264, VP9 or AV1.")
            case GANNET_VIDEO_LIMIT:
                ImageError(
                    .limitExceeded, stage: .decode,
                    "A frame of the video has more than \(limits.maximumPixels) pixels. Raise maximumPixels to allow it.")
            case GANNET_VIDEO_MEMORY:
                ImageError(.limitExceeded, stage: .decode, "The system has no memory left to decode the video.")
            default:
                ImageError(.corrupt, stage: .decode, "The video is damaged or ends early. Fetch or save it again.")
            }
        }
    }
#endif
