#if PNG
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetCodecs

    /// PNG is read up to the region's last row, and the region alone is kept.
    @Suite("Regions of PNG files") struct PNGRegionTests {
        private static let samples: [PNGSample] = {
            let kinds: [(PNGFile.ColorType, [Int])] = [
                (.gray, [1, 2, 4, 8, 16]), (.rgb, [8, 16]), (.palette, [1, 2, 4, 8]), (.grayAlpha, [8, 16]), (.rgba, [8, 16]),
            ]
            return kinds.flatMap { kind in
                kind.1.map { depth in
                    var sample = PNGSample(width: 67, height: 41, color: kind.0, depth: depth)
                    if kind.0 == .palette { sample.palette = (0..<3 << min(depth, 4)).map { UInt8($0 * 5) } }
                    if kind.0 == .palette { sample.transparency = [0, 99] }
                    return sample
                }
            }
        }()

        // NW-03
        @Test(arguments: [false, true]) func everyKind(isInterlaced: Bool) throws {
            for var sample in Self.samples {
                sample.isInterlaced = isInterlaced
                let file = sample.file()
                for (alpha, isDeep) in [(AlphaMode.premultiplied, false), (.straight, true), (.opaque, true)] {
                    var comparison = RegionComparison()
                    (comparison.options.alpha, comparison.options.keeps16Bit) = (alpha, isDeep)
                    let parts = RegionComparison.parts(of: PixelSize(clamping: 67, 41), random: 3)
                    #expect(try comparison.differences(file, parts) == [], "\(sample.color) \(sample.depth) \(alpha)")
                }
            }
        }

        /// The rows of a region are scaled as those of an image that has no others.
        @Test func smallerSizesAreThoseOfTheCroppedImage() throws {
            let part = PixelRect(x: 9, y: 5, width: 50, height: 30)
            for sample in Self.samples {
                let target = TargetSize.fit(20, 20)
                let whole = try RegionComparison().whole(sample.file()).bitmap
                let own = try RegionComparison().region(part, of: sample.file(), at: .size(target)).bitmap
                let wanted = try whole.cropped(to: part).resized(target)
                #expect(own.size == wanted.size)
                let steps = zip(own.packedBytes(), wanted.packedBytes()).map { abs(Int($0) - Int($1)) }.max() ?? 0
                #expect(steps <= 1, "\(sample.color) \(sample.depth)")
            }
        }

        // S3-17, NW-03
        @Test func onlyTheRegionsMemoryIsReserved() throws {
            let file = PNGSample(width: 1000, height: 700, color: .rgb, depth: 8).file()
            var options = ResolvedDecodeOptions()
            options.region = PixelRect(x: 500, y: 600, width: 64, height: 31)
            options.limits = DecodeLimits(maximumPixels: 2000, maximumDecodedBytes: 400_000)
            let environment = DecodeEnvironment(budget: ResourceBudget(capacity: 8000))
            let decoding = ImageDecoding(coders: CodersManager([PNGCoder()]), environment: environment)
            #expect(try decoding.open(ByteRope(file), options).neededBytes == 7936)
            #expect(try decoding.decode(ByteRope(file), options: options).size == PixelSize(clamping: 64, 31))
            // A row may not need more than an image.
            options.limits.maximumDecodedBytes = 8000
            let error = #expect(throws: ImageError.self) { _ = try decoding.decode(ByteRope(file), options: options) }
            #expect(error?.code == .limitExceeded)
        }

        @Test func theEndIsNotReadAndDamageBeforeItIs() throws {
            let file = PNGSample(width: 200, height: 200, color: .rgb, depth: 8).file(pieces: 8)
            let cut = Array(file[..<(file.count * 2 / 3)])
            let part = PixelRect(x: 10, y: 10, width: 100, height: 30)
            let own = try RegionComparison().region(part, of: cut).bitmap
            #expect(own.packedBytes() == (try RegionComparison().whole(file).bitmap.cropped(to: part)).packedBytes())
            let last = PixelRect(x: 0, y: 190, width: 5, height: 5)
            let error = #expect(throws: ImageError.self) { _ = try RegionComparison().region(last, of: cut) }
            #expect(error?.code == .truncated)
            var comparison = RegionComparison()
            comparison.options.allowsPartial = true
            #expect(try comparison.differences(cut, [part, last]) == [])
        }
    }
#endif
