#if Video
    import GannetCore

    /// One video, decoded to one image.
    struct VideoFile: WholeFileFormat {
        static let headerBytes = Int.max
        static let needsAllBytes = true

        private let environment: DecodeEnvironment
        let header: ImageHeader
        let outputSize: PixelSize
        let leastBytes: Int

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard !head.isEmpty else { return nil }
            self.environment = environment
            guard case .yes(let format) = VideoSniffer.recognize(head.span) else { return nil }
            leastBytes = VideoSniffer.wholeLength(head, format)
            let info: VideoInfo
            do throws(ImageError) {
                info = try VideoHandle.withVideo(head, environment.limits) { (video) throws(ImageError) in video.info }
            } catch {
                // The container may still be incomplete.
                if error.code == .corrupt, head.count < leastBytes { return nil }
                throw error
            }
            header = ImageHeader(format: info.format, size: info.size, orientation: info.orientation)
            outputSize = options.scaledSize(for: header)
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            // Up to sixteen reference frames, three bytes for two pixels each; and the rows of the scaler.
            let reservation = try environment.reserve(header.size.area * 24 + buffer.layout.byteCount)
            defer { withExtendedLifetime(reservation) {} }
            let limits = environment.limits
            let time = environment.load.videoTime
            try VideoHandle.withVideo(bytes, limits) { (video) throws(ImageError) in
                try video.draw(at: time, into: &buffer, watch, limits)
            }
            // A codec's transparency is ignored, as in players.
            buffer.fillAlpha()
            return true
        }
    }
#endif
