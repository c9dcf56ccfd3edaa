#if JPEG
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// JPEG is decoded around the region alone.
    @Suite("Regions of JPEG files") struct JPEGRegionTests {
        /// Detail in every block; three components are red, green and blue, and may be subsampled all the same.
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
            [(1, 1)], [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)],
            [(4, 1), (1, 1), (1, 1)],
        ]

        // NW-03
        @Test(arguments: 0..<6) func samplingsAndRestartMarkers(index: Int) throws {
            // Higher than the rows that are passed over at once.
            for (width, height) in [(75, 610), (133, 61), (16, 16), (1, 300)] {
                let plain = Self.file(Self.samplings[index], width, height)
                for restart in [0, 1, plain.mcusAcross, 3 * plain.mcusAcross, 7] {
                    var file = plain
                    file.restartInterval = restart
                    let parts = RegionComparison.parts(of: PixelSize(clamping: width, height), seed: UInt64(restart + 1))
                    #expect(
                        try RegionComparison().differences(file.bytes(), parts) == [],
                        "\(width)×\(height), markers every \(restart)")
                }
            }
        }

        @Test(arguments: [false, true]) func mixedColours(progressive: Bool) throws {
            let image = TestImages.still(try TestImages.noise(width: 301, height: 577))
            let file = try JPEGEncoder(EncodeOptions(quality: 80, progressive: progressive)).encode(image)
            #expect(try RegionComparison().differences(file, RegionComparison.parts(of: image.size)) == [])
        }

        @Test func fourInks() throws {
            let blocks = (0..<40 * 30).map { block in (0..<4).map { UInt8(truncatingIfNeeded: block &* (7 + $0 * 4) + $0 * 31) } }
            for transform in [nil, UInt8(0), 2] {
                let file = JPEGFlatFile(blocks: blocks, across: 40, adobeTransform: transform).bytes
                #expect(try RegionComparison().differences(file, RegionComparison.parts(of: PixelSize(clamping: 320, 240))) == [])
            }
        }

        /// A segment that says how to turn the image.
        static func turned(_ file: [UInt8], _ orientation: Orientation) -> [UInt8] {
            let exif: [UInt8] = [
                0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0, 0,
            ]
            return JPEGSamples.inserting([JPEGSamples.segment(0xE1, Array("Exif".utf8) + [0, 0] + exif)], into: file)
        }

        @Test(arguments: Orientation.allCases) func turnedImages(_ orientation: Orientation) throws {
            let file = Self.turned(Self.file(Self.samplings[3], 115, 203, restart: 8).bytes(), orientation)
            for applies in [true, false] {
                var comparison = RegionComparison()
                comparison.options.appliesOrientation = applies
                let size = try comparison.whole(file).size
                #expect(
                    size == (applies && orientation.swapsSides ? PixelSize(clamping: 203, 115) : PixelSize(clamping: 115, 203)))
                #expect(try comparison.differences(file, RegionComparison.parts(of: size)) == [])
            }
        }

        /// Smaller sizes are decoded at eighths, as the whole is. Cutting first differs only in the weights of the last step.
        @Test(arguments: [1, 2, 4, 8], [false, true]) func smallerSizes(eighths: Int, progressive: Bool) throws {
            let image = try JPEGSamples.picture(803, 611)
            let file = try JPEGEncoder(EncodeOptions(quality: 95, progressive: progressive)).encode(JPEGSamples.still(image))
            let whole = try RegionComparison().whole(file).bitmap
            for part in [PixelRect(x: 101, y: 33, width: 643, height: 517), PixelRect(x: 160, y: 64, width: 480, height: 320)] {
                let target = TargetSize.fit(part.width * eighths / 18, part.height * eighths / 18)
                let own = try RegionComparison().region(part, of: file, at: .size(target)).bitmap
                let wanted = try cropped(whole, to: part).resized(target)
                #expect(own.size == wanted.size)
                #expect(JPEGSamples.psnr(own, wanted) > 38, "\(JPEGSamples.psnr(own, wanted)) at \(eighths) eighths of \(part)")
            }
        }

        // S3-17, NW-03
        @Test func onlyTheRegionsMemoryIsReserved() throws {
            let file = Self.file(Self.samplings[3], 1000, 800, restart: 63).bytes()
            var options = ResolvedDecodeOptions()
            options.region = PixelRect(x: 500, y: 600, width: 64, height: 31)
            // Neither the pixels nor the memory of the whole are allowed.
            options.limits = DecodeLimits(maximumPixels: 2000, maximumDecodedBytes: 8000)
            let environment = DecodeEnvironment(budget: ResourceBudget(capacity: 8000))
            let decoding = ImageDecoding(coders: CodersManager([JPEGCoder()]), environment: environment)
            #expect(try decoding.open(ByteRope(file), options).neededBytes == 7936)
            #expect(try decoding.decode(ByteRope(file), options: options).size == PixelSize(clamping: 64, 31))
            options.region = nil
            let error = #expect(throws: ImageError.self) { _ = try decoding.decode(ByteRope(file), options: options) }
            #expect(error?.code == .limitExceeded)
        }

        // NW-03
        @Test func markersArePassedOver() throws {
            let sound = Self.file(Self.samplings[3], 640, 960, restart: 40)
            let file = sound.bytes()
            let size = PixelSize(clamping: 640, 960)
            let entry = try #require(JPEGEntry(above: 700, in: ByteRope(file), of: size))
            // A marker that ends eight intervals, at least a row of blocks above.
            #expect(entry.firstRow == 640 && Array(file[entry.position - 2..<entry.position]) == [0xFF, 0xD7])
            #expect(JPEGEntry(above: 100, in: ByteRope(file), of: size) == nil)
            #expect(JPEGEntry(above: 700, in: ByteRope(Self.file(Self.samplings[3], 640, 960).bytes()), of: size) == nil)
            #expect(JPEGEntry(above: 700, in: ByteRope(file), of: PixelSize(clamping: 640, 961)) == nil)
            // Not one bit of what stands before is read: its codes may be wrong.
            var damaged = file
            let start = entry.position - 3000
            for index in start..<start + 2000 where damaged[index - 1] != 0xFF && damaged[index] != 0xFF && damaged[index] != 0 {
                damaged[index] = 0x5A
            }
            let part = PixelRect(x: 30, y: 700, width: 300, height: 200)
            let own = try RegionComparison().region(part, of: damaged).bitmap
            #expect(own.packedBytes() == (try cropped(RegionComparison().whole(file).bitmap, to: part)).packedBytes())
            let wrong = try RegionComparison().whole(damaged).bitmap
            #expect(wrong.packedBytes() != (try RegionComparison().whole(file).bitmap).packedBytes())
        }

        @Test func theEndIsNotReadAndDamageBeforeItIs() throws {
            let file = Self.file(Self.samplings[1], 320, 320).bytes()
            let part = PixelRect(x: 10, y: 10, width: 100, height: 50)
            let cut = Array(file[..<(file.count / 2)])
            let own = try RegionComparison().region(part, of: cut).bitmap
            #expect(own.packedBytes() == (try cropped(RegionComparison().whole(file).bitmap, to: part)).packedBytes())
            let last = PixelRect(x: 10, y: 310, width: 10, height: 10)
            for size in [DecodeTarget.original, .size(.fit(2, 2))] {
                let error = #expect(throws: ImageError.self) { _ = try RegionComparison().region(last, of: cut, at: size) }
                #expect(error?.code == .truncated)
            }
            var comparison = RegionComparison()
            comparison.options.allowsPartial = true
            #expect(try comparison.region(last, of: cut).metadata.isPartial)
            #expect(try comparison.differences(cut, [part, last]) == [])
        }

        @Test func theGainMapIsCutToo() throws {
            let file = try UltraHDRFile.sample().bytes
            let whole = try RegionComparison().whole(file).bitmap
            let part = PixelRect(x: whole.width / 4, y: whole.height / 2, width: whole.width / 2, height: whole.height / 4)
            let own = try #require(try RegionComparison().region(part, of: file).bitmap.gainMap)
            #expect(own.part == (try cropped(whole, to: part)).gainMap?.part && !own.part.isWhole)
            // Each of several parts would hold the whole map.
            var comparison = RegionComparison()
            comparison.decoding.environment.memory = RegionMemory()
            #expect(try comparison.region(part, of: file).bitmap.gainMap == nil)
        }

        @Test(.enabled(if: Corpora.isAvailable, "GANNET_CORPORA is not set")) func filesOfOthers() throws {
            var count = 0
            for row in Corpora.rows() where row.format == "jpeg" && row.mustDecode == .yes {
                guard let bytes = Corpora.bytes(of: row.file), bytes.count <= 60_000,
                    let whole = try? RegionComparison().whole(bytes), whole.size.area <= 200_000
                else { continue }
                let parts = RegionComparison.parts(of: whole.size, random: 2, seed: UInt64(bytes.count))
                #expect(try RegionComparison().differences(bytes, parts) == [], "\(row.file)")
                count += 1
            }
            #expect(count > 20)
        }
    }
#endif
