#if JXL
    /// How often each symbol occurs in 4,096, and the table by which an ANS state tells its symbol (ISO/IEC 18181-1, annex C).
    struct JXLDistribution {
        private static let total = 4096
        private var counts: [Int]

        /// At most `1 << width` symbols; the width is 5 to 8.
        init(_ bits: inout JXLCodeBits, width: Int) throws(JXLUnread) {
            counts = try bits.readFlag() ? Self.few(&bits) : bits.readFlag() ? Self.flat(&bits) : Self.listed(&bits)
            while counts.last == 0 { counts.removeLast() }
            if counts.isEmpty { counts = [Self.total] }
            guard counts.count <= 1 << width, counts.reduce(0, +) == Self.total else { throw JXLUnread() }
        }

        /// The symbol that alone occurs.
        var constant: Int? { counts.last == Self.total ? counts.count - 1 : nil }

        /// One or two symbols.
        private static func few(_ bits: inout JXLCodeBits) throws(JXLUnread) -> [Int] {
            let isPair = bits.readFlag()
            let first = bits.readSmall()
            let second = isPair ? bits.readSmall() : first
            guard isPair == (first != second) else { throw JXLUnread() }
            var counts = [Int](repeating: 0, count: max(first, second) + 1)
            counts[first] = total
            if isPair {
                counts[first] = bits.read(12)
                counts[second] = total - counts[first]
            }
            return counts
        }

        private static func flat(_ bits: inout JXLCodeBits) -> [Int] {
            let count = bits.readSmall() + 1
            return (0..<count).map { total / count + ($0 < total % count ? 1 : 0) }
        }

        /// Counts by their number of bits; the largest is what is left of the total.
        private static func listed(_ bits: inout JXLCodeBits) throws(JXLUnread) -> [Int] {
            var ones = 0
            while ones < 3, bits.readFlag() { ones += 1 }
            let shift = 1 << ones + bits.read(ones) - 1
            guard shift <= 13 else { throw JXLUnread() }
            let count = bits.readSmall() + 3
            var widths = [Int](repeating: 0, count: count)
            /// Where a run of equal counts begins, its length.
            var runs = [Int](repeating: 0, count: count)
            var largest = (width: -1, place: -1)
            var place = 0
            while place < count {
                widths[place] = readWidth(&bits) - 1
                if widths[place] == 12 {
                    runs[place] = bits.readSmall() + 4
                    place += runs[place]
                    continue
                }
                if widths[place] > largest.width { largest = (widths[place], place) }
                place += 1
            }
            guard largest.place >= 0, largest.place + 1 == count || widths[largest.place + 1] != 12 else { throw JXLUnread() }
            var counts = [Int](repeating: 0, count: count)
            var (run, previous) = (0, 0)
            for place in 0..<count {
                if runs[place] > 0 { (run, previous) = (runs[place], place > 0 ? counts[place - 1] : 0) }
                if run > 0 {
                    counts[place] = previous
                    run -= 1
                } else if place != largest.place, widths[place] >= 0 {
                    let width = widths[place]
                    let read = width == 0 ? 0 : max(0, min(width, shift - (12 - width) >> 1))
                    counts[place] = 1 << width + bits.read(read) << (width - read)
                }
            }
            counts[largest.place] = total - counts.reduce(0, +)
            guard counts[largest.place] > 0 else { throw JXLUnread() }
            return counts
        }

        /// In a fixed prefix code.
        private static func readWidth(_ bits: inout JXLCodeBits) -> Int {
            switch bits.read(3) {
            case 0: return 10
            case 2: return 7
            case 4: return 6
            case 5: return 8
            case 6: return 9
            case 3: return bits.readFlag() ? 1 : 3
            case 7: return bits.readFlag() ? 2 : 5
            default: break
            }
            if bits.readFlag() { return 4 }
            if bits.readFlag() { return 0 }
            if bits.readFlag() { return 11 }
            return bits.readFlag() ? 13 : 12
        }

        /// Each entry stands for equally many states: those below its cut are the entry's own symbol, the others a second one.
        func addEntries(to table: inout [UInt64], width: Int) {
            let entries = 1 << width
            let size = Self.total >> width
            if let constant {
                for entry in 0..<entries {
                    table.append(Self.packed(cut: 0, symbol: constant, own: 0, offset: entry * size, other: Self.total))
                }
                return
            }
            let counts = counts + Array(repeating: 0, count: entries - counts.count)
            var cuts = counts
            var symbols = Array(0..<entries)
            var offsets = [Int](repeating: 0, count: entries)
            var full = cuts.indices.filter { cuts[$0] > size }
            var free = cuts.indices.filter { cuts[$0] < size }
            while let giver = full.popLast(), let taker = free.popLast() {
                cuts[giver] -= size - cuts[taker]
                (symbols[taker], offsets[taker]) = (giver, cuts[giver])
                if cuts[giver] < size { free.append(giver) } else if cuts[giver] > size { full.append(giver) }
            }
            for entry in 0..<entries {
                let cut = cuts[entry] == size ? 0 : cuts[entry]
                table.append(
                    Self.packed(
                        cut: cut, symbol: symbols[entry], own: counts[entry], offset: offsets[entry] - cut,
                        other: counts[symbols[entry]]))
            }
        }

        /// 8 bits for the cut, 8 for the second symbol, 13 for the count of the first, 14 for the offset of the second and 13 for its
        /// count.
        private static func packed(cut: Int, symbol: Int, own: Int, offset: Int, other: Int) -> UInt64 {
            UInt64(cut | symbol << 8 | own << 16 | (offset & 0x3FFF) << 29 | other << 43)
        }
    }
#endif
