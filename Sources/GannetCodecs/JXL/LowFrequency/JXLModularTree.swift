#if JXL
    /// Chooses context and predictor of each sample by properties of the samples around it (ISO/IEC 18181-1, annex H).
    struct JXLModularTree {
        struct Node {
            /// Negative: a leaf.
            var property: Int32
            var value: Int32
            /// Where the property is greater than the value; of a leaf its place in ``leaves``.
            var greater: Int32
            var other: Int32
        }

        struct Leaf {
            var context: Int
            var predictor: Int
            var offset: Int
            var factor: Int
        }

        private(set) var nodes: [Node] = []
        private(set) var leaves: [Leaf] = []

        /// The format allows 2²² nodes, and a depth of 2,048. Encoders write some dozens.
        private static let mostNodes = 1 << 15
        private static let mostDepth = 256
        private static let propertyCount = 256

        private init() {}

        init(_ bits: inout JXLCodeBits) throws(JXLUnread) {
            let code = try JXLEntropyCode(&bits, contexts: 6)
            var reader = JXLEntropyReader(code, bits)
            var depths = [1]
            while nodes.count < depths.count {
                let depth = depths[nodes.count]
                guard depths.count <= Self.mostNodes, depth <= Self.mostDepth, !reader.bits.isOverrun else { throw JXLUnread() }
                let property = Int(reader.read(context: 1)) - 1
                guard property < Self.propertyCount else { throw JXLUnread() }
                if property < 0 {
                    nodes.append(Node(property: -1, value: 0, greater: Int32(leaves.count), other: 0))
                    leaves.append(try Self.leaf(&reader, context: leaves.count))
                } else {
                    let value = Int32(truncatingIfNeeded: reader.read(context: 0).unpacked)
                    let child = Int32(depths.count)
                    nodes.append(Node(property: Int32(property), value: value, greater: child, other: child + 1))
                    depths += [depth + 1, depth + 1]
                }
            }
            bits = try reader.finish()
        }

        private static func leaf(_ reader: inout JXLEntropyReader, context: Int) throws(JXLUnread) -> Leaf {
            let predictor = Int(reader.read(context: 2))
            let offset = reader.read(context: 3).unpacked
            let shift = Int(reader.read(context: 4))
            let factor = Int(reader.read(context: 5))
            guard predictor < 14, shift < 31, factor < 1 << (31 - shift) - 1 else { throw JXLUnread() }
            return Leaf(context: context, predictor: predictor, offset: offset, factor: (factor + 1) << shift)
        }

        /// The properties that are tested.
        var properties: Set<Int> { Set(nodes.lazy.filter { $0.property >= 0 }.map { Int($0.property) }) }

        /// Without the tests that a channel of a stream decides.
        func of(channel: Int, stream: Int) -> JXLModularTree {
            let known = [channel, stream]
            func reached(_ start: Int32) -> Node {
                var node = nodes[Int(start)]
                while node.property >= 0, node.property < 2 {
                    node = nodes[Int(known[Int(node.property)] > node.value ? node.greater : node.other)]
                }
                return node
            }
            var tree = JXLModularTree()
            tree.nodes = [reached(0)]
            var index = 0
            while index < tree.nodes.count {
                let node = tree.nodes[index]
                if node.property < 0 {
                    tree.nodes[index].greater = Int32(tree.leaves.count)
                    tree.leaves.append(leaves[Int(node.greater)])
                } else {
                    let child = Int32(tree.nodes.count)
                    (tree.nodes[index].greater, tree.nodes[index].other) = (child, child + 1)
                    tree.nodes += [reached(node.greater), reached(node.other)]
                }
                index += 1
            }
            return tree
        }

        /// Of a tree that tests one property: the leaf for each of its values, of which all beyond the range have the last one's.
        func table(_ range: ClosedRange<Int>) -> [UInt16]? {
            for node in nodes where node.property >= 0 {
                guard Int(node.value) >= range.lowerBound, Int(node.value) < range.upperBound else { return nil }
            }
            return range.map { value in
                var node = nodes[0]
                while node.property >= 0 { node = nodes[Int(value > Int(node.value) ? node.greater : node.other)] }
                return UInt16(node.greater)
            }
        }
    }
#endif
