#if JXL
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Bounds on the cost of a few bits, each tried at its last value and beyond.
    @Suite("Bounds of small images of JPEG XL") struct JXLLowFrequencyBoundsTests {
        /// Writes from the lowest bit of each byte on.
        private struct Bits {
            private(set) var bytes: [UInt8] = []
            private var free = 0

            mutating func put(_ value: Int, _ width: Int) {
                for bit in 0..<width {
                    if free == 0 { (bytes, free) = (bytes + [0], 8) }
                    bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << (8 - free)
                    free -= 1
                }
            }

            mutating func align() { free = 0 }

            /// Tokens are numbers. `symbol`: the only one of an alphabet that ends with it.
            mutating func putCode(contexts: Int, symbol: Int) {
                putHead(contexts: contexts)
                putAlphabet(symbol + 1)
                if symbol > 0 { putOnly(symbol, of: symbol + 1) }
            }

            /// No repeats, one cluster, prefixes, and numbers that need no bits behind their token.
            mutating func putHead(contexts: Int) {
                put(0, 1)
                if contexts > 1 { put(1, 3) }
                put(1, 1)
                put(15, 4)
            }

            mutating func putAlphabet(_ count: Int) {
                guard count > 1 else { return put(0, 1) }
                let width = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
                put(1, 1)
                put(width, 4)
                put(count - 1 - 1 << width, width)
            }

            /// One symbol, listed.
            mutating func putOnly(_ symbol: Int, of alphabet: Int) {
                put(1, 2)
                put(0, 2)
                put(symbol, Int.bitWidth - (alphabet - 1).leadingZeroBitCount)
            }

            mutating func putSections(_ lengths: [Int]) {
                put(0, 1)
                align()
                for length in lengths {
                    put(length < 1024 ? 0 : 1, 2)
                    put(length < 1024 ? length : length - 1024, length < 1024 ? 10 : 14)
                }
                align()
            }
        }

        /// A row of parts of one tree, whose samples are all 0.
        private func isRead(levels: Int, parts: Int, mixes: Int = 0) throws -> Bool {
            var all = Bits()
            // Defaults.
            all.put(1, 1)
            all.put(0, 2 + 11 + 2)
            all.put(0b111, 3)
            // 0 and 1 in a bit each.
            all.putHead(contexts: 6)
            all.putAlphabet(2)
            all.put(0b0101, 4)
            all.put(0b10, 2)
            // Tests of the plane's number, and leaves without anything.
            for _ in 0..<1 << levels - 1 { all.put(1, 2) }
            for _ in 0..<1 << levels { all.put(0, 5) }
            all.putCode(contexts: 1 << levels, symbol: 0)
            var part = Bits()
            part.put(0b1100, 4)
            part.put(mixes < 2 ? mixes : 2, 2)
            if mixes > 1 { part.put(mixes - 2, 4) }
            part.put(0, 9 * mixes)
            var file = Bits()
            file.putSections([all.bytes.count] + Array(repeating: part.bytes.count, count: parts))
            let bytes = file.bytes + all.bytes + [[UInt8]](repeating: part.bytes, count: parts).joined()
            let shape = JXLLowFrequencyFrame.Shape(
                width: 2048 * parts, height: 8, isXYB: true, smooths: true, sections: parts + 1)
            return try JXLLowFrequencyFrame(bytes, shape, at: 0).planes {} != nil
        }

        @Test("Nodes of the trees of all parts") func nodes() throws {
            #expect(try isRead(levels: 14, parts: 128))
            #expect(try !isRead(levels: 14, parts: 129))
            #expect(try isRead(levels: 1, parts: 129))
        }

        @Test("Mixes of planes") func mixes() throws {
            #expect(try isRead(levels: 0, parts: 1, mixes: 4))
            #expect(try !isRead(levels: 0, parts: 1, mixes: 5))
        }

        @Test("Symbols of all prefix codes", arguments: [0, 1]) func symbols(more: Int) {
            var bits = Bits()
            bits.put(0, 1)
            // Two clusters.
            bits.put(0b10_01_1, 5)
            bits.put(1, 1)
            bits.put(0xFF, 8)
            let alphabets = [1 << 14, 1 << 14 + more]
            for alphabet in alphabets { bits.putAlphabet(alphabet) }
            for alphabet in alphabets { bits.putOnly(7, of: alphabet) }
            var reader = JXLCodeBits(bits.bytes, 0..<bits.bytes.count)
            let code = try? JXLEntropyCode(&reader, contexts: 2)
            #expect((code?.prefixes.count == 2) == (more == 0))
        }

        @Test("Moves of sections", arguments: [0, 1]) func moves(more: Int) {
            let (moved, count) = (5792, 11_586 + more)
            var bits = Bits()
            bits.put(1, 1)
            bits.putCode(contexts: 8, symbol: moved)
            bits.align()
            for _ in 0..<count { bits.put(0, 12) }
            let sections = try? JXLSections.find(bits.bytes, count, at: 0)
            #expect((sections?.count == count) == (more == 0))
        }

        /// Also of YCbCr.
        @Test("Chroma from luma as the standard has it") func factors() throws {
            var bits = JXLCodeBits([UInt8](repeating: 255, count: 8), 0..<8)
            #expect(try JXLLowFrequencyScales(&bits).factors == [0, 1])
        }
    }
#endif
