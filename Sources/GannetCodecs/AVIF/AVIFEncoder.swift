#if AVIF
    import CAVIF
    import GannetCore
    import GannetKernels

    /// Writes AVIF: 8 bits with subsampled chroma below quality 90, 4:4:4 above, lossless at 100; 10 bits for 16-bit images, 12 for those
    /// in high range at quality 100. Animations become sequences with their delays and loop count. The gain map of a still image stands
    /// beside it.
    final class AVIFEncoder: HighRangeEncoder {
        private let options: EncodeOptions
        /// The map of the size that was encoded last: other qualities of the image have the same.
        private var written: (size: PixelSize, map: AVIFGainMapWriting?)?
        /// As that of JPEG.
        private static let mapQuality = 95

        init(options: EncodeOptions) { self.options = options }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            try EncodeSizing.encode(image, options: options, defaultQuality: 60) { (frames, quality) throws(ImageError) in
                guard frames.size.width <= 65536, frames.size.height <= 65536 else {
                    throw failed("a side is longer than 65536; set maximumPixelSize")
                }
                return try write(frames, quality)
            }
        }

        private func write(_ frames: EncodeFrames, _ quality: Int) throws(ImageError) -> [UInt8] {
            let writer = try AVIFWriter(quality: quality, effort: options.effort, isSequence: frames.count > 1)
            let isLoopSet = writer.setLoopCount(frames.loopCount)
            // The same for all frames, because a sequence either has an alpha track or none.
            var opaque = true
            var index = 0
            while opaque, index < frames.count {
                opaque = isOpaque(try frames.bitmap(index))
                index += 1
            }
            for index in 0..<frames.count {
                try ImageError.checkCancellation(stage: .encode)
                let bitmap = try unpremultiplied(frames.bitmap(index))
                try writer.add(
                    bitmap, hasAlpha: !opaque, quality: quality, isOnly: frames.count == 1,
                    milliseconds: Int((frames.delay(index).seconds * 1000).rounded()))
            }
            let bytes = try writer.finish()
            if opaque, frames.count == 1, let map = try gainMap(of: frames.bitmap(0)) { return map.added(to: bytes) ?? bytes }
            return frames.count > 1 && !isLoopSet ? AVIFLoop.setting(frames.loopCount, in: bytes) : bytes
        }

        /// Nil: there is none, it is not wanted, takes more than a quarter of the file, or cannot be decoded.
        private func gainMap(of bitmap: Bitmap) throws(ImageError) -> AVIFGainMapWriting? {
            guard options.keepsGainMap, let map = bitmap.gainMap else { return nil }
            if let written, written.size == bitmap.size { return written.map }
            var made: AVIFGainMapWriting?
            do throws(ImageError) {
                let encoded = map.source.encoded
                let writer = try AVIFWriter(quality: Self.mapQuality, effort: options.effort, isSequence: false)
                try writer.add(
                    try map.bitmap(for: bitmap.size), hasAlpha: false, quality: Self.mapQuality, isOnly: true, milliseconds: 0,
                    isGray: encoded.isGray)
                made = AVIFGainMapWriting(map: try writer.finish(), encoded: encoded)
            } catch {
                if error.code == .cancelled { throw error }
            }
            // The image would be shrunk to make room for it.
            if let limit = options.maximumFileSize, let bytes = made?.addedBytes, bytes > limit / 4 { made = nil }
            written = (bitmap.size, made)
            return made
        }

        private func failed(_ why: String) -> ImageError {
            ImageError(.encodeFailed, stage: .encode, "AVIF was not written: \(why).")
        }
    }

    /// Owner of a libavif encoder.
    private struct AVIFWriter: ~Copyable {
        private let encoder: UnsafeMutablePointer<avifEncoder>

        init(quality: Int, effort: Int?, isSequence: Bool) throws(ImageError) {
            guard let encoder = avifEncoderCreate() else { throw Self.failed("libavif has no memory") }
            self.encoder = encoder
            let quantizer = Int32((63 * (100 - quality) + 50) / 100)
            encoder.pointee.minQuantizer = quality >= 100 ? 0 : max(0, quantizer - 4)
            encoder.pointee.maxQuantizer = quality >= 100 ? 0 : min(63, quantizer + 4)
            let alphaQuantizer = quantizer / 2
            encoder.pointee.minQuantizerAlpha = 0
            encoder.pointee.maxQuantizerAlpha = quality >= 100 ? 0 : alphaQuantizer
            // From speed 7 on, libaom encodes sequences as for calls, and aborts the process for some: small frames at low
            // quality, lossless ones at high quality.
            encoder.pointee.speed = Int32(min(effort.map { 10 - min(max($0, 0), 9) } ?? 6, isSequence ? 6 : 10))
            encoder.pointee.timescale = 1000
        }

        deinit { avifEncoderDestroy(encoder) }

        /// 0 is for ever. Returns false if this libavif cannot write the loop count.
        func setLoopCount(_ count: Int) -> Bool { gannet_avif_set_loop_count(encoder, Int32(clamping: count)) }

        /// `bitmap` is straight or opaque.
        func add(
            _ bitmap: Bitmap, hasAlpha: Bool, quality: Int, isOnly: Bool, milliseconds: Int, isGray: Bool = false
        ) throws(ImageError) {
            let isDeep = bitmap.layout.format == .rgba16
            let range = bitmap.dynamicRange
            let colorFormat = quality >= 90 ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420
            let format = isGray ? AVIF_PIXEL_FORMAT_YUV400 : colorFormat
            let depth: UInt32 = !isDeep ? 8 : range.isHigh && quality >= 100 ? 12 : 10
            guard let image = avifImageCreate(UInt32(bitmap.width), UInt32(bitmap.height), depth, format) else {
                throw Self.failed("libavif has no memory")
            }
            defer { avifImageDestroy(image) }
            image.pointee.colorPrimaries = avifColorPrimaries(
                range.isHigh ? AVIF_COLOR_PRIMARIES_BT2020 : AVIF_COLOR_PRIMARIES_BT709)
            image.pointee.transferCharacteristics = avifTransferCharacteristics(
                range.isHigh ? AVIF_TRANSFER_CHARACTERISTICS_SMPTE2084 : AVIF_TRANSFER_CHARACTERISTICS_SRGB)
            let matrix = range.isHigh ? AVIF_MATRIX_COEFFICIENTS_BT2020_NCL : AVIF_MATRIX_COEFFICIENTS_BT601
            image.pointee.matrixCoefficients = avifMatrixCoefficients(
                quality >= 100 ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : matrix)
            if let brightest = range.brightest { gannet_avif_set_light_level(image, UInt16(clamping: brightest)) }
            image.pointee.yuvRange = AVIF_RANGE_FULL
            var rgb = avifRGBImage()
            avifRGBImageSetDefaults(&rgb, image)
            rgb.format = AVIF_RGB_FORMAT_RGBA
            rgb.depth = isDeep ? 16 : 8
            rgb.ignoreAlpha = hasAlpha ? 0 : 1
            let converted = bitmap.withUnsafeRows { base, stride in
                // The pixels are only read, although the library's field is not const.
                rgb.pixels = UnsafeMutablePointer(mutating: base)
                rgb.rowBytes = UInt32(stride)
                return avifImageRGBToYUV(image, &rgb)
            }
            try check(converted)
            // Frames that refer to others are not lossless, whatever the quantizers.
            let flags =
                isOnly
                ? AVIF_ADD_IMAGE_FLAG_SINGLE : quality >= 100 ? AVIF_ADD_IMAGE_FLAG_FORCE_KEYFRAME : AVIF_ADD_IMAGE_FLAG_NONE
            try check(avifEncoderAddImage(encoder, image, UInt64(max(0, milliseconds)), avifAddImageFlags(flags.rawValue)))
        }

        func finish() throws(ImageError) -> [UInt8] {
            var output = avifRWData()
            defer { avifRWDataFree(&output) }
            try check(avifEncoderFinish(encoder, &output))
            return Array(UnsafeBufferPointer(start: output.data, count: output.size))
        }

        private func check(_ result: avifResult) throws(ImageError) {
            guard result != AVIF_RESULT_OK else { return }
            throw Self.failed("libavif says \(String(cString: avifResultToString(result)))")
        }

        private static func failed(_ why: String) -> ImageError {
            ImageError(.encodeFailed, stage: .encode, "AVIF was not written: \(why).")
        }
    }
#endif
