#if AVIF || HEIC || JXL || Video || JP2 || RAW
    /// The boxes of an ISO base media file (ISO/IEC 14496-12), read without trusting any length.
    struct ISOBoxes {
        struct Box {
            var type: String
            /// Starts at the box's length field.
            var start: Int
            /// The content, after length and type.
            var content: Range<Int>
        }

        let bytes: [UInt8]

        /// The boxes in a range; ends at the first that leaves it. At most 10,000.
        func boxes(in range: Range<Int>) -> [Box] {
            var found: [Box] = []
            var position = range.lowerBound
            while position + 8 <= range.upperBound, found.count < 10_000 {
                var length = number(position, 4)
                var header = 8
                if length == 1, position + 16 <= range.upperBound {
                    length = number(position + 8, 8)
                    header = 16
                } else if length == 0 {
                    length = range.upperBound - position
                }
                guard length >= header, length <= range.upperBound - position else { break }
                let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
                found.append(Box(type: type, start: position, content: position + header..<position + length))
                position += length
            }
            return found
        }

        var topLevel: [Box] { boxes(in: 0..<bytes.count) }

        /// A copy of a file whose last box extends to the end, with its length filled in, because libraries require one. Nil
        /// for other files.
        static func withLength(_ bytes: [UInt8]) -> [UInt8]? {
            let boxes = ISOBoxes(bytes: bytes)
            guard let last = boxes.topLevel.last, boxes.number(last.start, 4) == 0 else { return nil }
            let length = bytes.count - last.start
            guard length <= Int(UInt32.max) else { return nil }
            var result = bytes
            for byte in 0..<4 { result[last.start + byte] = UInt8(length >> (24 - 8 * byte) & 255) }
            return result
        }

        /// The first box of these types, each inside the previous one.
        func first(_ path: String...) -> Box? { first(path, in: 0..<bytes.count) }

        func first(_ path: [String], in range: Range<Int>) -> Box? {
            var range = range
            var found: Box?
            for type in path {
                found = boxes(in: range).first { $0.type == type }
                guard let found else { return nil }
                range = found.content
            }
            return found
        }

        /// Big-endian, `count` (1 … 8) bytes, at most `Int.max`; the caller has checked the range.
        func number(_ position: Int, _ count: Int) -> Int {
            var value: UInt64 = 0
            for byte in bytes[position..<position + count] { value = value << 8 | UInt64(byte) }
            return Int(clamping: value)
        }

        /// Nil if it does not lie in `range`.
        func number(_ offset: Int, _ count: Int, in range: Range<Int>) -> Int? {
            guard offset >= 0, offset + count <= range.count else { return nil }
            return number(range.lowerBound + offset, count)
        }
    }
#endif
