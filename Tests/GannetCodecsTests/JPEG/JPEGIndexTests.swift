#if JPEG
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Regions of one file, one after the other, with what is remembered of it.
    @Suite("The index of JPEG files") struct JPEGIndexTests {
        private static func file(_ factors: [(Int, Int)], _ width: Int, _ height: Int, restart: Int = 0) -> JPEGCoefficientFile {
            var file = JPEGCoefficientFile(
                width: width, height: height,
                components: factors.map { JPEGCoefficientFile.Component(horizontal: $0.0, vertical: $0.1) })
            file.restartInterval = restart
            file.fill { component, block, place in
                let mix = (block &* 2_654_435_761 &+ place &* 40_503 &+ component &* 977) >> 7
                return place == 0 ? mix % 90 - 45 : place < 20 && mix % 5 == 0 ? mix % 13 - 6 : 0
            }
            return file
        }

        private static let samplings: [[(Int, Int)]] = [
            [(1, 1)], [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)],
            [(1, 2), (1, 1), (1, 1)], [(4, 1), (1, 1), (1, 1)],
        ]

        private func comparison() -> RegionComparison {
            var comparison = RegionComparison()
            comparison.decoding.environment.memory = RegionMemory()
            return comparison
        }

        private static func cut(_ part: PixelRect, _ index: JPEGIndex) throws -> JPEGEntry? {
            try index.cut(part, most: index.most(of: part), DecodeWatch(.standard))
        }

        // NW-03, S3-17
        @Test(arguments: 0..<6) func `Every part that is cut out has the pixels of the whole`(_ index: Int) throws {
            // More MCUs in a row than are between two states.
            for (width, height) in [(1100, 90), (75, 610), (133, 61), (1, 300)] {
                let plain = Self.file(Self.samplings[index], width, height)
                for restart in [0, 1, plain.mcusAcross, 7] {
                    var file = plain
                    file.restartInterval = restart
                    let size = PixelSize(clamping: width, height)
                    let parts = RegionComparison.parts(of: size, seed: UInt64(restart + 1))
                    let index = try #require(JPEGIndex(ByteRope(file.bytes()), of: size))
                    for part in parts {
                        let part = try #require(part.clipped(to: size))
                        #expect(try Self.cut(part, index) != nil)
                    }
                    #expect(
                        try comparison().differences(file.bytes(), parts) == [],
                        "\(width)×\(height), markers every \(restart)")
                }
            }
        }

        /// libjpeg smooths chroma of more than two columns alone.
        @Test(arguments: 0..<6) func `Narrow files too`(_ index: Int) throws {
            for width in 1...35 {
                let file = Self.file(Self.samplings[index], width, 70).bytes()
                let parts = RegionComparison.parts(of: PixelSize(clamping: width, 70), seed: UInt64(width))
                #expect(try comparison().differences(file, parts) == [], "with an index, \(width)")
                #expect(try RegionComparison().differences(file, parts) == [], "without one, \(width)")
            }
        }

        @Test(arguments: [40, 95, 100]) func `Photographs too, with the tables of any quality`(_ quality: Int) throws {
            let image = TestImages.still(try TestImages.noise(width: 701, height: 577))
            let file = try JPEGEncoder(EncodeOptions(quality: quality)).encode(image)
            #expect(JPEGIndex(ByteRope(file), of: image.size) != nil)
            #expect(try comparison().differences(file, RegionComparison.parts(of: image.size)) == [])
        }

        @Test func `Four inks and turned images too`() throws {
            let blocks = (0..<40 * 30).map { block in (0..<4).map { UInt8(truncatingIfNeeded: block &* (7 + $0 * 4) + $0 * 31) } }
            for transform in [nil, UInt8(0), 2] {
                let file = JPEGFlatFile(blocks: blocks, across: 40, adobeTransform: transform).bytes
                let size = PixelSize(clamping: 320, 240)
                #expect(JPEGIndex(ByteRope(file), of: size) != nil)
                #expect(try comparison().differences(file, RegionComparison.parts(of: size)) == [])
            }
            for orientation in Orientation.allCases {
                let file = JPEGRegionTests.turned(Self.file(Self.samplings[3], 115, 203).bytes(), orientation)
                let comparison = comparison()
                let size = try comparison.whole(file).size
                #expect(try comparison.differences(file, RegionComparison.parts(of: size)) == [])
            }
        }

        /// At eighths the kernel makes the pixels, and a part of them is as sharp as without an index.
        @Test(arguments: [1, 2, 4, 8]) func `Smaller sizes are those without an index`(_ eighths: Int) throws {
            let file = try JPEGEncoder(EncodeOptions(quality: 90)).encode(JPEGSamples.still(try JPEGSamples.picture(803, 611)))
            for part in [PixelRect(x: 101, y: 333, width: 443, height: 217), PixelRect(x: 160, y: 64, width: 320, height: 320)] {
                let target = DecodeTarget.size(.fit(part.width * eighths / 18, part.height * eighths / 18))
                let plain = try RegionComparison().region(part, of: file, at: target).bitmap
                let own = try comparison().region(part, of: file, at: target).bitmap
                #expect(own.packedBytes() == plain.packedBytes())
            }
        }

        @Test func `What was passed once is not read again, and a file of other scans has no index`() throws {
            let sound = Self.file(Self.samplings[3], 640, 960).bytes()
            let index = try #require(JPEGIndex(ByteRope(sound), of: PixelSize(clamping: 640, 960)))
            let part = PixelRect(x: 300, y: 700, width: 64, height: 64)
            let entry = try #require(try Self.cut(part, index))
            // A row and a column of MCUs around it.
            #expect(entry.firstRow == 672 && entry.firstColumn == 272)
            #expect(entry.decodedSize == PixelSize(clamping: 112, 112))
            #expect(index.rows == 49)
            for y in [700, 0, 400] { #expect(try Self.cut(PixelRect(x: 0, y: y, width: 64, height: 64), index) != nil) }
            #expect(index.rows == 49)
            let progressive = try JPEGEncoder(EncodeOptions(quality: 80, progressive: true)).encode(
                TestImages.still(try TestImages.noise(width: 64, height: 64)))
            #expect(JPEGIndex(ByteRope(progressive), of: PixelSize(clamping: 64, 64)) == nil)
        }

        // S3-17
        @Test func `A cut has a bound and counts in the budget, and without room there is none`() throws {
            let file = Self.file(Self.samplings[3], 640, 960).bytes()
            let index = try #require(JPEGIndex(ByteRope(file), of: PixelSize(clamping: 640, 960)))
            let part = PixelRect(x: 300, y: 700, width: 64, height: 64)
            #expect(try index.cut(part, most: 4000, DecodeWatch(.standard)) == nil)
            #expect(index.most(of: part) == 8 * 112 * 112 + 1 << 20)
            let plain = try RegionComparison().region(part, of: file).bitmap
            for (capacity, isCut) in [(64 << 20, true), (100_000, false)] {
                let budget = ResourceBudget(capacity: capacity)
                var comparison = comparison()
                comparison.decoding.environment.budget = budget
                #expect(try comparison.region(part, of: file).bitmap.packedBytes() == plain.packedBytes())
                #expect((budget.peakBytes >= index.most(of: part)) == isCut && budget.usedBytes == 0)
            }
        }

        // S3-17
        @Test func `The index counts in the budget, has fewer states where less may be kept, and gives way`() async throws {
            // 2000 MCUs in a row: 63 states, or as few as there is room for.
            let file = Self.file(Self.samplings[0], 16_000, 160).bytes()
            let part = PixelRect(x: 15_000, y: 120, width: 64, height: 10)
            let plain = try RegionComparison().region(part, of: file).bitmap.packedBytes()
            var held: [Int] = []
            for capacity in [64 << 20, 400_000, 1000] {
                let budget = ResourceBudget(capacity: capacity)
                let memory = RegionMemory(budget: budget)
                var comparison = RegionComparison()
                (comparison.decoding.environment.memory, comparison.decoding.environment.budget) = (memory, .unlimited)
                #expect(try comparison.region(part, of: file).bitmap.packedBytes() == plain)
                #expect(memory.heldBytes <= memory.limit && budget.usedBytes == memory.heldBytes)
                held.append(memory.heldBytes)
                let all = try await budget.reserveWhenFree(capacity)
                #expect(memory.heldBytes == 0)
                withExtendedLifetime(all) {}
            }
            #expect(held[0] > held[1] && held[1] > 0 && held[2] == 0)
        }

        // S3-17
        @Test func `Fewer states lead to the same cuts`() throws {
            let file = Self.file(Self.samplings[0], 16_000, 160).bytes()
            let size = PixelSize(clamping: 16_000, 160)
            let few = try #require(
                JPEGIndex(ByteRope(file), of: size, in: RegionMemory(budget: ResourceBudget(capacity: 400_000))))
            let many = try #require(JPEGIndex(ByteRope(file), of: size))
            #expect(few.heldBytes < many.heldBytes)
            for part in RegionComparison.parts(of: size) {
                let part = try #require(part.clipped(to: size))
                #expect(try Self.cut(part, few)?.cut?.contiguous() == (try Self.cut(part, many)?.cut?.contiguous()))
            }
        }

        @Test func `Damage above a part is met once, and the part is what it is without an index`() throws {
            var file = Self.file(Self.samplings[3], 320, 640).bytes()
            file.removeSubrange(file.count / 2..<file.count)
            let part = PixelRect(x: 10, y: 600, width: 64, height: 31)
            let index = try #require(JPEGIndex(ByteRope(file), of: PixelSize(clamping: 320, 640)))
            #expect(try Self.cut(part, index) == nil)
            let error = #expect(throws: ImageError.self) { _ = try comparison().region(part, of: file) }
            #expect(error?.code == .truncated || error?.code == .corrupt)
            let above = PixelRect(x: 10, y: 40, width: 64, height: 31)
            let plain = try RegionComparison().region(above, of: file).bitmap
            #expect(try comparison().region(above, of: file).bitmap.packedBytes() == plain.packedBytes())
        }

        /// libjpeg takes such a coefficient for the last one of its block, and does not warn.
        @Test(arguments: 0..<6) func `A run of zeros that ends beyond its block is read as in the whole`(_ index: Int) throws {
            var file = Self.file(Self.samplings[index], 320, 240)
            for component in file.components.indices {
                for block in file.components[component].blocks.indices where block % 3 == 0 {
                    file.components[component].blocks[block][JPEGCoefficientFile.zigzag[58]] = 3
                    file.components[component].blocks[block] += [0, 0, 0, 0, 7]
                }
            }
            let size = PixelSize(clamping: 320, 240)
            let cuts = try #require(JPEGIndex(ByteRope(file.bytes()), of: size))
            #expect(try Self.cut(PixelRect(x: 100, y: 200, width: 50, height: 30), cuts) != nil)
            #expect(try comparison().differences(file.bytes(), RegionComparison.parts(of: size)) == [])
        }

        /// A reader that takes the code before the first segment for one with a length lands in the middle of that segment, and then in a
        /// header of another image: it stands inside a second segment, which libjpeg passes over.
        private static func misleading(_ code: UInt8, hiding hidden: [UInt8], in file: [UInt8]) -> [UInt8] {
            var first = [UInt8](repeating: 0, count: 65_533)
            // From byte 65 513 of the file to the content of the second segment.
            first.replaceSubrange(65_505..<65_509, with: [0xFF, 0xEA, 0, 30])
            return JPEGSamples.inserting(
                [[0xFF, code], JPEGSamples.segment(0xE5, first), JPEGSamples.segment(0xE6, Array(hidden.dropFirst(2)))],
                into: file)
        }

        private func outcome(_ comparison: RegionComparison, _ part: PixelRect, _ file: [UInt8], _ target: DecodeTarget)
            -> [UInt8]?
        {
            try? comparison.region(part, of: file, at: target).bitmap.packedBytes()
        }

        // NW-03
        @Test(arguments: [UInt8(0), 1]) func `A header that is hidden from libjpeg leads nobody astray`(_ code: UInt8) throws {
            for (width, height) in [(32, 32), (640, 32), (32, 960), (2000, 2000)] {
                let hidden = Self.file(Self.samplings[3], width, height).bytes()
                let file = Self.misleading(
                    code, hiding: Array(hidden.prefix(9000)), in: Self.file(Self.samplings[3], 640, 960).bytes())
                #expect(try JPEGSamples.decoder(file).header?.size == PixelSize(clamping: 640, 960))
                #expect(JPEGIndex(ByteRope(file), of: PixelSize(clamping: width, height)) == nil)
                let part = PixelRect(x: 400, y: 700, width: 200, height: 200)
                for target in [DecodeTarget.original, .size(.fit(25, 25)), .size(.fit(100, 100))] {
                    let plain = outcome(RegionComparison(), part, file, target)
                    #expect(outcome(comparison(), part, file, target) == plain)
                    #expect(plain != nil)
                }
            }
        }

        @Test func `An index is only of a frame that has the size of the header`() {
            let file = ByteRope(Self.file(Self.samplings[3], 64, 64).bytes())
            #expect(JPEGIndex(file, of: PixelSize(clamping: 64, 64)) != nil)
            #expect(JPEGIndex(file, of: PixelSize(clamping: 64, 80)) == nil)
        }
    }
#endif
