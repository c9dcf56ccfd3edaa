#if JP2
    /// What OpenJPEG allocates, counted from the headers.
    extension JP2Codestream {
        /// Bytes that OpenJPEG takes for decoding: samples of four bytes, those of a tile once more, and its tables of tiles, precincts
        /// and blocks. `Int.max` if they cannot be counted.
        func workBytes(halved times: Int, of decoded: Area?, encodedBytes: Int) -> Int {
            let decodedArea = decoded ?? area
            let whole = (
                width: Self.halved(decodedArea.right - decodedArea.left, times) + 1,
                height: Self.halved(decodedArea.bottom - decodedArea.top, times) + 1
            )
            let part = (
                width: min(whole.width, Self.halved(tile.width, times) + 1),
                height: min(whole.height, Self.halved(tile.height, times) + 1)
            )
            var total = Double(encodedBytes) + Double(tileCount) * (6000 + 1200 * Double(components.count))
            var pieces = 0.0
            for component in components {
                let samples = Double(whole.width * whole.height) + Double(part.width * part.height)
                total += 4 * samples / Double(component.dx * component.dy)
                guard let decoded else { continue }
                let kept = styles.map { partSamples(of: component, decoded, halved: times, $0) }
                // The blocks of all components are kept at once, pieces of one after the other.
                total += 4 * (kept.map(\.blocks).max() ?? 0)
                pieces = max(pieces, kept.map(\.pieces).max() ?? 0)
            }
            let tables = styles.map { tableBytes($0) }.max() ?? 0
            total += 4 * pieces + tables * Double(components.count)
            return total < 1e15 ? Int(total) : Int.max
        }

        /// What OpenJPEG keeps of a component beside its samples where a part of a tile is decoded: the coded blocks that the part touches in
        /// each band, and pieces of 64 × 64 samples in which it puts bands and resolutions together.
        private func partSamples(
            of component: Component, _ part: Area, halved times: Int, _ style: Style
        ) -> (blocks: Double, pieces: Double) {
            /// `excess`: at both ends together.
            func samples(_ level: Int, _ excess: (width: Int, height: Int)) -> Double {
                func side(_ part: Int, _ tile: Int, _ step: Int, _ excess: Int) -> Double {
                    let (part, tile) = (Self.halved(part, level), Self.halved(tile, level))
                    return Double(min(Self.divided(part, step) + excess, Self.divided(tile, step) + 1))
                }
                return side(part.right - part.left, tile.width, component.dx, excess.width)
                    * side(part.bottom - part.top, tile.height, component.dy, excess.height)
            }
            let block = (
                width: 2 << style.block.width + Self.filterMargin, height: 2 << style.block.height + Self.filterMargin
            )
            let piece = (width: 2 * 64 + Self.filterMargin, height: 2 * 64 + Self.filterMargin)
            // The lowest resolution is a band of its own.
            let lowest = max(style.levels, times)
            var blocks = samples(lowest, block)
            var pieces = samples(lowest, piece)
            for level in times..<lowest {
                blocks += 3 * samples(level + 1, block)
                pieces += 3 * samples(level + 1, piece) + samples(level, piece)
            }
            return (blocks, pieces)
        }

        /// For one component of a tile, at full resolution: OpenJPEG makes all of them.
        private func tableBytes(_ style: Style) -> Double {
            let size = (
                width: min(area.right - area.left, tile.width), height: min(area.bottom - area.top, tile.height)
            )
            var bytes = 0.0
            var most = 0.0
            for (resolution, precinct) in style.precincts.enumerated() {
                let times = style.levels - resolution
                let (width, height) = (Self.halved(size.width, times), Self.halved(size.height, times))
                let isLowest = resolution == 0
                let precincts =
                    Double(Self.halved(width, precinct.width) + 1) * Double(Self.halved(height, precinct.height) + 1)
                let bands = isLowest ? 1.0 : 3.0
                let half = isLowest ? 0 : 1
                let blocks =
                    Double(Self.halved(width, half + min(style.block.width, max(precinct.width - half, 0))) + 1)
                    * Double(Self.halved(height, half + min(style.block.height, max(precinct.height - half, 0))) + 1)
                bytes += bands * (precincts * 300 + blocks * 500)
                most = max(most, precincts)
            }
            return bytes + 2 * Double(layers + 1) * Double(style.levels + 1) * most
        }

        /// Samples beside a part that the filter reads, at both ends together.
        private static let filterMargin = 8
    }
#endif
