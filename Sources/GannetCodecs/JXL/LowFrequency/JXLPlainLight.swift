#if JXL
    /// Whether an image in XYB has the format's own receptors: libjxl does not tell (ISO/IEC 18181-1, annex D).
    enum JXLPlainLight {
        static func isTold(by codestream: [UInt8]) -> Bool {
            guard codestream.starts(with: [0xFF, 0x0A]) else { return false }
            var bits = JXLBits(codestream, at: 2)
            guard JXLSizeHeader.size(&bits) != nil, skipMetadata(&bits) else { return false }
            return bits.read(1) == 1
        }

        private static func skipMetadata(_ bits: inout JXLBits) -> Bool {
            guard let isDefault = bits.read(1) else { return false }
            guard isDefault == 0 else { return true }
            guard let hasMore = bits.read(1) else { return false }
            if hasMore == 1 {
                guard bits.skip(3), let hasSize = bits.read(1) else { return false }
                if hasSize == 1 { guard JXLSizeHeader.size(&bits) != nil else { return false } }
                // No preview, no animation.
                guard bits.read(2) == 0 else { return false }
            }
            // No channels beside the colours, and XYB.
            guard skipDepth(&bits), bits.skip(1), bits.read32((0, 0), (0, 1), (4, 2), (12, 1)) == 0, bits.read(1) == 1,
                skipColors(&bits)
            else { return false }
            if hasMore == 1 { guard let isDefault = bits.read(1), isDefault == 1 || bits.skip(49) else { return false } }
            return bits.skipExtensions()
        }

        private static func skipDepth(_ bits: inout JXLBits) -> Bool {
            guard let isFloat = bits.read(1) else { return false }
            if isFloat == 1 { return bits.read32((0, 32), (0, 16), (0, 24), (6, 1)) != nil && bits.skip(4) }
            return bits.read32((0, 8), (0, 10), (0, 12), (6, 1)) != nil
        }

        private static func skipColors(_ bits: inout JXLBits) -> Bool {
            /// One of a list.
            func kind() -> Int? { bits.read32((0, 0), (0, 1), (4, 2), (6, 18)) }
            func skipPoints(_ count: Int) -> Bool {
                for _ in 0..<2 * count {
                    guard bits.read32((19, 0), (19, 524_288), (20, 1_048_576), (21, 2_097_152)) != nil else { return false }
                }
                return true
            }
            guard let isDefault = bits.read(1) else { return false }
            guard isDefault == 0 else { return true }
            // 0 is RGB, 1 grey.
            guard let hasProfile = bits.read(1), let model = kind(), model < 2 else { return false }
            guard hasProfile == 0 else { return true }
            guard let white = kind(), white != 2 || skipPoints(1) else { return false }
            if model == 0 { guard let primaries = kind(), primaries != 2 || skipPoints(3) else { return false } }
            guard let hasPower = bits.read(1), hasPower == 1 ? bits.skip(24) : kind() != nil else { return false }
            return kind() != nil
        }
    }
#endif
