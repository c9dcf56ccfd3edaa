#if JXL
    import GannetCore

    /// Size and model at the beginning of a codestream (ISO/IEC 18181-1, annexes B and D), without the library.
    struct JXLSizeHeader {
        let size: PixelSize
        /// One channel; false too where this is not easily known.
        let isGray: Bool

        init?(_ codestream: [UInt8]) {
            guard codestream.starts(with: [0xFF, 0x0A]) else { return nil }
            var bits = JXLBits(codestream, at: 2)
            guard let size = Self.size(&bits) else { return nil }
            self.size = size
            isGray = Self.isGray(&bits) ?? false
        }

        static func size(_ bits: inout JXLBits) -> PixelSize? {
            guard let isSmall = bits.read(1) else { return nil }
            func side() -> Int? {
                isSmall == 1 ? bits.read(5).map { ($0 + 1) * 8 } : bits.read32((9, 1), (13, 1), (18, 1), (30, 1))
            }
            guard let height = side(), let ratio = bits.read(3) else { return nil }
            let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
            if ratio > 0 { return PixelSize(width: height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height: height) }
            return side().flatMap { PixelSize(width: $0, height: height) }
        }

        private static func isGray(_ bits: inout JXLBits) -> Bool? {
            // All fields have their defaults: RGB.
            guard bits.read(1) == 0, let hasMore = bits.read(1) else { return nil }
            // The orientation; intrinsic size, preview and animation have fields of their own.
            if hasMore == 1 { guard bits.skip(3), bits.read(3) == 0 else { return nil } }
            guard let isFloat = bits.read(1) else { return nil }
            if isFloat == 1 {
                guard bits.read32((0, 32), (0, 16), (0, 24), (6, 1)) != nil, bits.skip(4) else { return nil }
            } else {
                guard bits.read32((0, 8), (0, 10), (0, 12), (6, 1)) != nil else { return nil }
            }
            guard bits.skip(1), bits.read32((0, 0), (0, 1), (4, 2), (12, 1)) == 0, bits.skip(1) else { return nil }
            guard bits.read(1) == 0, bits.skip(1) else { return nil }
            return bits.read32((0, 0), (0, 1), (4, 2), (6, 18)) == 1
        }
    }
#endif
