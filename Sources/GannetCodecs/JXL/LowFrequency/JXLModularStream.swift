#if JXL
    /// A plane of samples.
    struct JXLPlane {
        let width: Int
        let height: Int
        var samples: [Int32]

        init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
            samples = Array(repeating: 0, count: width * height)
        }
    }

    /// Reads planes that are coded without loss (ISO/IEC 18181-1, annex H). Only transforms that mix three planes are known.
    struct JXLModularStream {
        /// Each goes over all samples. Encoders write one.
        private static let mostTransforms = 4

        private let tree: JXLModularTree
        private let code: JXLEntropyCode
        private let settings: JXLWeightedPredictor.Settings
        private let transforms: [Int]
        private let bits: JXLCodeBits

        /// The header. `common`: tree and code of the frame, which streams may use.
        init(_ start: JXLCodeBits, common: (tree: JXLModularTree, code: JXLEntropyCode)?) throws(JXLUnread) {
            var bits = start
            let usesCommon = bits.readFlag()
            settings = JXLWeightedPredictor.Settings(&bits)
            var transforms: [Int] = []
            let count = bits.read32((0, 0), (0, 1), (4, 2), (8, 18))
            guard count <= Self.mostTransforms else { throw JXLUnread() }
            for _ in 0..<count {
                guard bits.read(2) == 0, bits.read32((3, 0), (6, 8), (10, 72), (13, 1096)) == 0 else { throw JXLUnread() }
                let mix = bits.read32((0, 6), (2, 0), (4, 2), (6, 10))
                guard mix < 42 else { throw JXLUnread() }
                transforms.append(mix)
            }
            self.transforms = transforms
            if usesCommon {
                guard let common else { throw JXLUnread() }
                (tree, code) = common
            } else {
                tree = try JXLModularTree(&bits)
                code = try JXLEntropyCode(&bits, contexts: tree.leaves.count)
            }
            guard code.repeats == nil, !bits.isOverrun else { throw JXLUnread() }
            self.bits = bits
        }

        var nodeCount: Int { tree.nodes.count }

        /// `stream`: the number of the stream, a property.
        func read(into planes: inout [JXLPlane], stream: Int) throws(JXLUnread) {
            var reader = JXLEntropyReader(code, bits)
            for index in planes.indices where planes[index].width > 0 && planes[index].height > 0 {
                var channel = JXLModularChannel(tree.of(channel: index, stream: stream), code, settings, planes, index)
                channel.read(&reader)
                planes[index] = channel.plane
                guard !reader.bits.isOverrun else { throw JXLUnread() }
            }
            _ = try reader.finish()
            for mix in transforms.reversed() { try undo(mix, &planes) }
        }

        /// Undoes a mix of three planes.
        private func undo(_ mix: Int, _ planes: inout [JXLPlane]) throws(JXLUnread) {
            let count = planes[0].samples.count
            guard planes.count == 3, planes.allSatisfy({ $0.width == planes[0].width && $0.samples.count == count }) else {
                throw JXLUnread()
            }
            let (order, kind) = (mix / 7, mix % 7)
            for place in 0..<count {
                var a = planes[0].samples[place]
                var b = planes[1].samples[place]
                var c = planes[2].samples[place]
                if kind == 6 {
                    let base = a &- c &>> 1
                    let green = c &+ base
                    let blue = base &- b &>> 1
                    (a, b, c) = (blue &+ b, green, blue)
                } else {
                    if kind & 1 == 1 { c = c &+ a }
                    if kind >> 1 == 1 { b = b &+ a }
                    if kind >> 1 == 2 { b = b &+ (a &+ c) &>> 1 }
                }
                planes[order % 3].samples[place] = a
                planes[(order + 1 + order / 3) % 3].samples[place] = b
                planes[(order + 2 - order / 3) % 3].samples[place] = c
            }
        }
    }
#endif
