#if QOI
    import GannetCore

    /// A QOI file: 14 bytes of header, chunks, and an end mark of eight bytes.
    struct QOIFile: WholeFileFormat {
        static let magic: [UInt8] = [0x71, 0x6F, 0x69, 0x66]
        static let headerBytes = 14
        /// The end mark.
        static let end: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]

        let header: ImageHeader

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard head.count >= Self.headerBytes else { return nil }
            func side(_ offset: Int) -> Int { head[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
            let (width, height) = (side(4), side(8))
            guard head.starts(with: Self.magic), width > 0, height > 0, head[12] == 3 || head[12] == 4, head[13] <= 1 else {
                throw ImageError(.corrupt, stage: .decode, "The header of the QOI file breaks the format's rules.")
            }
            guard let size = PixelSize(width: width, height: height) else {
                throw ImageError(.limitExceeded, stage: .decode, "The image has \(width)×\(height) pixels; that is too much.")
            }
            // The header's "linear" flag is “purely informative” by the specification. Writers that set it (Pillow and
            // imagecodecs by default) write sRGB all the same.
            header = ImageHeader(format: .qoi, size: size, hasAlpha: head[12] == 4, colorSpace: ColorSpace(model: .rgb))
        }

        /// Runs are at most 62 pixels long. A file without its end mark may have all pixels.
        var leastBytes: Int { Self.headerBytes + (header.size.area + 61) / 62 }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            var reader = QOIReader()
            let source = bytes.span
            let forced: UInt32 = header.hasAlpha ? 0 : 0xFF00_0000
            for y in 0..<header.size.height {
                if y & 63 == 0 { try watch.check() }
                var row = buffer.mutablePixels(y)
                guard reader.read(source, into: &row, or: forced) else { return false }
            }
            if reader.position + Self.end.count <= bytes.count { return true }
            // The mark is cut short, or was taken for pixels.
            return Self.end.starts(with: bytes[reader.position...]) && bytes.suffix(Self.end.count) != Self.end[...]
        }
    }

    /// State carried from pixel to pixel.
    struct QOIReader {
        private(set) var position = QOIFile.headerBytes
        private var pixel = QOIPixel()
        private var run = 0
        private var seen = [64 of UInt32](repeating: 0)

        /// Reads one row. False: the bytes end before it does.
        @_lifetime(row: copy row)
        mutating func read(_ bytes: Span<UInt8>, into row: inout MutableSpan<UInt32>, or forced: UInt32) -> Bool {
            for x in row.indices {
                if run > 0 {
                    run -= 1
                } else {
                    guard next(bytes) else { return false }
                }
                row[x] = UInt32(littleEndian: pixel.value | forced)
            }
            return true
        }

        private mutating func next(_ bytes: Span<UInt8>) -> Bool {
            guard position < bytes.count else { return false }
            let tag = bytes[position]
            position += 1
            switch tag >> 6 {
            case 0: pixel.value = seen[Int(tag)]
            case 1: pixel.add(tag >> 4 & 3 &- 2, tag >> 2 & 3 &- 2, tag & 3 &- 2)
            case 2:
                guard position < bytes.count else { return false }
                let green = (tag & 63) &- 32
                let second = bytes[position]
                position += 1
                pixel.add(green &+ (second >> 4) &- 8, green, green &+ (second & 15) &- 8)
            default:
                guard tag >= 0xFE else {
                    // This pixel, and as many after it.
                    run = Int(tag & 63)
                    seen[pixel.place] = pixel.value
                    return true
                }
                let count = tag == 0xFE ? 3 : 4
                guard position + count <= bytes.count else { return false }
                pixel.red = bytes[position]
                pixel.green = bytes[position + 1]
                pixel.blue = bytes[position + 2]
                if count == 4 { pixel.alpha = bytes[position + 3] }
                position += count
            }
            seen[pixel.place] = pixel.value
            return true
        }
    }

    /// One pixel and its index among recent ones.
    struct QOIPixel {
        var red: UInt8 = 0
        var green: UInt8 = 0
        var blue: UInt8 = 0
        var alpha: UInt8 = 255

        init() {}
        init(_ value: UInt32) { self.value = value }

        /// 0xAABBGGRR.
        var value: UInt32 {
            get { UInt32(alpha) << 24 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red) }
            set {
                red = UInt8(truncatingIfNeeded: newValue)
                green = UInt8(truncatingIfNeeded: newValue >> 8)
                blue = UInt8(truncatingIfNeeded: newValue >> 16)
                alpha = UInt8(truncatingIfNeeded: newValue >> 24)
            }
        }

        var place: Int { (Int(red) * 3 + Int(green) * 5 + Int(blue) * 7 + Int(alpha) * 11) & 63 }

        mutating func add(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            self.red &+= red
            self.green &+= green
            self.blue &+= blue
        }
    }
#endif
