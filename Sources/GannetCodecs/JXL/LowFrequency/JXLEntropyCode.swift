#if JXL
    /// The tables of an entropy-coded stream: each context has a cluster, and each cluster a prefix code or a distribution
    /// (ISO/IEC 18181-1, annex C).
    struct JXLEntropyCode {
        /// How a token and bits behind it make a number.
        struct Layout {
            var split: Int
            var exponent: Int
            var high: Int
            var low: Int

            /// `width`: of the tokens.
            init(_ bits: inout JXLCodeBits, width: Int) throws(JXLUnread) {
                /// A number up to `largest`.
                func number(_ largest: Int) -> Int { bits.read(Int.bitWidth - largest.leadingZeroBitCount) }
                exponent = number(width)
                (high, low) = (0, 0)
                if exponent != width {
                    high = number(exponent)
                    guard high <= exponent else { throw JXLUnread() }
                    low = number(exponent - high)
                }
                guard exponent <= width, high + low <= exponent else { throw JXLUnread() }
                split = 1 << exponent
            }

            /// Needs 31 bits held.
            @inline(__always) func value(_ token: Int, _ bits: inout JXLCodeBits) -> UInt32 {
                guard token >= split else { return UInt32(truncatingIfNeeded: token) }
                let known = high &+ low
                let width = (exponent &- known &+ (token &- split) &>> known) & 31
                let top = 1 &<< high | token &>> low & (1 &<< high &- 1)
                let value = (top &<< width | Int(bits.take(width))) &<< low | token & (1 &<< low &- 1)
                return UInt32(truncatingIfNeeded: value)
            }
        }

        /// Tokens from `first` on repeat earlier numbers.
        struct Repeats {
            var first: Int
            var least: Int
            var layout: Layout
        }

        /// Of all prefix codes together: a single one may have as many, and encoders write some hundreds.
        private static let mostSymbols = 1 << 15

        let clusters: [UInt8]
        let layouts: [Layout]
        let repeats: Repeats?
        let prefixes: [JXLPrefixCode]
        /// Of all clusters, `1 << width` for each.
        let entries: [UInt64]
        let width: Int

        var usesPrefixes: Bool { entries.isEmpty }

        /// `allowsRepeats`: not in the code of a code of two contexts, which would go on for ever.
        init(_ bits: inout JXLCodeBits, contexts: Int, allowsRepeats: Bool = true) throws(JXLUnread) {
            var repeats: Repeats?
            if bits.readFlag() {
                guard allowsRepeats else { throw JXLUnread() }
                let first = bits.read32((0, 224), (0, 512), (0, 4096), (15, 8))
                let least = bits.read32((0, 3), (0, 4), (2, 5), (8, 9))
                repeats = Repeats(first: first, least: least, layout: try Layout(&bits, width: 8))
            }
            self.repeats = repeats
            let count = contexts + (repeats == nil ? 0 : 1)
            clusters = count > 1 ? try Self.clusters(&bits, count) : [0]
            let clusterCount = Int(clusters.max() ?? 0) + 1
            let usesPrefixes = bits.readFlag()
            width = usesPrefixes ? 15 : bits.read(2) + 5
            var layouts: [Layout] = []
            for _ in 0..<clusterCount { layouts.append(try Layout(&bits, width: width)) }
            self.layouts = layouts
            var prefixes: [JXLPrefixCode] = []
            var entries: [UInt64] = []
            if usesPrefixes {
                let alphabets = (0..<clusterCount).map { _ in bits.readSmall(4) + 1 }
                guard alphabets.reduce(0, +) <= Self.mostSymbols else { throw JXLUnread() }
                for alphabet in alphabets {
                    guard !bits.isOverrun else { throw JXLUnread() }
                    prefixes.append(try JXLPrefixCode(&bits, alphabet: alphabet))
                }
            } else {
                for _ in 0..<clusterCount {
                    try JXLDistribution(&bits, width: width).addEntries(to: &entries, width: width)
                }
            }
            (self.prefixes, self.entries) = (prefixes, entries)
            guard !bits.isOverrun else { throw JXLUnread() }
        }

        /// The cluster of each context. All clusters up to the last occur.
        static func clusters(_ bits: inout JXLCodeBits, _ count: Int) throws(JXLUnread) -> [UInt8] {
            var clusters = [UInt8](repeating: 0, count: count)
            if bits.readFlag() {
                let width = bits.read(2)
                if width > 0 { for context in 0..<count { clusters[context] = UInt8(bits.read(width)) } }
            } else {
                let movesToFront = bits.readFlag()
                let code = try JXLEntropyCode(&bits, contexts: 1, allowsRepeats: count > 2)
                var reader = JXLEntropyReader(code, bits)
                for context in 0..<count {
                    guard let cluster = UInt8(exactly: reader.read(context: 0)) else { throw JXLUnread() }
                    clusters[context] = cluster
                }
                bits = try reader.finish()
                if movesToFront { moveToFront(&clusters) }
            }
            let found = Set(clusters)
            guard found.count == Int(found.max() ?? 0) + 1 else { throw JXLUnread() }
            return clusters
        }

        private static func moveToFront(_ clusters: inout [UInt8]) {
            var order = [UInt8](0...255)
            for context in clusters.indices {
                let place = Int(clusters[context])
                let cluster = order.remove(at: place)
                order.insert(cluster, at: 0)
                clusters[context] = cluster
            }
        }
    }
#endif
