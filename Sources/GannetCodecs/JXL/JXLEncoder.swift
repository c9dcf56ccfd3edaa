#if JXL
    import CJXL
    import GannetCore
    import GannetKernels
    import Glibc

    /// Writes JPEG XL: lossy below quality 100, lossless at 100, 16 bits if the image has them, PQ in high range. Animations keep delays
    /// (milliseconds) and loop count; `progressive` stores coarse parts first.
    final class JXLEncoder: HighRangeEncoder {
        private let options: EncodeOptions

        init(options: EncodeOptions) { self.options = options }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            try EncodeSizing.encode(image, options: options, defaultQuality: 90) { (frames, quality) throws(ImageError) in
                try write(frames, quality)
            }
        }

        private func write(_ frames: EncodeFrames, _ quality: Int) throws(ImageError) -> [UInt8] {
            var hasAlpha = false
            var isDeep = false
            var index = 0
            while index < frames.count {
                let bitmap = try frames.bitmap(index)
                hasAlpha = hasAlpha || !isOpaque(bitmap)
                isDeep = isDeep || bitmap.layout.format == .rgba16
                index += 1
            }
            let writer = try JXLWriter(
                frames.size, hasAlpha: hasAlpha, isDeep: isDeep, loopCount: frames.count > 1 ? frames.loopCount : nil,
                isLossless: quality >= 100, range: try frames.bitmap(0).dynamicRange)
            try writer.set(quality: quality, effort: options.effort, progressive: options.progressive)
            for index in 0..<frames.count {
                try ImageError.checkCancellation(stage: .encode)
                let straight = try unpremultiplied(frames.bitmap(index))
                try writer.add(
                    isDeep ? widened(straight) : straight,
                    milliseconds: frames.count > 1 ? Int((frames.delay(index).seconds * 1000).rounded()) : nil)
            }
            return try writer.finish()
        }
    }

    /// The owner of a libjxl encoder.
    private final class JXLWriter {
        private let encoder: OpaquePointer
        private let settings: OpaquePointer
        private let hasAlpha: Bool
        private let isDeep: Bool
        private let isLossless: Bool

        init(_ size: PixelSize, hasAlpha: Bool, isDeep: Bool, loopCount: Int?, isLossless: Bool, range: DynamicRange)
            throws(ImageError)
        {
            guard let encoder = JxlEncoderCreate(nil) else { throw Self.failed("no memory") }
            guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
                JxlEncoderDestroy(encoder)
                throw Self.failed("no memory")
            }
            self.encoder = encoder
            self.settings = settings
            self.hasAlpha = hasAlpha
            self.isDeep = isDeep
            self.isLossless = isLossless
            var info = JxlBasicInfo()
            JxlEncoderInitBasicInfo(&info)
            info.xsize = UInt32(size.width)
            info.ysize = UInt32(size.height)
            info.bits_per_sample = isDeep ? 16 : 8
            info.uses_original_profile = isLossless ? 1 : 0
            if hasAlpha {
                info.num_extra_channels = 1
                info.alpha_bits = info.bits_per_sample
            }
            if let loopCount {
                info.have_animation = 1
                info.animation.tps_numerator = 1000
                info.animation.tps_denominator = 1
                info.animation.num_loops = UInt32(clamping: loopCount)
            }
            try check(JxlEncoderSetBasicInfo(encoder, &info))
            var colors = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&colors, JXL_FALSE)
            if range.isHigh {
                // The library then takes 10,000 cd/m² for the largest sample.
                (colors.primaries, colors.transfer_function) = (JXL_PRIMARIES_2100, JXL_TRANSFER_FUNCTION_PQ)
            }
            try check(JxlEncoderSetColorEncoding(encoder, &colors))
        }

        deinit { JxlEncoderDestroy(encoder) }

        func set(quality: Int, effort: Int?, progressive: Bool) throws(ImageError) {
            if isLossless {
                try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE))
            } else {
                // As in cjxl: quality 90 is distance 1, a loss that is hardly visible.
                let distance =
                    quality >= 30 ? 0.1 + Double(100 - quality) * 0.09 : 6.4 + pow(2.5, Double(30 - quality) / 5) / 6.25
                try check(JxlEncoderSetFrameDistance(settings, Float(min(distance, 15))))
            }
            if let effort {
                try check(
                    JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Int64(min(max(effort, 1), 9))))
            }
            if progressive {
                try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_QPROGRESSIVE_AC, 1))
                try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_RESPONSIVE, 1))
            }
        }

        /// `bitmap` is straight or opaque, with the depth that was announced. The library copies the pixels.
        func add(_ bitmap: Bitmap, milliseconds: Int?) throws(ImageError) {
            if let milliseconds {
                var header = JxlFrameHeader()
                JxlEncoderInitFrameHeader(&header)
                // A duration of 0 would make the frame a layer of the next one (ISO/IEC 18181-1), which is never shown
                // separately.
                header.duration = UInt32(clamping: max(milliseconds, 1))
                try check(JxlEncoderSetFrameHeader(settings, &header))
            }
            let channels = hasAlpha ? 4 : 3
            var format = JxlPixelFormat(
                num_channels: UInt32(channels), data_type: isDeep ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                endianness: JXL_NATIVE_ENDIAN, align: 0)
            let packed = pack(bitmap, channels: channels)
            try check(packed.withUnsafeBytes { JxlEncoderAddImageFrame(settings, &format, $0.baseAddress, $0.count) })
        }

        private func pack(_ bitmap: Bitmap, channels: Int) -> [UInt8] {
            let size = isDeep ? 2 : 1
            let (width, height) = (bitmap.width, bitmap.height)
            let fillsAlpha = channels == 4 && bitmap.layout.alpha == .opaque
            return [UInt8](unsafeUninitializedCapacity: width * height * channels * size) { target, count in
                bitmap.withUnsafeRows { base, stride in
                    var out = 0
                    for y in 0..<height {
                        var source = base + y * stride
                        for _ in 0..<width {
                            for byte in 0..<channels * size {
                                target[out] = fillsAlpha && byte >= 3 * size ? 255 : source[byte]
                                out += 1
                            }
                            source += 4 * size
                        }
                    }
                    count = out
                }
            }
        }

        func finish() throws(ImageError) -> [UInt8] {
            JxlEncoderCloseInput(encoder)
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            var used = 0
            while true {
                var left = bytes.count - used
                let status = bytes.withUnsafeMutableBufferPointer { target in
                    var next = target.baseAddress.map { $0 + used }
                    return JxlEncoderProcessOutput(encoder, &next, &left)
                }
                used = bytes.count - left
                if status == JXL_ENC_SUCCESS { return Array(bytes[..<used]) }
                guard status == JXL_ENC_NEED_MORE_OUTPUT else { throw Self.failed("the library gives up") }
                try ImageError.checkCancellation(stage: .encode)
                bytes.append(contentsOf: repeatElement(0, count: bytes.count))
            }
        }

        private func check(_ status: JxlEncoderStatus) throws(ImageError) {
            guard status == JXL_ENC_SUCCESS else { throw Self.failed("error \(JxlEncoderGetError(encoder).rawValue)") }
        }

        private static func failed(_ why: String) -> ImageError {
            ImageError(.encodeFailed, stage: .encode, "JPEG XL was not written; libjxl says: \(why).")
        }
    }
#endif
