#if PNM
    import GannetCore

    /// A Netpbm file: words, then values row by row.
    struct PNMFile: WholeFileFormat {
        // Comments can be long.
        static let headerBytes = 1 << 16

        private let pnm: PNMHeader
        private let pixels: PNMPixels
        let header: ImageHeader

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard let pnm = try PNMHeader(head) else {
                guard head.count < Self.headerBytes else {
                    throw PNMHeader.corrupt("The header does not end within \(Self.headerBytes) bytes.")
                }
                return nil
            }
            self.pnm = pnm
            pixels = PNMPixels(pnm, cuts: options.color == .raw)
            let bits = Int.bitWidth - pnm.maximum.leadingZeroBitCount
            header = ImageHeader(
                format: .pnm, size: pnm.size, hasAlpha: pnm.hasAlpha,
                bitDepth: [1, 2, 4, 8, 10, 12, 16].first { $0 >= bits } ?? 16)
        }

        /// Plain pixels have at least one digit each, and spaces between numbers.
        var leastBytes: Int {
            let values = pnm.size.area * pnm.channels
            return switch pnm.storage {
            case .plain: pnm.end + values * 2 - 1
            case .plainBits: pnm.end + values
            case .raw, .rawBits: pnm.end + pnm.bytesPerRow * pnm.size.height
            }
        }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            var words = PNMWords(bytes, from: pnm.end)
            let (width, channels) = (pnm.size.width, pnm.channels)
            var values = [Int](repeating: 0, count: min(width, Self.pieceWidth) * channels)
            for y in 0..<pnm.size.height {
                if y & 15 == 0 { try watch.check() }
                let start = pnm.end + y * pnm.bytesPerRow
                if pnm.storage == .raw || pnm.storage == .rawBits {
                    guard start + pnm.bytesPerRow <= bytes.count else { return false }
                    if pixels.copies {
                        pixels.copy(bytes, start, into: &buffer, y)
                        continue
                    }
                }
                for x in stride(from: 0, to: width, by: Self.pieceWidth) {
                    let count = min(Self.pieceWidth, width - x) * channels
                    switch pnm.storage {
                    case .plain:
                        guard try read(count, &values, { () throws(ImageError) in try words.lastNumber() }) else { return false }
                    case .plainBits:
                        guard try read(count, &values, { () throws(ImageError) in try words.bit() }) else { return false }
                    case .rawBits: unpack(count, bytes, start + x / 8, into: &values)
                    case .raw: unpack(count, bytes, start + x * channels * (pnm.maximum > 255 ? 2 : 1), into: &values)
                    }
                    pixels.put(values[..<count], at: x, into: &buffer, y)
                }
            }
            return true
        }

        /// Pixels of a row that are unpacked at once, so that long rows need no extra memory: a multiple of 8.
        private static let pieceWidth = 1 << 12

        private func read(
            _ count: Int, _ values: inout [Int], _ next: () throws(ImageError) -> Int?
        ) throws(ImageError) -> Bool {
            for index in 0..<count {
                guard let value = try next() else { return false }
                values[index] = value
            }
            return true
        }

        private func unpack(_ count: Int, _ bytes: [UInt8], _ start: Int, into values: inout [Int]) {
            let source = bytes.span
            if pnm.storage == .rawBits {
                for x in 0..<count { values[x] = Int(source[start + x / 8] >> (7 - x & 7) & 1) }
            } else if pnm.maximum > 255 {
                for index in 0..<count {
                    values[index] = Int(source[start + index * 2]) << 8 | Int(source[start + index * 2 + 1])
                }
            } else {
                for index in 0..<count { values[index] = Int(source[start + index]) }
            }
        }
    }
#endif
