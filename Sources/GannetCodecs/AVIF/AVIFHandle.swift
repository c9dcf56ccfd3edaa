#if AVIF
    import CAVIF
    import GannetCore

    /// The owner of a libavif decoder and of a copy of the bytes it reads; the only file that uses their pointers.
    final class AVIFHandle {
        /// The input of the library's read callback.
        private struct Source {
            var bytes: UnsafeMutableBufferPointer<UInt8>
            var isComplete: Bool
        }

        private let decoder: UnsafeMutablePointer<avifDecoder>
        private let crops: Bool

        /// Reads all boxes but no pixels. Nil: `bytes` are incomplete, and more are needed. `crops`: to the clean aperture.
        init?(
            _ bytes: [UInt8], isComplete: Bool, crops: Bool, limits: DecodeLimits, threads: Int
        ) throws(ImageError) {
            self.crops = crops
            try HEIFLists.avif.check(bytes)
            guard let decoder = avifDecoderCreate() else { throw Self.outOfMemory }
            self.decoder = decoder
            decoder.pointee.maxThreads = Int32(clamping: threads)
            decoder.pointee.strictFlags = avifStrictFlags(AVIF_STRICT_DISABLED.rawValue)
            decoder.pointee.ignoreXMP = 1
            // EXIF may lie at the end of the file.
            decoder.pointee.ignoreExif = isComplete ? 0 : 1
            decoder.pointee.imageSizeLimit = UInt32(clamping: min(max(limits.maximumPixels, 1), 1 << 28))
            decoder.pointee.imageDimensionLimit = 1 << 16
            decoder.pointee.imageCountLimit = UInt32(clamping: max(limits.maximumFrames, 1))
            let sizeHint = isComplete ? bytes.count : max(limits.maximumEncodedBytes, bytes.count)
            avifDecoderSetIO(decoder, Self.makeIO(bytes, isComplete: isComplete, sizeHint: sizeHint))
            let result = avifDecoderParse(decoder)
            if result == AVIF_RESULT_WAITING_ON_IO { return nil }
            try check(result)
            // The coded image may have another size than the boxes declare; the library then scales it. Up to four times as many
            // pixels may be legitimate (cropped tiles, layers). A larger image is refused when its first frame is decoded.
            let honest = max(4 * codedArea, 1 << 20)
            decoder.pointee.imageSizeLimit = min(decoder.pointee.imageSizeLimit, UInt32(clamping: honest))
        }

        deinit { avifDecoderDestroy(decoder) }

        private static func makeIO(_ bytes: [UInt8], isComplete: Bool, sizeHint: Int) -> UnsafeMutablePointer<avifIO> {
            let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, bytes.count))
            _ = copy.initialize(from: bytes)
            source.initialize(
                to: Source(bytes: UnsafeMutableBufferPointer(rebasing: copy[..<bytes.count]), isComplete: isComplete))
            let io = UnsafeMutablePointer<avifIO>.allocate(capacity: 1)
            io.initialize(to: avifIO())
            io.pointee.sizeHint = UInt64(sizeHint)
            io.pointee.persistent = 1
            io.pointee.data = UnsafeMutableRawPointer(source)
            io.pointee.read = { io, _, offset, size, out in
                guard let io, let out, let data = io.pointee.data else { return AVIF_RESULT_IO_ERROR }
                let source = data.assumingMemoryBound(to: Source.self).pointee
                let count = UInt64(source.bytes.count)
                if offset > count { return source.isComplete ? AVIF_RESULT_IO_ERROR : AVIF_RESULT_WAITING_ON_IO }
                var size = size
                if UInt64(size) > count - offset {
                    if !source.isComplete { return AVIF_RESULT_WAITING_ON_IO }
                    size = Int(count - offset)
                }
                out.pointee.data = UnsafePointer(source.bytes.baseAddress! + Int(offset))
                out.pointee.size = size
                return AVIF_RESULT_OK
            }
            // The library destroys the object it was given, together with the decoder.
            io.pointee.destroy = { io in
                guard let io, let data = io.pointee.data else { return }
                let source = data.assumingMemoryBound(to: Source.self)
                source.pointee.bytes.baseAddress?.deallocate()
                source.deallocate()
                io.deallocate()
            }
            return io
        }

        // MARK: - What the boxes say

        private var image: avifImage { decoder.pointee.image.pointee }

        /// Pixels of the whole image, of which ``shown`` may be a part.
        var codedArea: Int { Int(image.width) * Int(image.height) }
        /// The shown part, before orientation.
        var shown: PixelRect {
            let whole = PixelRect(x: 0, y: 0, width: Int(image.width), height: Int(image.height))
            guard crops, image.transformFlags & AVIF_TRANSFORM_CLAP.rawValue != 0 else { return whole }
            return AVIFAperture.rect(image.clap, in: whole) ?? whole
        }
        var depth: Int { Int(image.depth) }
        var hasAlpha: Bool { decoder.pointee.alphaPresent != 0 }
        var isPremultiplied: Bool { image.alphaPremultiplied != 0 }
        var frameCount: Int { Int(decoder.pointee.imageCount) }
        var iccProfile: [UInt8] { Self.array(image.icc) }
        var exif: [UInt8] { Self.array(image.exif) }

        var cicp: CICP {
            CICP(
                primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics),
                matrix: Int(image.matrixCoefficients), isFullRange: image.yuvRange == AVIF_RANGE_FULL)
        }

        private static func array(_ data: avifRWData) -> [UInt8] {
            Array(UnsafeBufferPointer(start: data.data, count: data.data == nil ? 0 : data.size))
        }

        /// A quarter turn counter-clockwise comes first, then the mirror.
        var orientation: Orientation {
            let flags = image.transformFlags
            let turns = flags & AVIF_TRANSFORM_IROT.rawValue == 0 ? 0 : Int(image.irot.angle & 3)
            guard flags & AVIF_TRANSFORM_IMIR.rawValue != 0 else { return [.up, .left, .down, .right][turns] }
            return gannet_avif_mirror_axis(&decoder.pointee.image.pointee.imir).pointee & 1 == 0
                ? [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored][turns]
                : [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored][turns]
        }

        // MARK: - Pixels

        /// Fills the buffer with the shown part of frame `index`; colours are straight, or premultiplied if the file's are.
        func decode(
            _ index: Int, into buffer: inout PixelBuffer, _ environment: DecodeEnvironment, _ watch: DecodeWatch
        ) throws(ImageError) {
            try go(to: index, watch)
            let shown = shown
            guard shown.width == buffer.size.width, shown.height == buffer.size.height else {
                throw Self.corrupt("The AV1 image is \(shown.width)×\(shown.height), the AVIF file says \(buffer.size).")
            }
            if shown.width == Int(image.width), shown.height == Int(image.height) {
                try convert(decoder.pointee.image, into: &buffer)
            } else {
                let crop = AVIFAperture(shown, of: image)
                guard let view = avifImageCreateEmpty() else { throw Self.outOfMemory }
                defer { avifImageDestroy(view) }
                var rect = crop.view
                try check(avifImageSetViewRect(view, decoder.pointee.image, &rect))
                guard crop.left > 0 || crop.top > 0 else { return try convert(view, into: &buffer) }
                let layout = PixelLayout(
                    size: PixelSize(clamping: Int(rect.width), Int(rect.height)), format: buffer.layout.format)
                let reservation = try environment.reserve(layout.byteCount)
                defer { withExtendedLifetime(reservation) {} }
                var larger = try PixelBuffer(layout, pool: environment.pool)
                try convert(view, into: &larger)
                crop.copy(larger, into: &buffer)
            }
        }

        /// Steps from frame to frame, because the library makes no checks on its way to a distant frame.
        private func go(to index: Int, _ watch: DecodeWatch) throws(ImageError) {
            let current = Int(decoder.pointee.imageIndex)
            guard index != current else { return }
            let key = Int(avifDecoderNearestKeyframe(decoder, UInt32(index)))
            let first = index > current ? max(current + 1, key) : key
            for step in first...index {
                try watch.check()
                let isNext = step == Int(decoder.pointee.imageIndex) + 1
                try check(isNext ? avifDecoderNextImage(decoder) : avifDecoderNthImage(decoder, UInt32(step)))
            }
        }

        private func convert(
            _ image: UnsafeMutablePointer<avifImage>, into buffer: inout PixelBuffer
        ) throws(ImageError) {
            var rgb = avifRGBImage()
            avifRGBImageSetDefaults(&rgb, image)
            rgb.format = AVIF_RGB_FORMAT_RGBA
            rgb.depth = buffer.layout.format == .rgba16 ? 16 : 8
            // If the image has no alpha, the library then fills the channel; told to ignore alpha, it leaves that to the caller.
            rgb.ignoreAlpha = 0
            rgb.alphaPremultiplied = image.pointee.alphaPremultiplied
            // libyuv truncates 10 and 12 bits; the library's own conversion rounds.
            rgb.avoidLibYUV = depth > 8 ? 1 : 0
            let result = buffer.withUnsafeRows { base, stride in
                rgb.pixels = base
                rgb.rowBytes = UInt32(stride)
                return avifImageYUVToRGB(image, &rgb)
            }
            try check(result)
        }

        // MARK: - Errors

        private func check(_ result: avifResult) throws(ImageError) {
            guard result != AVIF_RESULT_OK else { return }
            let detail = withUnsafeBytes(of: decoder.pointee.diag.error) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let name = String(cString: avifResultToString(result))
            let why = detail.isEmpty ? name : detail
            if why.contains("Limit") || why.contains("too large") {
                throw ImageError(
                    .limitExceeded, stage: .decode, "The AVIF file is over a limit: \(why). Raise the decode limits.")
            }
            switch result {
            case AVIF_RESULT_OUT_OF_MEMORY: throw Self.outOfMemory
            case AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_UNSUPPORTED_DEPTH,
                AVIF_RESULT_REFORMAT_FAILED:
                throw ImageError(
                    .unsupported, stage: .decode, "The AVIF file uses something that this libavif cannot decode: \(why).")
            case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR, AVIF_RESULT_WAITING_ON_IO:
                throw ImageError(.truncated, stage: .decode, "The AVIF file ends before its image does: \(why).")
            default: throw Self.corrupt("The AVIF file is damaged: \(why).")
            }
        }

        private static var outOfMemory: ImageError {
            ImageError(.limitExceeded, stage: .decode, "libavif has no memory for this image.")
        }

        private static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
