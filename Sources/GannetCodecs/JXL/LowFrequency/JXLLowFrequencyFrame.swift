#if JXL
    import GannetCore

    /// A frame whose image of an eighth of the size can be read: its sections, and how their numbers become light
    /// (ISO/IEC 18181-1, annexes F, G and I).
    struct JXLLowFrequencyFrame {
        /// Samples of a section each way.
        private static let side = 256
        /// Nodes of the trees of all parts, each of which is gone through for each plane.
        private static let mostNodes = 1 << 22

        private let bytes: [UInt8]
        private let shape: Shape
        /// Where the sections lie: first the one for all, then one for each part.
        private let sections: [Range<Int>]
        let quantization: JXLLowFrequencyScales
        private let common: (tree: JXLModularTree, code: JXLEntropyCode)?

        /// What the frame's header says.
        struct Shape: Equatable {
            /// Of the frame.
            var width: Int
            var height: Int
            var isXYB: Bool
            /// Planes are smoothed where they are flat.
            var smooths: Bool
            /// For each plane, how often its sides are halved.
            var across = [0, 0, 0]
            var down = [0, 0, 0]
            /// Of the table of sections.
            var sections: Int

            /// Samples of a plane that is not halved, with what is needed to halve the others.
            var columns: Int { Self.parts(width, 8 << most(across)) << most(across) }
            var rows: Int { Self.parts(height, 8 << most(down)) << most(down) }
            /// Each has a section.
            var partCount: Int { Self.parts(columns, side) * Self.parts(rows, side) }
            var isHalved: Bool { most(across) + most(down) > 0 }

            private func most(_ shifts: [Int]) -> Int { shifts.max() ?? 0 }

            static func parts(_ length: Int, _ size: Int) -> Int { (length + size - 1) / size }
        }

        /// `bit`: where the table of sections begins, behind the header of the frame.
        init(_ bytes: [UInt8], _ shape: Shape, at bit: Int) throws(JXLUnread) {
            self.bytes = bytes
            self.shape = shape
            sections = try JXLSections.find(bytes, shape.sections, at: bit)
            guard sections.count > shape.partCount else { throw JXLUnread() }
            var bits = JXLCodeBits(bytes, sections[0])
            quantization = try JXLLowFrequencyScales(&bits)
            if bits.readFlag() {
                let tree = try JXLModularTree(&bits)
                common = (tree, try JXLEntropyCode(&bits, contexts: tree.leaves.count))
            } else {
                common = nil
            }
        }

        /// The three planes: X, Y and B, or Cb, Y and Cr. Nil: a part cannot be read. `check` is called between parts.
        func planes(_ check: () throws(ImageError) -> Void) throws(ImageError) -> [JXLLightPlane]? {
            var planes = (0..<3).map {
                JXLLightPlane(width: shape.columns >> shape.across[$0], height: shape.rows >> shape.down[$0])
            }
            let across = Shape.parts(shape.columns, Self.side)
            for part in 0..<shape.partCount {
                try check()
                let (x, y) = (part % across * Self.side, part / across * Self.side)
                do throws(JXLUnread) { try read(part, x, y, into: &planes) } catch { return nil }
            }
            return planes
        }

        private func read(_ part: Int, _ x: Int, _ y: Int, into planes: inout [JXLLightPlane]) throws(JXLUnread) {
            var bits = JXLCodeBits(bytes, sections[1 + part])
            let scale = 1 / Float(1 << bits.read(2))
            let (width, height) = (min(Self.side, shape.columns - x), min(Self.side, shape.rows - y))
            // Y comes first.
            let order = [1, 0, 2]
            var coded = order.map { JXLPlane(width: width >> shape.across[$0], height: height >> shape.down[$0]) }
            let stream = try JXLModularStream(bits, common: common)
            guard stream.nodeCount * shape.partCount <= Self.mostNodes else { throw JXLUnread() }
            try stream.read(into: &coded, stream: 1 + part)
            for (place, plane) in order.enumerated() {
                planes[plane].put(
                    coded[place], at: (x >> shape.across[plane], y >> shape.down[plane]), scale * quantization.steps[plane])
            }
            guard !shape.isHalved else { return }
            planes[0].add(planes[1], times: quantization.factors[0], x..<x + width, y..<y + height)
            planes[2].add(planes[1], times: quantization.factors[1], x..<x + width, y..<y + height)
        }
    }

    /// The steps of the samples, and how much of Y is in the other planes (ISO/IEC 18181-1, annexes G and I).
    struct JXLLowFrequencyScales {
        /// Of X, Y and B.
        let steps: [Float]
        /// For X and B.
        let factors: [Float]

        /// Reads the section for all parts up to the tree.
        init(_ bits: inout JXLCodeBits) throws(JXLUnread) {
            var own: [Float] = [1 / 4096, 1 / 512, 1 / 256]
            if !bits.readFlag() {
                for plane in 0..<3 {
                    own[plane] = try bits.readHalf() / 128
                    guard own[plane] > 1e-8 else { throw JXLUnread() }
                }
            }
            let common = bits.read32((11, 1), (11, 2049), (12, 4097), (16, 8193))
            let divisor = bits.read32((0, 16), (5, 1), (8, 1), (16, 1))
            steps = own.map { $0 * 65_536 / Float(common) / Float(divisor) }
            try Self.skipContexts(&bits)
            factors = try Self.factors(&bits)
            guard !bits.isOverrun else { throw JXLUnread() }
        }

        /// Contexts of the high frequencies.
        private static func skipContexts(_ bits: inout JXLCodeBits) throws(JXLUnread) {
            guard !bits.readFlag() else { return }
            var contexts = 1
            for _ in 0..<3 {
                let count = bits.read(4)
                contexts *= count + 1
                for _ in 0..<count { _ = bits.read32((4, 0), (8, 16), (16, 272), (32, 65_808)) }
            }
            let count = bits.read(4)
            for _ in 0..<count { _ = bits.read32((2, 0), (3, 4), (5, 12), (8, 44)) }
            contexts *= count + 1
            guard contexts <= 64 else { throw JXLUnread() }
            _ = try JXLEntropyCode.clusters(&bits, 3 * 13 * contexts)
        }

        /// The default is that of XYB, also for JPEG, whose files say 0.
        private static func factors(_ bits: inout JXLCodeBits) throws(JXLUnread) -> [Float] {
            guard !bits.readFlag() else { return [0, 1] }
            let divisor = Float(bits.read32((0, 84), (0, 256), (8, 2), (16, 258)))
            let base = (try bits.readHalf(), try bits.readHalf())
            guard abs(base.0) <= 4, abs(base.1) <= 4 else { throw JXLUnread() }
            let own = (Float(bits.read(8) - 128), Float(bits.read(8) - 128))
            return [base.0 + own.0 / divisor, base.1 + own.1 / divisor]
        }
    }
#endif
