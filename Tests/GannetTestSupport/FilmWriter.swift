#if Video
    import CFFmpeg
    import Glibc

    /// Films of one colour a picture, written by ffmpeg's own encoders into memory.
    package struct FilmWriter {
        /// Names of ffmpeg's: "mp4", "mov", "webm", "matroska", "avi".
        package var container = "mp4"
        /// "mpeg4", "ffv1" (without loss), "libvpx".
        package var codec = "mpeg4"
        package var width = 32
        package var height = 16
        /// Pictures a second.
        package var rate: Int32 = 10
        /// The interval between key frames, in frames.
        package var keyInterval: Int32 = 5
        /// Clockwise.
        package var degrees = 0.0
        /// 0xRRGGBB, one for each picture.
        package var colors: [UInt32]

        package init(
            container: String = "mp4", codec: String = "mpeg4", width: Int = 32, height: Int = 16, rate: Int32 = 10,
            keyInterval: Int32 = 5, degrees: Double = 0, colors: [UInt32]
        ) {
            (self.container, self.codec, self.width, self.height) = (container, codec, width, height)
            (self.rate, self.keyInterval, self.degrees, self.colors) = (rate, keyInterval, degrees, colors)
        }

        /// Nil if this ffmpeg cannot.
        package func file() -> [UInt8]? {
            var made: UnsafeMutablePointer<AVFormatContext>?
            guard avformat_alloc_output_context2(&made, nil, container, nil) >= 0, let format = made,
                let encoder = avcodec_find_encoder_by_name(codec), let stream = avformat_new_stream(format, nil)
            else { return nil }
            defer { avformat_free_context(format) }
            var context = avcodec_alloc_context3(encoder)
            defer { avcodec_free_context(&context) }
            guard let context, open(context, encoder), avcodec_parameters_from_context(stream.pointee.codecpar, context) >= 0,
                avio_open_dyn_buf(&format.pointee.pb) >= 0
            else { return nil }
            stream.pointee.time_base = context.pointee.time_base
            if degrees != 0 {
                guard let matrix = gannet_av_new_display_matrix(stream) else { return nil }
                av_display_rotation_set(matrix, degrees)
            }
            let isWritten = write(context, stream, format)
            // Closing writes behind the place where the writer stands.
            avio_flush(format.pointee.pb)
            avio_seek(format.pointee.pb, avio_size(format.pointee.pb), SEEK_SET)
            var bytes: UnsafeMutablePointer<UInt8>?
            let count = avio_close_dyn_buf(format.pointee.pb, &bytes)
            format.pointee.pb = nil
            defer { av_free(bytes) }
            guard isWritten, let bytes, count > 0 else { return nil }
            return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }

        private func open(_ context: UnsafeMutablePointer<AVCodecContext>, _ encoder: UnsafePointer<AVCodec>) -> Bool {
            context.pointee.width = Int32(width)
            context.pointee.height = Int32(height)
            context.pointee.time_base = AVRational(num: 1, den: rate)
            context.pointee.framerate = AVRational(num: rate, den: 1)
            context.pointee.gop_size = keyInterval
            context.pointee.max_b_frames = 0
            context.pointee.bit_rate = 4_000_000
            context.pointee.pix_fmt = codec == "ffv1" ? AV_PIX_FMT_BGR0 : AV_PIX_FMT_YUV420P
            // Headers beside the stream: AV_CODEC_FLAG_GLOBAL_HEADER.
            if container != "avi" { context.pointee.flags |= 1 << 22 }
            return avcodec_open2(context, encoder, nil) >= 0
        }

        private func write(
            _ context: UnsafeMutablePointer<AVCodecContext>, _ stream: UnsafeMutablePointer<AVStream>,
            _ format: UnsafeMutablePointer<AVFormatContext>
        ) -> Bool {
            guard avformat_write_header(format, nil) >= 0 else { return false }
            var packet = av_packet_alloc()
            defer { av_packet_free(&packet) }
            guard let packet else { return false }
            for index in 0...colors.count {
                var frame = index < colors.count ? picture(colors[index], context) : nil
                frame?.pointee.pts = Int64(index)
                guard avcodec_send_frame(context, frame) >= 0 else { return false }
                av_frame_free(&frame)
                while avcodec_receive_packet(context, packet) >= 0 {
                    av_packet_rescale_ts(packet, context.pointee.time_base, stream.pointee.time_base)
                    packet.pointee.stream_index = stream.pointee.index
                    packet.pointee.duration = av_rescale_q(1, context.pointee.time_base, stream.pointee.time_base)
                    guard av_interleaved_write_frame(format, packet) >= 0 else { return false }
                }
            }
            return av_write_trailer(format) >= 0
        }

        private func picture(
            _ color: UInt32, _ context: UnsafeMutablePointer<AVCodecContext>
        ) -> UnsafeMutablePointer<AVFrame>? {
            guard let frame = av_frame_alloc() else { return nil }
            frame.pointee.width = context.pointee.width
            frame.pointee.height = context.pointee.height
            frame.pointee.format = context.pointee.pix_fmt.rawValue
            guard av_frame_get_buffer(frame, 0) >= 0 else { return nil }
            let (red, green, blue) = (Double(color >> 16 & 255), Double(color >> 8 & 255), Double(color & 255))
            if context.pointee.pix_fmt == AV_PIX_FMT_BGR0 {
                fill(frame.pointee.data.0, Int(frame.pointee.linesize.0), height) { x in
                    [UInt8(blue), UInt8(green), UInt8(red), 0][x & 3]
                }
                return frame
            }
            // BT.601, studio range.
            let luma = 16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255
            let bluish = 128 + (-37.797 * red - 74.203 * green + 112 * blue) / 255
            let reddish = 128 + (112 * red - 93.786 * green - 18.214 * blue) / 255
            fill(frame.pointee.data.0, Int(frame.pointee.linesize.0), height) { _ in UInt8(luma.rounded()) }
            fill(frame.pointee.data.1, Int(frame.pointee.linesize.1), height / 2) { _ in UInt8(bluish.rounded()) }
            fill(frame.pointee.data.2, Int(frame.pointee.linesize.2), height / 2) { _ in UInt8(reddish.rounded()) }
            return frame
        }

        private func fill(_ plane: UnsafeMutablePointer<UInt8>?, _ stride: Int, _ rows: Int, _ value: (Int) -> UInt8) {
            guard let plane else { return }
            for y in 0..<rows { for x in 0..<stride { plane[y * stride + x] = value(x) } }
        }
    }
#endif
