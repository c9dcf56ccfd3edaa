#if HEIC
    import GannetCore

    /// The units that HEVC's data are made of.
    enum HEVCUnits {
        /// The sets in a "hvcC" box (ISO/IEC 14496-15 §8.3.3.1): arrays, each unit with its length in two bytes. Ends at the first
        /// that is cut.
        static func ofConfiguration(
            _ range: Range<Int>, _ boxes: ISOBoxes, _ body: (ArraySlice<UInt8>) throws(ImageError) -> Void
        ) throws(ImageError) {
            var offset = 23
            for _ in 0..<(boxes.number(22, 1, in: range) ?? 0) {
                guard let count = boxes.number(offset + 1, 2, in: range) else { return }
                offset += 3
                for _ in 0..<count {
                    guard let length = boxes.number(offset, 2, in: range), offset + 2 + length <= range.count else { return }
                    let start = range.lowerBound + offset + 2
                    try body(boxes.bytes[start..<start + length])
                    offset += 2 + length
                }
            }
        }

        /// The NAL units of a coded image, with lengths in four bytes: the libraries know no others. Ends at the first that is
        /// cut.
        static func ofPicture(
            _ range: Range<Int>, _ boxes: ISOBoxes, _ body: (ArraySlice<UInt8>) throws(ImageError) -> Void
        ) throws(ImageError) {
            var offset = 0
            while let length = boxes.number(offset, 4, in: range), length <= range.count - offset - 4 {
                let start = range.lowerBound + offset + 4
                try body(boxes.bytes[start..<start + length])
                offset += 4 + length
            }
        }
    }

    /// The fields of an HEVC sequence parameter set (ITU-T H.265 §7.3.2.2) that decide about memory.
    struct HEVCParameterSet: Hashable {
        static let kind: UInt8 = 33
        /// All that is read lies within these bytes: 2 of header, at most 8 profiles, and a few numbers.
        static let longest = 256

        let width: Int
        let height: Int
        /// Decoded frames that the decoder keeps, as references and until they are shown: 1 … 16.
        let pictures: Int

        /// Nil if the unit is another one, or ends before the size.
        init?(_ unit: ArraySlice<UInt8>) {
            guard let first = unit.first, first >> 1 & 63 == Self.kind, var set = Self.read(unit) else { return nil }
            (width, height) = (set.width, set.height)
            pictures = Self.pictures(&set.rest, layers: Int(unit[unit.startIndex + 2] >> 1 & 7)) ?? 16
        }

        /// Width and height in samples; nil if the set ends before them.
        static func size(_ unit: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
            read(unit).map { ($0.width, $0.height) }
        }

        private static func pictures(_ bits: inout Bits, layers: Int) -> Int? {
            guard let isCropped = bits.read(1) else { return nil }
            // The four margins, then both depths and the length of the frame counter.
            for _ in 0..<(isCropped == 1 ? 7 : 3) where bits.readExponential() == nil { return nil }
            guard let isForEach = bits.read(1) else { return nil }
            var most = 1
            for _ in 0...(isForEach == 1 ? layers : 0) {
                guard let more = bits.readExponential(), bits.readExponential() != nil, bits.readExponential() != nil else {
                    return nil
                }
                most = max(most, min(more, 15) + 1)
            }
            return most
        }

        private static func read(_ unit: ArraySlice<UInt8>) -> (width: Int, height: Int, rest: Bits)? {
            var bits = Bits(unit.dropFirst(2).prefix(longest))
            guard let layers = bits.read(8).map({ $0 >> 1 & 7 }), bits.skip(96) else { return nil }
            if layers > 0 {
                guard let present = bits.read(16) else { return nil }
                for layer in 0..<layers {
                    if present >> (15 - 2 * layer) & 1 == 1, !bits.skip(88) { return nil }
                    if present >> (14 - 2 * layer) & 1 == 1, !bits.skip(8) { return nil }
                }
            }
            guard bits.readExponential() != nil, let chroma = bits.readExponential() else { return nil }
            if chroma == 3, !bits.skip(1) { return nil }
            guard let width = bits.readExponential(), let height = bits.readExponential() else { return nil }
            return (width, height, bits)
        }

        /// Bits from the highest on, without the bytes that keep start codes out of the data (§7.4.2).
        private struct Bits {
            private var bytes: [UInt8] = []
            private var position = 0

            init(_ unit: ArraySlice<UInt8>) {
                var zeros = 0
                for byte in unit {
                    if zeros >= 2, byte == 3 {
                        zeros = 0
                        continue
                    }
                    zeros = byte == 0 ? zeros + 1 : 0
                    bytes.append(byte)
                }
            }

            mutating func skip(_ count: Int) -> Bool {
                position += count
                return position <= bytes.count * 8
            }

            /// Reads at most 32 bits.
            mutating func read(_ count: Int) -> Int? {
                guard position + count <= bytes.count * 8 else { return nil }
                var value = 0
                for _ in 0..<count {
                    value = value << 1 | Int(bytes[position >> 3] >> (7 - position & 7) & 1)
                    position += 1
                }
                return value
            }

            /// §9.2
            mutating func readExponential() -> Int? {
                var zeros = 0
                while let bit = read(1) {
                    if bit == 1 { return read(zeros).map { (1 << zeros) - 1 + $0 } }
                    zeros += 1
                    if zeros > 32 { return nil }
                }
                return nil
            }
        }
    }
#endif
