#if PNG
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    /// Regions of one PNG, one after the other, with the states of its unpacking.
    @Suite("The index of PNG files") struct PNGIndexTests {
        private func comparison() -> RegionComparison {
            var comparison = RegionComparison()
            comparison.decoding.environment.memory = RegionMemory()
            return comparison
        }

        // NW-03, S3-17
        @Test(arguments: [(PNGFile.ColorType.rgb, 8), (.gray, 1), (.gray, 16), (.rgba, 16), (.grayAlpha, 8)])
        func `Every part has the pixels of the whole, wherever the part before it was`(_ color: PNGFile.ColorType, _ depth: Int)
            throws
        {
            for size in [(67, 641), (301, 200), (5, 129)] {
                var sample = PNGSample(width: size.0, height: size.1, color: color, depth: depth)
                for isInterlaced in [false, true] {
                    sample.isInterlaced = isInterlaced
                    let parts = RegionComparison.parts(of: PixelSize(clamping: size.0, size.1), random: 12)
                    #expect(try comparison().differences(sample.file(), parts) == [], "\(size) \(isInterlaced)")
                    #expect(try comparison().differences(sample.file(), parts.reversed()) == [], "\(size) \(isInterlaced)")
                }
            }
        }

        @Test func `A state is kept of every so many rows down to the last one that was read`() throws {
            #expect(PNGIndex(rows: 100, rowBytes: 301, limit: 32 << 20)?.spacing == 64)
            // One above each row of tiles.
            #expect(PNGIndex(rows: 30_000, rowBytes: 90_001, limit: 16 << 20)?.spacing == 512)
            let byBytes = try #require(PNGIndex(rows: 30_000, rowBytes: 240_001, limit: 8 << 20))
            #expect(PNGRowState.byteCount(240_001) * (30_000 / byBytes.spacing) <= 8 << 20)
            #expect(PNGIndex(rows: 30_000, rowBytes: 9 << 20, limit: 8 << 20) == nil)
            let file = PNGSample(width: 40, height: 640, color: .rgb, depth: 8).file()
            var comparison = RegionComparison()
            let memory = RegionMemory()
            comparison.decoding.environment.memory = memory
            _ = try comparison.region(PixelRect(x: 3, y: 300, width: 10, height: 30), of: file)
            let index = try #require(memory.value(or: { nil as PNGIndex? }))
            // With a few rows more, as tiles of smaller levels are.
            #expect([0, 31, 32, 256 - 8, 256, 639].map { index.state(above: $0)?.row } == [nil, nil, 32, 224, 224, 288])
            #expect(index.lacks(352) && !index.lacks(288) && !index.lacks(384) && index.areSumsChecked)
            #expect(index.lacksStates(above: 353) && !index.lacksStates(above: 352) && !index.lacksStates(above: 20))
        }

        // S3-17
        @Test func `States count in the budget, within what may be kept, and give way to a decode that waits`() async throws {
            let file = PNGSample(width: 40, height: 640, color: .rgb, depth: 8).file()
            let part = PixelRect(x: 3, y: 600, width: 10, height: 30)
            let plain = try RegionComparison().region(part, of: file).bitmap.packedBytes()
            let bytes = PNGRowState.byteCount(121)
            for (capacity, states) in [(160 * bytes, 10), (32 * bytes, 1), (4 * bytes, 0)] {
                let budget = ResourceBudget(capacity: capacity)
                let memory = RegionMemory(budget: budget)
                var comparison = RegionComparison()
                (comparison.decoding.environment.memory, comparison.decoding.environment.budget) = (memory, budget)
                for _ in 0..<2 { #expect(try comparison.region(part, of: file).bitmap.packedBytes() == plain) }
                #expect(memory.heldBytes == states * bytes && budget.usedBytes == memory.heldBytes)
                let all = try await budget.reserveWhenFree(capacity)
                #expect(memory.heldBytes == 0 && budget.usedBytes == capacity)
                // There is no room for a state now.
                comparison.decoding.environment.budget = .unlimited
                #expect(try comparison.region(part, of: file).bitmap.packedBytes() == plain)
                #expect(memory.heldBytes == 0)
                withExtendedLifetime(all) {}
            }
        }

        @Test func `Damage below a part does not matter, and above it is met each time`() throws {
            var file = PNGSample(width: 400, height: 640, color: .rgb, depth: 8).file()
            file.removeSubrange(file.count / 2..<file.count)
            var comparison = RegionComparison()
            comparison.decoding.environment.memory = RegionMemory()
            for _ in 0..<2 {
                let error = #expect(throws: ImageError.self) {
                    _ = try comparison.region(PixelRect(x: 3, y: 600, width: 10, height: 30), of: file)
                }
                #expect(error?.code == .truncated || error?.code == .corrupt)
            }
            let above = PixelRect(x: 3, y: 100, width: 30, height: 30)
            let plain = try RegionComparison().region(above, of: file).bitmap
            #expect(try comparison.region(above, of: file).bitmap.packedBytes() == plain.packedBytes())
        }
    }
#endif
