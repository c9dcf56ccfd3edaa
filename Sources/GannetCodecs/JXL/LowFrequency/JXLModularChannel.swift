#if JXL
    /// Reads one plane of a stream: each sample is a prediction and a coded rest (ISO/IEC 18181-1, annex H).
    struct JXLModularChannel {
        private(set) var plane: JXLPlane
        private let nodes: [JXLModularTree.Node]
        private let leaves: [JXLModularTree.Leaf]
        private let channel: Int
        /// The leaf for each value of the one property that the tree tests.
        private let table: [UInt16]
        private let tableProperty: Int
        private static let tableRange = -1024...1023
        private let usesWeights: Bool
        private var weighted: JXLWeightedPredictor
        /// Planes before this one that have its size, the last one first.
        private let earlier: [JXLPlane]

        /// Samples around one, and what the tree may ask for.
        private struct Surroundings {
            var x = 0
            var y = 0
            var north = 0
            var west = 0
            var northWest = 0
            var northEast = 0
            var north2 = 0
            var west2 = 0
            var northEast2 = 0
            /// Of the sample to the left.
            var gradient = 0
            var weighted = 0
        }

        init(
            _ tree: JXLModularTree, _ code: JXLEntropyCode, _ settings: JXLWeightedPredictor.Settings, _ planes: [JXLPlane],
            _ index: Int
        ) {
            plane = planes[index]
            let (width, height) = (plane.width, plane.height)
            earlier = planes[..<index].reversed().filter { $0.width == width && $0.height == height }
            channel = index
            nodes = tree.nodes
            leaves = tree.leaves.map { leaf in
                var leaf = leaf
                leaf.context = Int(code.clusters[leaf.context])
                return leaf
            }
            let properties = tree.properties
            usesWeights = properties.contains(15) || leaves.contains { $0.predictor == 6 }
            weighted = JXLWeightedPredictor(settings, width: plane.width)
            tableProperty = properties.first ?? 9
            table = properties.count < 2 ? tree.table(Self.tableRange) ?? [] : []
        }

        mutating func read(_ reader: inout JXLEntropyReader) {
            var rest = reader
            for y in 0..<plane.height { readRow(y, &rest) }
            reader = rest
        }

        private mutating func readRow(_ y: Int, _ reader: inout JXLEntropyReader) {
            let width = plane.width
            let start = y &* width
            weighted.begin(row: y)
            var around = Surroundings(y: y)
            for x in 0..<width {
                look(x, start &+ x, &around)
                if usesWeights {
                    around.weighted = weighted.predict(
                        x, north: around.north, west: around.west, northEast: around.northEast,
                        northWest: around.northWest, north2: around.north2)
                }
                let leaf = leaves[leaf(around)]
                let rest = reader.read(cluster: leaf.context).unpacked
                let value = rest &* leaf.factor &+ leaf.offset &+ predicted(leaf.predictor, around)
                let sample = Int32(truncatingIfNeeded: value)
                plane.samples[start &+ x] = sample
                if usesWeights { weighted.learn(x, Int(sample)) }
                around.gradient = around.west &+ around.north &- around.northWest
            }
        }

        /// Beyond the edges there are samples from inside.
        @inline(__always) private func look(_ x: Int, _ place: Int, _ around: inout Surroundings) {
            let width = plane.width
            around.x = x
            guard around.y > 0 else {
                let west = x > 0 ? Int(plane.samples[place &- 1]) : 0
                (around.west, around.north, around.northWest, around.northEast) = (west, west, west, west)
                (around.north2, around.northEast2) = (west, west)
                around.west2 = x > 1 ? Int(plane.samples[place &- 2]) : west
                return
            }
            let above = place &- width
            around.north = Int(plane.samples[above])
            around.west = x > 0 ? Int(plane.samples[place &- 1]) : around.north
            around.northWest = x > 0 ? Int(plane.samples[above &- 1]) : around.west
            around.northEast = x &+ 1 < width ? Int(plane.samples[above &+ 1]) : around.north
            around.northEast2 = x &+ 2 < width ? Int(plane.samples[above &+ 2]) : around.northEast
            around.west2 = x > 1 ? Int(plane.samples[place &- 2]) : around.west
            around.north2 = around.y > 1 ? Int(plane.samples[above &- width]) : around.north
        }

        @inline(__always) private func leaf(_ around: Surroundings) -> Int {
            if nodes.count == 1 { return 0 }
            if !table.isEmpty {
                let range = Self.tableRange
                let value = max(range.lowerBound, min(range.upperBound, property(tableProperty, around)))
                return Int(table[value &- range.lowerBound])
            }
            var node = nodes[0]
            while node.property >= 0 {
                let isGreater = property(Int(node.property), around) > Int(node.value)
                node = nodes[Int(isGreater ? node.greater : node.other)]
            }
            return Int(node.greater)
        }

        @inline(__always) private func property(_ number: Int, _ around: Surroundings) -> Int {
            switch number {
            case 2: around.y
            case 3: around.x
            case 4: Int(around.north.magnitude)
            case 5: Int(around.west.magnitude)
            case 6: around.north
            case 7: around.west
            case 8: around.x > 0 ? around.west &- around.gradient : around.west
            case 9: around.west &+ around.north &- around.northWest
            case 10: around.west &- around.northWest
            case 11: around.northWest &- around.north
            case 12: around.north &- around.northEast
            case 13: around.north &- around.north2
            case 14: around.west &- around.west2
            case 15: weighted.largestError
            default: earlierProperty(number &- 16, around)
            }
        }

        /// Of the samples at the same place in earlier planes, four for each plane.
        @inline(never) private func earlierProperty(_ number: Int, _ around: Surroundings) -> Int {
            guard earlier.indices.contains(number / 4) else { return 0 }
            let plane = earlier[number / 4]
            let place = around.y * plane.width + around.x
            let value = Int(plane.samples[place])
            if number % 4 == 0 { return Int(value.magnitude) }
            if number % 4 == 1 { return value }
            let west = around.x > 0 ? Int(plane.samples[place - 1]) : 0
            let north = around.y > 0 ? Int(plane.samples[place - plane.width]) : west
            let corner = around.x > 0 && around.y > 0 ? Int(plane.samples[place - plane.width - 1]) : west
            let rest = value - gradient(west, north, corner)
            return number % 4 == 2 ? Int(rest.magnitude) : rest
        }

        @inline(__always) private func gradient(_ west: Int, _ north: Int, _ corner: Int) -> Int {
            max(min(west, north), min(max(west, north), west &+ north &- corner))
        }

        @inline(__always) private func predicted(_ predictor: Int, _ around: Surroundings) -> Int {
            let (north, west, northWest, northEast) = (around.north, around.west, around.northWest, around.northEast)
            switch predictor {
            case 0: return 0
            case 1: return west
            case 2: return north
            case 3: return (west &+ north) / 2
            case 4:
                let guess = west &+ north &- northWest
                return (guess &- west).magnitude < (guess &- north).magnitude ? west : north
            case 5: return gradient(west, north, northWest)
            case 6: return around.weighted
            case 7: return northEast
            case 8: return northWest
            case 9: return around.west2
            case 10: return (west &+ northWest) / 2
            case 11: return (northWest &+ north) / 2
            case 12: return (north &+ northEast) / 2
            default:
                let near = 6 &* north &- 2 &* around.north2 &+ 7 &* west
                return (near &+ around.west2 &+ around.northEast2 &+ 3 &* northEast &+ 8) / 16
            }
        }
    }
#endif
