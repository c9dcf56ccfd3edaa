#if JXL
    /// A prefix code, with lengths as in Brotli (ISO/IEC 18181-1, annex C). At most 15 bits a symbol.
    struct JXLPrefixCode {
        private static let direct = 9

        /// For the next 9 bits: the symbol, and above 16 bits its length; 0 where the code is longer.
        private var table = [UInt32](repeating: 0, count: 1 << direct)
        /// Symbols of each length.
        private var counts = [Int](repeating: 0, count: 16)
        /// By length, then by value.
        private var symbols: [UInt16] = []

        /// The alphabet has at most 2¹⁵ symbols.
        init(_ bits: inout JXLCodeBits, alphabet: Int) throws(JXLUnread) {
            guard alphabet > 1 else {
                self.init(lengths: [1])
                return
            }
            let skipped = bits.read(2)
            let lengths = try skipped == 1 ? Self.fewLengths(&bits, alphabet) : Self.lengths(&bits, alphabet, skipped)
            self.init(lengths: lengths)
        }

        private init(lengths: [UInt8]) {
            for length in lengths where length > 0 { counts[Int(length)] += 1 }
            var places = [Int](repeating: 0, count: 16)
            for length in 1..<15 { places[length + 1] = places[length] + counts[length] }
            symbols = Array(repeating: 0, count: places[15] + counts[15])
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[places[Int(length)]] = UInt16(symbol)
                places[Int(length)] += 1
            }
            guard symbols.count > 1 else {
                constant = symbols.first.map { Int($0) } ?? 0
                return
            }
            constant = nil
            var (code, index) = (0, 0)
            for length in 1...Self.direct {
                for _ in 0..<counts[length] {
                    let reversed = (0..<length).reduce(0) { $0 << 1 | code >> $1 & 1 }
                    for place in stride(from: reversed, to: 1 << Self.direct, by: 1 << length) {
                        table[place] = UInt32(length) << 16 | UInt32(symbols[index])
                    }
                    (code, index) = (code + 1, index + 1)
                }
                code <<= 1
            }
        }

        /// The symbol of a code that has no other.
        private var constant: Int? = 0

        /// Needs 15 bits held.
        @inline(__always) func read(_ bits: inout JXLCodeBits) -> Int {
            if let constant { return constant }
            let entry = table[Int(bits.peek(Self.direct))]
            guard entry == 0 else {
                bits.drop(Int(entry >> 16))
                return Int(entry & 0xFFFF)
            }
            return readLong(&bits)
        }

        private func readLong(_ bits: inout JXLCodeBits) -> Int {
            var (code, first, index) = (0, 0, 0)
            for length in 1...15 {
                code |= Int(bits.take(1))
                let count = counts[length]
                if code - first < count { return Int(symbols[index + code - first]) }
                index += count
                first = (first + count) << 1
                code <<= 1
            }
            return 0
        }

        /// One to four symbols, which are listed.
        private static func fewLengths(_ bits: inout JXLCodeBits, _ alphabet: Int) throws(JXLUnread) -> [UInt8] {
            let width = Int.bitWidth - (alphabet - 1).leadingZeroBitCount
            let count = bits.read(2) + 1
            var symbols: [Int] = []
            for _ in 0..<count {
                let symbol = bits.read(width)
                guard symbol < alphabet, !symbols.contains(symbol) else { throw JXLUnread() }
                symbols.append(symbol)
            }
            let own: [UInt8] =
                switch count {
                case 1: [1]
                case 2: [1, 1]
                case 3: [1, 2, 2]
                default: bits.readFlag() ? [1, 2, 3, 3] : [2, 2, 2, 2]
                }
            var lengths = [UInt8](repeating: 0, count: alphabet)
            for (symbol, length) in zip(symbols, own) { lengths[symbol] = length }
            return lengths
        }

        /// The lengths are themselves coded.
        private static func lengths(
            _ bits: inout JXLCodeBits, _ alphabet: Int, _ skipped: Int
        ) throws(JXLUnread) -> [UInt8] {
            let code = JXLPrefixCode(lengths: try lengthsOfLengths(&bits, skipped))
            var lengths = [UInt8](repeating: 0, count: alphabet)
            var symbol = 0
            var space = 1 << 15
            var previous: UInt8 = 8
            var repeated: UInt8 = 0
            var run = 0
            while symbol < alphabet, space > 0 {
                bits.fill()
                let length = code.read(&bits)
                if length < 16 {
                    run = 0
                    lengths[symbol] = UInt8(length)
                    symbol += 1
                    if length > 0 {
                        previous = UInt8(length)
                        space -= (1 << 15) >> length
                    }
                    continue
                }
                let value = length == 16 ? previous : 0
                if value != repeated { (repeated, run) = (value, 0) }
                let before = run
                if run > 0 { run = (run - 2) << (length - 14) }
                run += Int(bits.take(length - 14)) + 3
                guard run - before <= alphabet - symbol else { throw JXLUnread() }
                for _ in before..<run {
                    lengths[symbol] = value
                    symbol += 1
                }
                if value > 0 { space -= (run - before) << (15 - Int(value)) }
            }
            guard space == 0 else { throw JXLUnread() }
            return lengths
        }

        private static func lengthsOfLengths(_ bits: inout JXLCodeBits, _ skipped: Int) throws(JXLUnread) -> [UInt8] {
            let order = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]
            var lengths = [UInt8](repeating: 0, count: 18)
            var (space, count) = (32, 0)
            for place in order[skipped...] where space > 0 {
                let length: UInt8 =
                    switch bits.read(2) {
                    case 0: 0
                    case 1: 4
                    case 2: 3
                    default: !bits.readFlag() ? 2 : bits.readFlag() ? 5 : 1
                    }
                lengths[place] = length
                if length > 0 {
                    space -= 32 >> Int(length)
                    count += 1
                }
            }
            guard count == 1 || space == 0 else { throw JXLUnread() }
            return lengths
        }
    }
#endif
