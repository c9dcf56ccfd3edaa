#if WebP
    import CWebP
    import GannetCore

    /// A still image that libwebp decodes from growing bytes. The owner of the library's decoder and, for previews, of its
    /// pixels.
    struct WebPStillHandle: ~Copyable {
        private let config: UnsafeMutablePointer<WebPDecoderConfig>
        private let decoder: OpaquePointer

        /// - Parameters:
        ///   - target: The destination of the pixels; nil: the library's own memory, which the caller has to reserve.
        ///   - scaled: The size to shrink to while decoding; nil keeps it.
        ///   - isFiltered: Smooths the borders of blocks. The library never does if it shrinks below three quarters.
        init(
            premultiplied: Bool, scaled: PixelSize?, isFiltered: Bool, threads: Int,
            target: (base: UnsafeMutablePointer<UInt8>, layout: PixelLayout)?
        ) throws(ImageError) {
            let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
            guard WebPInitDecoderConfig(config) != 0 else {
                config.deallocate()
                throw ImageError(
                    .unsupported, stage: .decode, "The libwebp found at run time does not fit the one built against.")
            }
            config.pointee.output.colorspace = premultiplied ? MODE_rgbA : MODE_RGBA
            if let scaled {
                config.pointee.options.use_scaling = 1
                config.pointee.options.scaled_width = Int32(scaled.width)
                config.pointee.options.scaled_height = Int32(scaled.height)
            }
            config.pointee.options.bypass_filtering = isFiltered ? 0 : 1
            config.pointee.options.use_threads = threads > 1 ? 1 : 0
            if let target {
                config.pointee.output.is_external_memory = 1
                config.pointee.output.u.RGBA.rgba = target.base
                config.pointee.output.u.RGBA.stride = Int32(target.layout.bytesPerRow)
                config.pointee.output.u.RGBA.size = target.layout.byteCount
            }
            guard let decoder = WebPIDecode(nil, 0, config) else {
                config.deallocate()
                throw ImageError(.limitExceeded, stage: .decode, "libwebp has no memory for a decoder.")
            }
            self.config = config
            self.decoder = decoder
        }

        deinit {
            WebPIDelete(decoder)
            WebPFreeDecBuffer(&config.pointee.output)
            config.deallocate()
        }

        /// Passes all bytes so far: those of the previous call, and more. Returns true when the image is complete.
        mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> Bool {
            let status = WebPIUpdate(decoder, bytes.baseAddress, bytes.count)
            switch status {
            case VP8_STATUS_OK: return true
            case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: return false
            default: throw WebPError.decoding(status)
            }
        }

        /// The complete rows at the (scaled) size, in the library's memory. Nil before the first.
        var rows: (base: UnsafePointer<UInt8>, bytesPerRow: Int, count: Int)? {
            var last: Int32 = 0
            var width: Int32 = 0
            var height: Int32 = 0
            var stride: Int32 = 0
            guard let base = WebPIDecGetRGB(decoder, &last, &width, &height, &stride), last > 0 else { return nil }
            return (UnsafePointer(base), Int(stride), Int(last))
        }
    }

    /// An animation that libwebp draws frame by frame. Keeps the file's bytes alive, because the library points into them.
    final class WebPAnimationHandle {
        private let decoder: OpaquePointer
        private let bytes: UnsafeMutableBufferPointer<UInt8>
        let frameCount: Int
        /// The frame that the next call draws.
        private var next = 0

        init(_ file: some Collection<UInt8>, premultiplied: Bool, threads: Int) throws(ImageError) {
            bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.count)
            _ = bytes.initialize(from: file)
            var options = WebPAnimDecoderOptions()
            var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
            var info = WebPAnimInfo()
            guard WebPAnimDecoderOptionsInit(&options) != 0 else {
                bytes.deallocate()
                throw ImageError(
                    .unsupported, stage: .decode, "The libwebp found at run time does not fit the one built against.")
            }
            options.color_mode = premultiplied ? MODE_rgbA : MODE_RGBA
            options.use_threads = threads > 1 ? 1 : 0
            guard let decoder = WebPAnimDecoderNew(&data, &options) else {
                bytes.deallocate()
                throw WebPFile.corrupt("libwebp finds the WebP animation damaged.")
            }
            guard WebPAnimDecoderGetInfo(decoder, &info) != 0 else {
                WebPAnimDecoderDelete(decoder)
                bytes.deallocate()
                throw WebPFile.corrupt("libwebp finds no frames in the WebP animation.")
            }
            self.decoder = decoder
            frameCount = Int(info.frame_count)
        }

        deinit {
            WebPAnimDecoderDelete(decoder)
            bytes.deallocate()
        }

        /// Draws frame `index`; going back restarts at the first frame. The rows are packed, four bytes for each pixel, and valid
        /// until the next call.
        func frame(_ index: Int, watch: DecodeWatch) throws(ImageError) -> UnsafePointer<UInt8> {
            if index < next {
                WebPAnimDecoderReset(decoder)
                next = 0
            }
            var rows: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            while next <= index {
                try watch.check()
                guard WebPAnimDecoderGetNext(decoder, &rows, &time) != 0 else {
                    throw WebPFile.corrupt("Frame \(next) of the WebP animation is damaged.")
                }
                next += 1
            }
            guard let rows else { throw WebPFile.corrupt("libwebp drew no frame.") }
            return UnsafePointer(rows)
        }
    }

    enum WebPError {
        static func decoding(_ status: VP8StatusCode) -> ImageError {
            switch status {
            case VP8_STATUS_OUT_OF_MEMORY:
                ImageError(
                    .limitExceeded, stage: .decode, "libwebp has no memory for this image; ask for a smaller target size.")
            case VP8_STATUS_UNSUPPORTED_FEATURE:
                ImageError(.unsupported, stage: .decode, "The WebP file uses something that libwebp does not know.")
            default: WebPFile.corrupt("The WebP image is damaged.")
            }
        }
    }
#endif
