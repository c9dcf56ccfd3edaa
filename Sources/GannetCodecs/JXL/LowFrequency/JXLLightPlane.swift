#if JXL
    /// A plane of light, a sample for each 8 × 8 pixels or more.
    struct JXLLightPlane {
        let width: Int
        let height: Int
        private(set) var samples: [Float]

        init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
            samples = Array(repeating: 0, count: width * height)
        }

        mutating func put(_ plane: JXLPlane, at place: (x: Int, y: Int), _ step: Float) {
            for y in 0..<plane.height {
                let (source, target) = (y * plane.width, (place.y + y) * width + place.x)
                for x in 0..<plane.width { samples[target &+ x] = Float(plane.samples[source &+ x]) * step }
            }
        }

        /// Adds a part of another plane of the same size.
        mutating func add(_ other: JXLLightPlane, times factor: Float, _ columns: Range<Int>, _ rows: Range<Int>) {
            guard factor != 0 else { return }
            for y in rows {
                for place in y * width + columns.lowerBound..<y * width + columns.upperBound {
                    samples[place] += other.samples[place] * factor
                }
            }
        }

        /// A row of the plane made as wide and high as it would be without halving: nearest samples, weighted 3 to 1.
        func row(_ y: Int, across: Int, down: Int, into row: inout [Float]) {
            let own = min(y >> down, height - 1)
            let near = down == 0 ? own : max(0, min(height - 1, y & 1 == 0 ? own - 1 : own + 1))
            for x in row.indices {
                let left = min(x >> across, width - 1)
                let side = across == 0 ? left : max(0, min(width - 1, x & 1 == 0 ? left - 1 : left + 1))
                let here = 0.75 * samples[own * width + left] + 0.25 * samples[own * width + side]
                let there = 0.75 * samples[near * width + left] + 0.25 * samples[near * width + side]
                row[x] = 0.75 * here + 0.25 * there
            }
        }

        /// A row as it is.
        func row(_ y: Int, into row: inout [Float]) {
            for x in row.indices { row[x] = samples[y &* width &+ x] }
        }
    }
#endif
