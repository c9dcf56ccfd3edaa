#if JXL
    /// Where the sections of a frame lie (ISO/IEC 18181-1, annex F).
    enum JXLSections {
        /// Reads the table of `count` sections; they follow it, in its order or in one of their own.
        static func find(_ bytes: [UInt8], _ count: Int, at bit: Int) throws(JXLUnread) -> [Range<Int>] {
            // Each has at least 12 bits in the table.
            guard count > 1, count <= 1 << 16, count <= bytes.count else { throw JXLUnread() }
            var bits = JXLCodeBits(bytes, bit / 8..<max(bit / 8, bytes.count))
            _ = bits.read(bit % 8)
            let order = bits.readFlag() ? try permutation(&bits, count) : Array(0..<count)
            try bits.align()
            var lengths: [Int] = []
            for _ in 0..<count { lengths.append(bits.read32((10, 0), (14, 1024), (22, 17_408), (30, 4_211_712))) }
            try bits.align()
            guard !bits.isOverrun else { throw JXLUnread() }
            var places: [Range<Int>] = []
            var position = bits.byte
            for length in lengths {
                guard length <= bytes.count - position else { throw JXLUnread() }
                places.append(position..<position + length)
                position += length
            }
            return order.map { places[$0] }
        }

        /// Each section that is taken out moves those behind it. Enough for 8,192 sections.
        private static let mostMoves = 1 << 26

        /// For each section its place in the file.
        private static func permutation(_ bits: inout JXLCodeBits, _ count: Int) throws(JXLUnread) -> [Int] {
            let code = try JXLEntropyCode(&bits, contexts: 8)
            var reader = JXLEntropyReader(code, bits)
            func context(_ value: Int) -> Int { min(7, Int.bitWidth - value.leadingZeroBitCount) }
            let moved = Int(reader.read(context: context(count)))
            guard moved <= count, moved * count <= mostMoves else { throw JXLUnread() }
            var left = Array(0..<count)
            var order: [Int] = []
            var last = 0
            for _ in 0..<moved {
                last = Int(reader.read(context: context(last)))
                guard last < left.count, !reader.bits.isOverrun else { throw JXLUnread() }
                order.append(left.remove(at: last))
            }
            bits = try reader.finish()
            return order + left
        }
    }
#endif
