#if ICO
    import GannetCore

    /// One image of an icon: a bitmap with a mask, or a PNG.
    struct ICOImage {
        enum Kind {
            case bitmap(BMPHeader)
            case png
        }

        let kind: Kind
        let bytes: Range<Int>
        let header: ImageHeader

        /// Nil: more bytes are needed.
        init?(
            _ entry: ICODirectory.Entry, in head: [UInt8], environment: DecodeEnvironment
        ) throws(ImageError) {
            bytes = entry.bytes
            guard head.count >= entry.bytes.lowerBound + 16 else { return nil }
            let start = Array(head[entry.bytes.lowerBound..<min(head.count, entry.bytes.lowerBound + 4096)])
            if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                guard let inner = try Self.pngHeader(head, entry.bytes, environment) else { return nil }
                kind = .png
                header = inner
                return
            }
            guard let bitmap = try BMPHeader(start, halvesHeight: true, paletteRoom: nil) else { return nil }
            kind = .bitmap(bitmap)
            header = ImageHeader(format: .ico, size: bitmap.size, hasAlpha: true, bitDepth: min(8, bitmap.bits))
        }

        private static func pngHeader(
            _ head: [UInt8], _ bytes: Range<Int>, _ environment: DecodeEnvironment
        ) throws(ImageError) -> ImageHeader? {
            #if PNG
                let inner = PNGDecoder(options: pngOptions(ResolvedDecodeOptions()), environment: environment)
                let isComplete = head.count >= bytes.upperBound
                let part = Array(head[bytes.lowerBound..<min(head.count, bytes.upperBound)])
                _ = try inner.read(from: ByteRope(part, isComplete: isComplete))
                guard var header = inner.header else { return nil }
                header.format = .ico
                header.orientation = .up
                header.animation = nil
                header.frameCount = 1
                // Pixels have 8 bits a channel, whichever image is decoded.
                header.bitDepth = min(8, header.bitDepth)
                return header
            #else
                throw ImageError(.unsupported, stage: .decode, "The icon holds a PNG, and this build has no trait PNG.")
            #endif
        }

        /// Decodes the inner image whole: the outer code decides about its final size.
        private static func pngOptions(_ options: ResolvedDecodeOptions) -> ResolvedDecodeOptions {
            var options = options
            options.target = .original
            options.scaleDownToBytes = nil
            options.frames = .first
            options.keeps16Bit = false
            return options
        }

        /// The last chunk of a PNG, which has nothing of the image.
        private static let pngEnd = 12

        /// End of pixels and mask. With alpha, the mask may be missing; of a PNG its end chunk.
        var end: Int {
            guard case .bitmap(let bitmap) = kind else { return max(bytes.lowerBound, bytes.upperBound - Self.pngEnd) }
            let pixels = maskStart(bitmap)
            let mask = pixels + maskBytesPerRow(bitmap) * bitmap.size.height
            return bitmap.hasAlpha ? min(mask, max(pixels, bytes.upperBound)) : mask
        }

        private func maskStart(_ bitmap: BMPHeader) -> Int {
            bytes.lowerBound + bitmap.end + bitmap.bytesPerRow * bitmap.size.height
        }

        private func maskBytesPerRow(_ bitmap: BMPHeader) -> Int { (bitmap.size.width + 31) / 32 * 4 }

        func decode(
            _ file: [UInt8], options: ResolvedDecodeOptions, environment: DecodeEnvironment, into buffer: inout PixelBuffer,
            _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            switch kind {
            case .bitmap(let bitmap):
                guard bitmap.compression == .none || bitmap.compression == .bitFields else {
                    throw ImageError(.unsupported, stage: .decode, "Compressed bitmaps in icons are not supported.")
                }
                let isWhole = try BMPPixels(bitmap).decode(file, from: bytes.lowerBound + bitmap.end, into: &buffer, watch)
                guard isWhole else { return false }
                // Some writers leave the fourth byte of 32-bit pixels zero everywhere and rely on the mask.
                if bitmap.hasAlpha, !buffer.isClear { return true }
                return applyMask(bitmap, file, into: &buffer)
            case .png:
                #if PNG
                    let inner = PNGDecoder(options: Self.pngOptions(options), environment: environment)
                    let part = Array(file[min(bytes.lowerBound, file.count)..<min(bytes.upperBound, file.count)])
                    _ = try inner.read(from: ByteRope(part))
                    try inner.decodeFrame(at: 0, into: &buffer)
                    return !inner.isPartial
                #else
                    return false
                #endif
            }
        }

        /// A set bit makes its pixel clear. False: the mask ends early (with alpha it may be missing).
        private func applyMask(_ bitmap: BMPHeader, _ file: [UInt8], into buffer: inout PixelBuffer) -> Bool {
            let start = maskStart(bitmap)
            let step = maskBytesPerRow(bitmap)
            // A profile at the mask's place: there is no mask.
            if let profile = bitmap.profile, bytes.lowerBound + profile.lowerBound < start + step * bitmap.size.height,
                bytes.lowerBound + profile.upperBound > start
            {
                return true
            }
            guard start + step * bitmap.size.height <= file.count else { return bitmap.hasAlpha }
            for line in 0..<bitmap.size.height {
                let y = bitmap.isTopDown ? line : bitmap.size.height - 1 - line
                var row = buffer.mutableRow(y)
                for x in 0..<bitmap.size.width {
                    let isMasked = file[start + line * step + x / 8] >> (7 - x & 7) & 1 == 1
                    row[x * 4 + 3] = isMasked ? 0 : 255
                }
            }
            return true
        }
    }
#endif
