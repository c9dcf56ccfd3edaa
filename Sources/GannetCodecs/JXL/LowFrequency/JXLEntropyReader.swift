#if JXL
    /// Reads the numbers of an entropy-coded stream (ISO/IEC 18181-1, annex C).
    struct JXLEntropyReader {
        private let code: JXLEntropyCode
        private(set) var bits: JXLCodeBits
        private var state: UInt32
        private static let finalState: UInt32 = 0x13_0000
        /// Numbers so far, of streams that repeat some.
        private var history: [UInt32] = []
        private var left = 0
        private var source = 0

        init(_ code: JXLEntropyCode, _ bits: JXLCodeBits) {
            self.code = code
            self.bits = bits
            state = code.usesPrefixes ? Self.finalState : UInt32(self.bits.read(32))
        }

        /// The bits behind the stream.
        func finish() throws(JXLUnread) -> JXLCodeBits {
            guard state == Self.finalState, !bits.isOverrun else { throw JXLUnread() }
            return bits
        }

        /// A number of a stream without repeats.
        @inline(__always) mutating func read(cluster: Int) -> UInt32 {
            let token = readToken(cluster)
            return code.layouts[cluster].value(token, &bits)
        }

        /// Leaves 31 bits held.
        @inline(__always) private mutating func readToken(_ cluster: Int) -> Int {
            bits.fill()
            if code.usesPrefixes { return code.prefixes[cluster].read(&bits) }
            let shift = 12 &- code.width
            let index = Int(state & 4095)
            let entry = code.entries[cluster &<< code.width | index &>> shift]
            let place = index & (1 &<< shift &- 1)
            let token: Int
            let (count, offset): (UInt32, UInt32)
            if place < Int(entry & 0xFF) {
                token = index &>> shift
                count = UInt32(truncatingIfNeeded: entry &>> 16 & 0x1FFF)
                offset = 0
            } else {
                token = Int(entry &>> 8 & 0xFF)
                count = UInt32(truncatingIfNeeded: entry &>> 43)
                offset = UInt32(truncatingIfNeeded: entry &>> 29 & 0x3FFF)
            }
            state = count &* (state &>> 12) &+ offset &+ UInt32(truncatingIfNeeded: place)
            if state < 1 << 16 { state = state &<< 16 | bits.take(16) }
            return token
        }

        /// A number of any stream.
        mutating func read(context: Int) -> UInt32 {
            let cluster = Int(code.clusters[context])
            guard let repeats = code.repeats else { return read(cluster: cluster) }
            if left == 0 {
                let token = readToken(cluster)
                guard token >= repeats.first else {
                    let value = code.layouts[cluster].value(token, &bits)
                    history.append(value)
                    return value
                }
                left = Int(repeats.layout.value(token - repeats.first, &bits)) + repeats.least
                let distances = Int(code.clusters[code.clusters.count - 1])
                let distance = Int(code.layouts[distances].value(readToken(distances), &bits)) + 1
                source = history.count - min(distance, history.count, 1 << 20)
            }
            left -= 1
            let value = source < history.count ? history[source] : 0
            source += 1
            history.append(value)
            return value
        }
    }
#endif
