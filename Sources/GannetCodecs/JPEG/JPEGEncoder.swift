#if JPEG
    import CGannetShims
    import GannetCore
    import GannetKernels

    /// Writes one JPEG: 8 bits, YCbCr or of grey alone, sRGB, without metadata except a requested thumbnail; behind it the gain map, if there is one.
    ///
    /// Chroma has full resolution from quality 90 on, and half otherwise. Of animations, only the first frame is written.
    final class JPEGEncoder: ImageEncoder {
        private let options: EncodeOptions
        static let defaultQuality = 85
        /// Of gain maps: a step of a sample is up to a hundredth of the light.
        static let mapQuality = 95
        /// libjpeg's longest side.
        static let maximumSide = 65_500

        init(_ options: EncodeOptions) { self.options = options }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            let fitted = try EncodePreparation.fitted(image.bitmap, into: options.maximumPixelSize)
            let bitmap = try EncodePreparation.flattened(fitted, on: options.background)
            guard max(bitmap.width, bitmap.height) <= Self.maximumSide else {
                throw ImageError(
                    .encodeFailed, stage: .encode,
                    "A JPEG's sides are at most \(Self.maximumSide) pixels; this image has \(bitmap.size). Set maximumPixelSize."
                )
            }
            var thumbnail = options.embedsThumbnail ? try thumbnail(of: bitmap) : nil
            var map = try gainMap(of: bitmap)
            if let limit = options.maximumFileSize {
                // The image would be shrunk to make room for them.
                if let bytes = thumbnail?.count, bytes > limit / 4 { thumbnail = nil }
                if let bytes = map?.addedBytes, bytes > limit / 4 { map = nil }
            }
            let quality = min(max(options.quality ?? Self.defaultQuality, 0), 100)
            // An image with a gain map stays as its readers know it: in colour.
            let isGray = map == nil && EncodePreparation.isGray(bitmap)
            guard let limit = options.maximumFileSize else {
                guard let file = try write(bitmap, quality, limit: .max, thumbnail, map, isGray) else {
                    throw ImageError(.encodeFailed, stage: .encode, "The JPEG grew beyond all bounds.")
                }
                return file
            }
            return try EncodePreparation.smallEnough(bitmap, quality: quality, limit: limit) {
                [thumbnail, map] (bitmap, quality) throws(ImageError) in
                try write(bitmap, quality, limit: limit, thumbnail, map, isGray)
            }
        }

        /// Nil: larger than `limit`.
        private func write(
            _ bitmap: Bitmap, _ quality: Int, limit: Int, _ thumbnail: [UInt8]?, _ map: UltraHDR.Attachment?, _ isGray: Bool
        ) throws(ImageError) -> [UInt8]? {
            guard let map else { return try write(bitmap, quality, limit: limit, thumbnail: thumbnail, isGray: isGray) }
            guard let file = try write(bitmap, quality, limit: limit - map.addedBytes, thumbnail: thumbnail) else { return nil }
            return map.added(to: file) ?? file
        }

        /// Nil: there is none, it is not wanted, or it cannot be decoded; the image is good without it.
        private func gainMap(of bitmap: Bitmap) throws(ImageError) -> UltraHDR.Attachment? {
            guard options.keepsGainMap, let map = bitmap.gainMap else { return nil }
            let encoded = map.source.encoded
            do throws(ImageError) {
                if encoded.metadata.usesBaseColors, encoded.bytes.starts(with: [0xFF, 0xD8]), map.isUnchanged(for: bitmap.size),
                    let file = JPEGStripping.image(encoded.bytes)
                {
                    return UltraHDR.Attachment(file, encoded.metadata)
                }
                let pixels = try map.bitmap(for: bitmap.size)
                let file = try write(pixels, Self.mapQuality, limit: .max, thumbnail: nil, isGray: encoded.isGray)
                return file.flatMap { UltraHDR.Attachment($0, encoded.metadata, iccProfile: encoded.iccProfile) }
            } catch {
                if error.code == .cancelled { throw error }
                return nil
            }
        }

        /// Smaller images get optimised Huffman tables unless an effort below 5 says otherwise: they are written once and sent often. A thumbnail of 400
        /// pixels takes 0.3 ms more, and 7 % fewer bytes.
        private static let optimisedArea = 1 << 20

        private func thumbnail(of bitmap: Bitmap) throws(ImageError) -> [UInt8]? {
            let small = try EncodePreparation.fitted(bitmap, into: PixelSize(clamping: 160, 160))
            return try write(small, 75, limit: 60_000, thumbnail: nil)
        }

        /// Nil: larger than `limit`.
        private func write(
            _ bitmap: Bitmap, _ quality: Int, limit: Int, thumbnail: [UInt8]?, isGray: Bool = false
        ) throws(ImageError) -> [UInt8]? {
            let handle = try JPEGEncoderHandle(limit: limit)
            guard
                try handle.start(
                    bitmap.size, quality: quality, isProgressive: options.progressive,
                    isOptimised: options.maximumFileSize != nil
                        || options.effort.map { $0 >= 5 } ?? (bitmap.size.area <= Self.optimisedArea), isGray: isGray)
            else { return nil }
            if let thumbnail {
                guard try handle.writeMarker(0xE1, EXIF.prefix + EXIF.block(thumbnail: thumbnail)) else { return nil }
            }
            var y = 0
            while y < bitmap.height {
                try ImageError.checkCancellation(stage: .encode)
                let count = min(64, bitmap.height - y)
                guard try handle.writeRows(of: bitmap, y..<y + count) else { return nil }
                y += count
            }
            return try handle.finish(limit: limit)
        }
    }

    /// The owner of one libjpeg-turbo compressor; the only encoding code that uses its pointers.
    struct JPEGEncoderHandle: ~Copyable {
        private let encoder: OpaquePointer

        init(limit: Int) throws(ImageError) {
            guard let made = gannet_jpeg_encoder_new(limit) else {
                throw ImageError(.encodeFailed, stage: .encode, "The system has no memory left for a JPEG encoder.")
            }
            encoder = made
        }

        deinit { gannet_jpeg_encoder_free(encoder) }

        // Each returns false if the file exceeds its limit.

        func start(
            _ size: PixelSize, quality: Int, isProgressive: Bool, isOptimised: Bool, isGray: Bool
        ) throws(ImageError) -> Bool {
            try check(
                gannet_jpeg_encoder_start(
                    encoder, Int32(size.width), Int32(size.height), Int32(quality), isProgressive ? 1 : 0, isOptimised ? 1 : 0,
                    isGray ? 1 : 0))
        }

        func writeMarker(_ code: Int32, _ bytes: [UInt8]) throws(ImageError) -> Bool {
            precondition(bytes.count <= 65_533, "a segment is at most 65,533 bytes long")
            return try check(
                bytes.withUnsafeBufferPointer { gannet_jpeg_encoder_write_marker(encoder, code, $0.baseAddress, $0.count) })
        }

        func writeRows(of bitmap: Bitmap, _ rows: Range<Int>) throws(ImageError) -> Bool {
            precondition(rows.lowerBound >= 0 && rows.upperBound <= bitmap.height && bitmap.layout.format == .rgba8)
            return try check(
                bitmap.withUnsafeRows { base, stride in
                    gannet_jpeg_encoder_write_rows(encoder, base + rows.lowerBound * stride, stride, Int32(rows.count))
                })
        }

        /// Returns the file; nil if it exceeds the limit.
        func finish(limit: Int) throws(ImageError) -> [UInt8]? {
            guard try check(gannet_jpeg_encoder_finish(encoder)) else { return nil }
            var count = 0
            let bytes = gannet_jpeg_encoder_bytes(encoder, &count)
            return count > limit ? nil : Array(UnsafeBufferPointer(start: bytes, count: count))
        }

        private func check(_ result: gannet_jpeg_result) throws(ImageError) -> Bool {
            guard result == GANNET_JPEG_FAILED else { return true }
            if gannet_jpeg_encoder_is_over_limit(encoder) != 0 { return false }
            let words = String(cString: gannet_jpeg_encoder_message(encoder))
            throw ImageError(.encodeFailed, stage: .encode, "libjpeg cannot write this image: \(words).")
        }
    }
#endif
