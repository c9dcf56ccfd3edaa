#if JXL
    import CJXL
    import GannetCore

    /// The owner of a libjxl decoder and of its threads; the only decoding file that uses their pointers.
    final class JXLHandle {
        struct Events: OptionSet {
            let rawValue: Int32
            static let info = Events(rawValue: Int32(JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue))
            static let frame = Events(rawValue: Int32(JXL_DEC_FRAME.rawValue))
            static let image = Events(rawValue: Int32(JXL_DEC_FULL_IMAGE.rawValue))
        }

        enum Event { case needsMoreData, info, colors, frame, needsBuffer, image, finished }

        private let decoder: OpaquePointer
        private let runner: UnsafeMutableRawPointer?
        /// Bytes that the library has consumed.
        private(set) var offset = 0
        private var format = JxlPixelFormat(num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 16)

        init(_ events: Events, threads: Int, isDeep: Bool = false) throws(ImageError) {
            guard let decoder = JxlDecoderCreate(nil) else { throw Self.outOfMemory }
            runner = threads > 1 ? JxlThreadParallelRunnerCreate(nil, threads) : nil
            self.decoder = decoder
            if isDeep { format.data_type = JXL_TYPE_UINT16 }
            if let runner { _ = JxlDecoderSetParallelRunner(decoder, JxlThreadParallelRunner, runner) }
            guard JxlDecoderSubscribeEvents(decoder, events.rawValue) == JXL_DEC_SUCCESS,
                JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
            else { throw Self.outOfMemory }
        }

        deinit {
            JxlDecoderDestroy(decoder)
            if let runner { JxlThreadParallelRunnerDestroy(runner) }
        }

        /// Advances to the next event with the file's bytes that are there, or that may be read.
        func advance(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> Event {
            // The library may have kept unprocessed bytes, so it is called even if there are no new ones.
            if offset < bytes.count, let base = bytes.baseAddress {
                guard JxlDecoderSetInput(decoder, base + offset, bytes.count - offset) == JXL_DEC_SUCCESS else {
                    throw Self.corrupt("libjxl takes no more bytes.")
                }
            }
            let status = JxlDecoderProcessInput(decoder)
            offset = bytes.count - JxlDecoderReleaseInput(decoder)
            switch status {
            case JXL_DEC_NEED_MORE_INPUT: return .needsMoreData
            case JXL_DEC_BASIC_INFO: return .info
            case JXL_DEC_COLOR_ENCODING: return .colors
            case JXL_DEC_FRAME: return .frame
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: return .needsBuffer
            case JXL_DEC_FULL_IMAGE: return .image
            case JXL_DEC_SUCCESS: return .finished
            default: throw Self.corrupt("libjxl finds the file damaged.")
            }
        }

        func skipFrames(_ count: Int) { if count > 0 { JxlDecoderSkipFrames(decoder, count) } }

        // MARK: - Header

        var info: JxlBasicInfo {
            get throws(ImageError) {
                var info = JxlBasicInfo()
                guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw Self.corrupt("There is no header.") }
                return info
            }
        }

        /// The duration of the frame in ticks, and whether it is the last.
        var frame: (duration: Int, isLast: Bool) {
            get throws(ImageError) {
                var header = JxlFrameHeader()
                guard JxlDecoderGetFrameHeader(decoder, &header) == JXL_DEC_SUCCESS else {
                    throw Self.corrupt("A frame has no header.")
                }
                return (Int(header.duration), header.is_last != 0)
            }
        }

        /// The extra channel with the black ink of a CMYK image.
        func blackChannel(_ info: JxlBasicInfo) -> Int? {
            (0..<Int(info.num_extra_channels)).first { index in
                var channel = JxlExtraChannelInfo()
                return JxlDecoderGetExtraChannelInfo(decoder, index, &channel) == JXL_DEC_SUCCESS
                    && channel.type == JXL_CHANNEL_BLACK
            }
        }

        /// The colour space of the pixels that the library delivers.
        func colorSpace(limits: DecodeLimits) throws(ImageError) -> ColorSpace {
            var encoding = JxlColorEncoding()
            if gannet_jxl_encoded_colors(decoder, &encoding) == JXL_DEC_SUCCESS,
                let cicp = Self.cicp(encoding)
            {
                return ColorSpace(model: .rgb, cicp: cicp.isSRGB ? nil : cicp)
            }
            var size = 0
            guard gannet_jxl_profile_size(decoder, &size) == JXL_DEC_SUCCESS,
                size > 0
            else { return .sRGB }
            try limits.check(metadataBytes: size)
            let profile = [UInt8](unsafeUninitializedCapacity: size) { target, filled in
                let status = gannet_jxl_profile(decoder, target.baseAddress, size)
                filled = status == JXL_DEC_SUCCESS ? size : 0
            }
            return ColorSpace(model: ICCProfile.isGray(profile) ? .gray : .rgb, iccProfile: profile)
        }

        /// The library's code points, which are those of ITU-T H.273 where it has them; nil if only a profile describes the
        /// colours.
        private static func cicp(_ encoding: JxlColorEncoding) -> CICP? {
            guard encoding.color_space == JXL_COLOR_SPACE_RGB || encoding.color_space == JXL_COLOR_SPACE_GRAY else { return nil }
            let isGray = encoding.color_space == JXL_COLOR_SPACE_GRAY
            let primaries: Int
            switch (isGray ? JXL_PRIMARIES_SRGB : encoding.primaries, encoding.white_point) {
            case (JXL_PRIMARIES_SRGB, JXL_WHITE_POINT_D65): primaries = 1
            case (JXL_PRIMARIES_2100, JXL_WHITE_POINT_D65): primaries = 9
            case (JXL_PRIMARIES_P3, JXL_WHITE_POINT_D65): primaries = 12
            case (JXL_PRIMARIES_P3, JXL_WHITE_POINT_DCI): primaries = 11
            default: return nil
            }
            let transfer = Int(encoding.transfer_function.rawValue)
            guard [1, 8, 13, 16, 17, 18].contains(transfer) else { return nil }
            return CICP(primaries: primaries, transfer: transfer, matrix: 0, isFullRange: true)
        }

        // MARK: - Pixels

        /// Makes the library write into `base` until the frame is complete; `byteCount` bytes, rows 16-byte aligned as in a pixel
        /// buffer.
        func setTarget(_ base: UnsafeMutablePointer<UInt8>, byteCount: Int) throws(ImageError) {
            guard JxlDecoderSetImageOutBuffer(decoder, &format, base, byteCount) == JXL_DEC_SUCCESS else {
                throw Self.corrupt("libjxl cannot decode these pixels.")
            }
        }

        /// The same for the samples of one extra channel, 8 bits, rows not aligned.
        func setTarget(_ base: UnsafeMutablePointer<UInt8>, byteCount: Int, channel: Int) throws(ImageError) {
            var plain = JxlPixelFormat(num_channels: 1, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
            guard JxlDecoderSetExtraChannelBuffer(decoder, &plain, base, byteCount, UInt32(channel)) == JXL_DEC_SUCCESS else {
                throw Self.corrupt("libjxl cannot decode these inks.")
            }
        }

        /// Writes the image as far as it has arrived into the target. False: there is nothing to show yet.
        func flush() -> Bool { JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS }

        // MARK: - Errors

        static func corrupt(_ message: String) -> ImageError {
            ImageError(.corrupt, stage: .decode, "The JPEG XL file cannot be decoded: \(message)")
        }

        private static var outOfMemory: ImageError {
            ImageError(.limitExceeded, stage: .decode, "libjxl has no memory for this image.")
        }
    }
#endif
