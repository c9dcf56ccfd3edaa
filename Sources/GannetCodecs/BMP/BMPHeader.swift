#if BMP || ICO
    import GannetCore

    /// The header of a device-independent bitmap, from BITMAPCOREHEADER to BITMAPV5HEADER and OS/2 2.x, with palette and masks.
    struct BMPHeader {
        enum Compression { case none, runs8, runs4, bitFields }

        /// One channel of a pixel of 16 or 32 bits.
        struct Channel {
            var shift: Int
            var maximum: Int

            /// Nil if the bits of the mask are not contiguous. An empty mask has the maximum 0.
            init?(mask: Int) {
                shift = mask == 0 ? 0 : mask.trailingZeroBitCount
                maximum = mask >> shift
                guard maximum & (maximum + 1) == 0 else { return nil }
            }

            /// 0 … 255, rounded down as in other readers, so that 16-bit images look the same.
            func value(_ pixel: Int) -> UInt8 {
                maximum == 0 ? 0 : UInt8(((pixel >> shift) & maximum) * 255 / maximum)
            }
        }

        let size: PixelSize
        let isTopDown: Bool
        let bits: Int
        let compression: Compression
        /// Red, green, blue, alpha; empty for palettes and 24 bits.
        let channels: [Channel]
        /// RGB.
        let palette: [UInt8]
        /// Offset after header, masks and palette, from the start of the header.
        let end: Int
        /// Range of the profile from the start of the header.
        let profile: Range<Int>?

        var hasAlpha: Bool { channels.count == 4 && channels[3].maximum > 0 }

        static func isHeaderSize(_ size: Int) -> Bool {
            size == 12 || size >= 16 && size <= 64 && size & 3 == 0 || size == 108 || size == 124
        }

        /// Bytes of a row of uncompressed pixels, with padding.
        var bytesPerRow: Int { (size.width * bits + 31) / 32 * 4 }
        /// The bytes of a row without padding, which may be missing after the last row.
        var leastRowBytes: Int { (size.width * bits + 7) / 8 }
        /// Rows of uncompressed pixels in so many bytes.
        func wholeRows(of byteCount: Int) -> Int {
            byteCount < leastRowBytes ? 0 : min(size.height, (byteCount - leastRowBytes) / bytesPerRow + 1)
        }

        /// Nil: more bytes are needed. `head` begins with the header's own size. `halvesHeight`: for an icon, whose height
        /// counts image and mask. `paletteRoom`: bytes up to the pixels, if known.
        init?(_ head: [UInt8], halvesHeight: Bool, paletteRoom: Int?) throws(ImageError) {
            let fields = LittleEndianFields(bytes: head)
            guard let headerSize = fields.long(0) else { return nil }
            guard Self.isHeaderSize(headerSize) else {
                throw ImageError(.unsupported, stage: .decode, "A bitmap header of \(headerSize) bytes is not known.")
            }
            guard head.count >= headerSize else { return nil }
            let isCore = headerSize == 12
            guard let width = isCore ? fields.word(4) : fields.signed(4),
                let storedHeight = isCore ? fields.word(6) : fields.signed(8),
                let depth = fields.word(isCore ? 10 : 14)
            else { return nil }
            isTopDown = storedHeight < 0
            let height = halvesHeight ? abs(storedHeight) / 2 : abs(storedHeight)
            guard width > 0, height > 0 else { throw Self.corrupt("The bitmap has no valid size.") }
            guard let size = PixelSize(width: width, height: height) else {
                throw ImageError(.limitExceeded, stage: .decode, "The bitmap has \(width)×\(height) pixels; that is too much.")
            }
            self.size = size
            bits = depth
            // Short OS/2 headers omit the following fields.
            let code = headerSize >= 20 ? fields.long(16) ?? 0 : 0
            compression = try Self.compression(code, bits: depth, headerSize: headerSize)
            guard !isTopDown || compression == .none || compression == .bitFields else {
                throw Self.corrupt("A compressed bitmap cannot be stored top down.")
            }

            var position = headerSize
            var masks: [Int] = []
            if compression == .bitFields {
                // Masks follow headers of 40 bytes and are inside longer ones, at the same offset.
                let count = headerSize >= 56 || code == 6 ? 4 : 3
                for index in 0..<count {
                    guard let mask = fields.long(40 + index * 4) else { return nil }
                    masks.append(mask)
                }
                if headerSize == 40 { position += count * 4 }
            } else if depth == 16 {
                masks = [0x7C00, 0x03E0, 0x001F]
            } else if depth == 32 {
                // Icons of 32 bits have alpha; in BMP files the fourth byte means nothing.
                masks = [0xFF0000, 0xFF00, 0xFF] + (halvesHeight ? [0xFF00_0000] : [])
            }
            var channels: [Channel] = []
            for mask in masks {
                guard let channel = Channel(mask: mask & (depth == 16 ? 0xFFFF : 0xFFFF_FFFF)) else {
                    throw Self.corrupt("A colour mask has holes.")
                }
                channels.append(channel)
            }
            self.channels = channels

            var palette: [UInt8] = []
            if depth <= 8 {
                let entry = isCore ? 3 : 4
                let used = headerSize >= 36 ? fields.long(32) ?? 0 : 0
                var count = used > 0 ? min(used, 1 << depth) : 1 << depth
                if let paletteRoom { count = min(count, max(0, (paletteRoom - position) / entry)) }
                guard head.count >= position + count * entry else { return nil }
                for index in 0..<count {
                    let start = position + index * entry
                    palette += [head[start + 2], head[start + 1], head[start]]
                }
                position += max(used, count) * entry
            }
            self.palette = palette
            end = position
            if headerSize == 124, fields.long(56) == 0x4D42_4544, let start = fields.long(112), let count = fields.long(116),
                start >= headerSize, count > 0
            {
                profile = start..<start + count
            } else {
                profile = nil
            }
        }

        private static func compression(_ code: Int, bits: Int, headerSize: Int) throws(ImageError) -> Compression {
            switch (code, bits) {
            case (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (0, 24), (0, 32): return .none
            case (1, 8): return .runs8
            case (2, 4): return .runs4
            // Code 3 in OS/2 is Huffman coding.
            case (3, 16) where headerSize != 64, (3, 32) where headerSize != 64, (6, 16), (6, 32): return .bitFields
            case (1...6, _), (0, 48), (0, 64), (11...13, _):
                throw ImageError(
                    .unsupported, stage: .decode, "Bitmaps of \(bits) bits with compression \(code) are not supported.")
            default: throw corrupt("The bitmap has an unknown depth (\(bits)) or compression (\(code)).")
            }
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
