#if JPEG
    import CGannetKernels
    import GannetCore

    /// A part that a sequential file of one scan can be decoded from: rows of blocks from one on that a restart marker stands before (ITU-T
    /// T.81, E.1.4), or a file that was cut out of it. To decoders it is a smaller image.
    struct JPEGEntry {
        /// The file up to the scan's data, with the lower height.
        private(set) var header: [UInt8] = []
        /// Where the data of the row begin.
        private(set) var position = 0
        /// The row of pixels, a multiple of the rows of a block.
        private(set) var firstRow = 0
        /// The same for columns: 0 where whole rows are decoded.
        private(set) var firstColumn = 0
        /// Of the smaller image.
        private(set) var decodedSize = PixelSize(clamping: 1, 1)
        /// The file that was cut out; nil: the data is in the file itself, from `position` on.
        private(set) var cut: ByteRope?

        private var interval = 0
        private var heightPlace = 0
        private var size = (width: 0, height: 0)
        private var block = (width: 8, height: 8)
        private var components = 0

        /// A file with a part of the image, whose upper left corner is where a block begins.
        init(cut: ByteRope, of part: PixelRect) {
            (self.cut, decodedSize) = (cut, part.size)
            (firstRow, firstColumn) = (part.y, part.x)
        }

        /// The last one that leaves a row of blocks between it and the row given. Nil: there is none below the image's first row, or the file's
        /// frame is not `whole`, which its header says.
        init?(above row: Int, in rope: ByteRope, of whole: PixelSize) {
            let bytes = rope.contiguous()
            guard readHeader(bytes), interval > 0, PixelSize(width: size.width, height: size.height) == whole else {
                return nil
            }
            let blocks = (size.width + block.width - 1) / block.width
            let last = row / block.height - 1
            guard last > 0 else { return nil }
            // Decoders count markers from 0, eight of them; and a row begins where an interval does.
            let step = Self.common(8, blocks / Self.divisor(blocks, interval))
            let intervals = last * blocks / interval / step * step
            guard intervals > 0 else { return nil }
            let start = header.count
            let passed = bytes.withUnsafeBufferPointer { bytes -> Int in
                // The bytes outlive the call.
                guard let base = bytes.baseAddress else { return 0 }
                return gannet_jpeg_pass_markers(base + start, bytes.count - start, intervals)
            }
            guard passed > 0 else { return nil }
            position = start + passed
            firstRow = intervals * interval / blocks * block.height
            let height = size.height - firstRow
            guard height > 0 else { return nil }
            decodedSize = PixelSize(clamping: size.width, height)
            header[heightPlace] = UInt8(height >> 8)
            header[heightPlace + 1] = UInt8(height & 0xFF)
        }

        /// False: what stands before the data is not as simple as it nearly always is.
        private mutating func readHeader(_ bytes: [UInt8]) -> Bool {
            var place = 2
            while place + 4 <= bytes.count, bytes[place] == 0xFF {
                let code = bytes[place + 1]
                let end = place + 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
                guard end >= place + 4, end <= bytes.count else { return false }
                let payload = bytes[place + 4..<end]
                switch code {
                case 0x00...0xBF: return false
                case 0xC0, 0xC1: guard readFrame(payload) else { return false }
                case 0xC2, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD0...0xD9, 0xFF: return false
                case 0xDD:
                    guard payload.count == 2 else { return false }
                    interval = Int(payload[place + 4]) << 8 | Int(payload[place + 5])
                case 0xDA:
                    header = Array(bytes[..<end])
                    return components > 0 && payload.first.map(Int.init) == components
                default: break
                }
                place = end
            }
            return false
        }

        private mutating func readFrame(_ payload: ArraySlice<UInt8>) -> Bool {
            let fields = Array(payload)
            guard components == 0, fields.count > 6, fields.count == 6 + 3 * Int(fields[5]) else { return false }
            heightPlace = payload.startIndex + 1
            size = (Int(fields[3]) << 8 | Int(fields[4]), Int(fields[1]) << 8 | Int(fields[2]))
            components = Int(fields[5])
            // A scan of one component has its blocks in plain order.
            guard components > 1 else { return true }
            let factors = (0..<components).map { fields[7 + 3 * $0] }
            block = (8 * Int(factors.map { $0 >> 4 }.max() ?? 1), 8 * Int(factors.map { $0 & 15 }.max() ?? 1))
            return block.width > 0 && block.height > 0
        }

        private static func divisor(_ first: Int, _ second: Int) -> Int { second == 0 ? first : divisor(second, first % second) }
        private static func common(_ first: Int, _ second: Int) -> Int { first / divisor(first, second) * second }
    }
#endif
