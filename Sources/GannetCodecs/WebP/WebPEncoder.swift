#if WebP
    import CWebP
    import GannetCore

    /// Writes WebP: lossy below quality 100, lossless at 100. Animations keep delays (milliseconds) and loop count.
    final class WebPEncoder: ImageEncoder {
        private let options: EncodeOptions

        init(options: EncodeOptions) { self.options = options }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            try EncodeSizing.encode(image, options: options, defaultQuality: 80) { (frames, quality) throws(ImageError) in
                guard frames.size.width <= 16383, frames.size.height <= 16383 else {
                    throw ImageError(
                        .encodeFailed, stage: .encode,
                        "A WebP cannot be larger than 16383×16383; the image is \(frames.size). Set maximumPixelSize.")
                }
                let config = try configuration(quality)
                return frames.count > 1 ? try animation(frames, config) : try still(frames, config)
            }
        }

        /// `quality`: 0 … 100, of this attempt.
        func configuration(_ quality: Int) throws(ImageError) -> WebPConfig {
            var config = WebPConfig()
            guard WebPConfigInit(&config) != 0 else {
                throw ImageError(
                    .unsupported, stage: .encode, "The libwebp found at run time does not fit the one built against.")
            }
            if let effort = options.effort { config.method = Int32(min(max(effort, 0), 9) * 6 / 9) }
            let wanted = options.webP
            let isLossless = wanted.lossless ?? (quality >= 100)
            // Of a lossless image it is the work that is put into it.
            config.quality = isLossless && (wanted.lossless == nil || options.quality == nil) ? 75 : Float(quality)
            for (field, value) in wanted.values { config.set(field, value) }
            config.lossless = isLossless ? 1 : 0
            guard WebPValidateConfig(&config) != 0 else { throw failed("libwebp refuses the options") }
            return config
        }

        private func still(_ frames: EncodeFrames, _ config: WebPConfig) throws(ImageError) -> [UInt8] {
            let picture = try WebPPictureHandle(frames.pixels(0), size: frames.size)
            return try picture.encoded(config)
        }

        private func animation(_ frames: EncodeFrames, _ config: WebPConfig) throws(ImageError) -> [UInt8] {
            let writer = try WebPAnimationWriter(size: frames.size, loopCount: frames.loopCount, config: config)
            var time = 0
            var isOpaque = true
            for index in 0..<frames.count {
                try ImageError.checkCancellation(stage: .encode)
                let pixels = try frames.pixels(index)
                isOpaque = isOpaque && pixels.allSatisfy { $0 >= 0xFF00_0000 }
                try writer.add(WebPPictureHandle(pixels, size: frames.size), at: time)
                time += Int((frames.delay(index).seconds * 1000).rounded())
                guard time <= Int32.max else { throw failed("the animation is longer than 24 days") }
            }
            let file = try writer.finish(at: time)
            return isOpaque ? file : Self.sayingAlpha(file)
        }

        /// libwebp sets the flag where a frame's rectangle has alpha; what no rectangle covers is clear too (RFC 9649, 2.7.1), and
        /// decoders that read the flag would show it black.
        private static func sayingAlpha(_ file: [UInt8]) -> [UInt8] {
            guard file.count > 20, file[12..<16].elementsEqual("VP8X".utf8) else { return file }
            var file = file
            file[20] |= 0x10
            return file
        }

        private func failed(_ why: String) -> ImageError {
            ImageError(.encodeFailed, stage: .encode, "WebP was not written: \(why).")
        }
    }

    extension WebPConfig {
        fileprivate mutating func set(_ field: WebPOptions.Field, _ value: Double) {
            // In range: the options were checked.
            let number = Int32(value)
            switch field {
            case .lossless: lossless = number
            case .method: method = number
            case .targetSize: target_size = number
            case .targetPSNR: target_PSNR = Float(value)
            case .segments: segments = number
            case .noiseShaping: sns_strength = number
            case .filterStrength: filter_strength = number
            case .filterSharpness: filter_sharpness = number
            case .filterType: filter_type = number
            case .autofilter: autofilter = number
            case .alphaCompression: alpha_compression = number
            case .alphaFiltering: alpha_filtering = number
            case .alphaQuality: alpha_quality = number
            case .pass: pass = number
            case .preprocessing: preprocessing = number
            case .partitions: partitions = number
            case .partitionLimit: partition_limit = number
            case .emulatesJPEGSize: emulate_jpeg_size = number
            case .threads: thread_level = number
            case .lowMemory: low_memory = number
            case .nearLossless: near_lossless = number
            case .exact: exact = number
            case .sharpYUV: use_sharp_yuv = number
            case .imageHint: image_hint = WebPImageHint(rawValue: UInt32(number))
            case .qualityMinimum: qmin = number
            case .qualityMaximum: qmax = number
            }
        }
    }

    /// The owner of one image for libwebp.
    private struct WebPPictureHandle: ~Copyable {
        fileprivate let picture: UnsafeMutablePointer<WebPPicture>

        /// `pixels` are straight, 0xAABBGGRR; the library copies them.
        init(_ pixels: [UInt32], size: PixelSize) throws(ImageError) {
            picture = UnsafeMutablePointer<WebPPicture>.allocate(capacity: 1)
            picture.initialize(to: WebPPicture())
            guard WebPPictureInit(picture) != 0 else {
                throw ImageError(
                    .unsupported, stage: .encode, "The libwebp found at run time does not fit the one built against.")
            }
            picture.pointee.use_argb = 1
            picture.pointee.width = Int32(size.width)
            picture.pointee.height = Int32(size.height)
            // Called from time to time, on this thread; 0 stops the encoder.
            picture.pointee.progress_hook = { _, _ in Task.isCancelled ? 0 : 1 }
            let isImported = pixels.withUnsafeBytes {
                WebPPictureImportRGBA(picture, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(size.width * 4)) != 0
            }
            guard isImported else { throw ImageError(.encodeFailed, stage: .encode, "libwebp has no memory for the image.") }
        }

        deinit {
            WebPPictureFree(picture)
            picture.deallocate()
        }

        func encoded(_ config: WebPConfig) throws(ImageError) -> [UInt8] {
            var config = config
            let writer = UnsafeMutablePointer<WebPMemoryWriter>.allocate(capacity: 1)
            WebPMemoryWriterInit(writer)
            defer {
                WebPMemoryWriterClear(writer)
                writer.deallocate()
            }
            picture.pointee.writer = WebPMemoryWrite
            picture.pointee.custom_ptr = UnsafeMutableRawPointer(writer)
            guard WebPEncode(&config, picture) != 0 else { throw error }
            return Array(UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
        }

        fileprivate var error: ImageError {
            picture.pointee.error_code == VP8_ENC_ERROR_USER_ABORT
                ? .cancelled(stage: .encode)
                : ImageError(
                    .encodeFailed, stage: .encode,
                    "libwebp did not write the image (error \(picture.pointee.error_code.rawValue)).")
        }
    }

    /// An animation that libwebp writes; it detects automatically what changed between frames.
    private struct WebPAnimationWriter: ~Copyable {
        private let encoder: OpaquePointer
        private let config: WebPConfig

        init(size: PixelSize, loopCount: Int, config: WebPConfig) throws(ImageError) {
            var options = WebPAnimEncoderOptions()
            guard WebPAnimEncoderOptionsInit(&options) != 0 else {
                throw ImageError(
                    .unsupported, stage: .encode, "The libwebp found at run time does not fit the one built against.")
            }
            options.anim_params.loop_count = Int32(min(max(loopCount, 0), 65535))
            guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options) else {
                throw ImageError(.encodeFailed, stage: .encode, "libwebp has no memory for the animation.")
            }
            self.encoder = encoder
            self.config = config
        }

        deinit { WebPAnimEncoderDelete(encoder) }

        func add(_ picture: borrowing WebPPictureHandle, at milliseconds: Int) throws(ImageError) {
            var config = config
            guard WebPAnimEncoderAdd(encoder, picture.picture, Int32(milliseconds), &config) != 0 else { throw picture.error }
        }

        func finish(at milliseconds: Int) throws(ImageError) -> [UInt8] {
            var data = WebPData()
            WebPDataInit(&data)
            defer { WebPDataClear(&data) }
            guard WebPAnimEncoderAdd(encoder, nil, Int32(milliseconds), nil) != 0, WebPAnimEncoderAssemble(encoder, &data) != 0
            else {
                throw ImageError(.encodeFailed, stage: .encode, "libwebp did not put the animation together.")
            }
            return Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
        }
    }
#endif
