#if JP2
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Of JPEG 2000 the tiles, blocks and resolutions that the region touches are decoded.
    @Suite("Regions of JPEG 2000 files") struct JP2RegionTests {
        /// OpenJPEG is reached through the sandbox alone; this decodes in the process of the tests.
        private struct Open: ImageCoder, RegionCoder {
            let coder = JP2Coder()
            var identifier: String { coder.identifier }
            var formats: [ImageFormat] { coder.formats }
            func recognizes(_ head: Span<UInt8>) -> Recognition { coder.recognizes(head) }
            func makeDecoder(
                for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
            ) throws(ImageError) -> any ImageDecoder {
                try coder.makeDecoder(for: format, options: options, environment: environment)
            }
            func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        }

        static func comparison(_ environment: DecodeEnvironment = DecodeEnvironment()) -> RegionComparison {
            RegionComparison(decoding: ImageDecoding(coders: CodersManager([Open()]), environment: environment))
        }

        private static var samples: [(name: String, sample: JP2Sample)] {
            var samples: [(String, JP2Sample)] = []
            let chroma = JP2Sample(components: [
                .init(value: JP2Sample.red), .init(dx: 2, dy: 2, value: JP2Sample.green),
                .init(dx: 2, dy: 1, value: JP2Sample.blue),
            ])
            var gray = JP2Sample.gray { x, y in (x * 31 + y * 77) & 4095 }
            gray.components[0].bits = 12
            let tiles: [(size: (width: Int, height: Int)?, levels: Int)] = [(nil, 3), (nil, 0), ((40, 24), 2)]
            for tile in tiles {
                for (name, made) in [("rgb", JP2Sample.rgb), ("chroma", chroma), ("gray", gray)] {
                    var sample = made
                    (sample.width, sample.height, sample.tile, sample.levels) = (131, 85, tile.size, tile.levels)
                    samples.append(("\(name) \(tile.levels)", sample))
                }
            }
            return samples
        }

        // S3-17
        @Test(arguments: [false, true]) func `Every part has the pixels of the whole`(isLossy: Bool) throws {
            for (name, sample) in Self.samples {
                var sample = sample
                sample.isLossy = isLossy
                for isDeep in [false, true] {
                    var comparison = Self.comparison()
                    comparison.options.keeps16Bit = isDeep
                    let parts = RegionComparison.parts(of: PixelSize(clamping: 131, 85), random: 10)
                    #expect(try comparison.differences(try sample.codestream(), parts) == [], "\(name) \(isDeep)")
                }
            }
        }

        @Test func `A part of an image that does not begin at zero`() throws {
            for (name, sample) in Self.samples {
                var sample = sample
                sample.origin = (21, 13)
                let parts = RegionComparison.parts(of: PixelSize(clamping: 131, 85), random: 10)
                #expect(try Self.comparison().differences(try sample.codestream(), parts) == [], "\(name)")
            }
        }

        @Test func `Parts at resolutions are those of the whole at them`() throws {
            for (name, sample) in Self.samples where sample.levels > 0 {
                let file = try sample.codestream()
                for times in 1...sample.levels {
                    let scale = 1 << times
                    var comparison = Self.comparison()
                    let size = PixelSize(clamping: (130 + scale) / scale, (84 + scale) / scale)
                    comparison.options.target = .size(.stretch(size.width, size.height))
                    let whole = try comparison.whole(file).bitmap
                    for place in [(x: 0, y: 0), (x: 2, y: 1), (x: 5, y: 3)] {
                        let small = PixelRect(x: place.x, y: place.y, width: 7, height: 5)
                        let part = PixelRect(
                            x: small.x * scale, y: small.y * scale, width: small.width * scale, height: small.height * scale)
                        let own = try comparison.region(part, of: file, at: .size(.stretch(7, 5))).bitmap
                        #expect(own.packedBytes() == (try cropped(whole, to: small)).packedBytes(), "\(name) \(times) \(place)")
                    }
                }
            }
        }

        /// Edges between samples of a resolution shift nothing.
        @Test func `Parts between samples are where they are in the whole`() throws {
            var sample = JP2Sample.gray { x, y in (x + 2 * y) / 2 }
            (sample.width, sample.height, sample.levels) = (240, 128, 4)
            let file = try sample.codestream()
            for part in [
                PixelRect(x: 13, y: 9, width: 101, height: 67), PixelRect(x: 37, y: 51, width: 160, height: 43),
                PixelRect(x: 1, y: 1, width: 239, height: 127),
            ] {
                for target in [TargetSize.fit(20, 20), .fit(33, 33), .stretch(20, 10)] {
                    let own = try Self.comparison().region(part, of: file, at: .size(target)).bitmap
                    for (x, y) in [(0, 0), (own.width / 2, own.height / 2), (own.width - 1, own.height - 1)] {
                        let place = (
                            x: Double(part.x) + (Double(x) + 0.5) * Double(part.width) / Double(own.width) - 0.5,
                            y: Double(part.y) + (Double(y) + 0.5) * Double(part.height) / Double(own.height) - 0.5
                        )
                        let wanted = (place.x + 2 * place.y) / 2
                        let found = Double(own.packedBytes()[4 * (y * own.width + x)])
                        #expect(abs(found - wanted) < 8, "\(part) \(target) \(x) \(y): \(found), \(wanted)")
                    }
                }
            }
        }

        /// Seven columns beside the first of eight: three halvings leave none of them.
        @Test func `A thin strip is halved no more than it has samples`() throws {
            var sample = JP2Sample.gray { x, y in (x * 9 + y / 4) & 255 }
            (sample.width, sample.height, sample.levels, sample.origin) = (7, 1000, 3, (1, 0))
            let file = try sample.codestream()
            let all = PixelRect(x: 0, y: 0, width: 7, height: 1000)
            let part = try Self.comparison().region(all, of: file, at: .size(.stretch(1, 125))).bitmap
            #expect(part.size == PixelSize(clamping: 1, 125))
            var comparison = Self.comparison()
            comparison.options.target = .size(.stretch(1, 125))
            #expect(part.packedBytes() == (try comparison.whole(file)).bitmap.packedBytes())
        }

        // S3-17
        @Test func `Memory and limits are those of the region`() throws {
            var sample = JP2Sample.rgb
            (sample.width, sample.height, sample.tile) = (1000, 700, (128, 128))
            let file = try sample.codestream()
            var options = ResolvedDecodeOptions()
            options.region = PixelRect(x: 500, y: 600, width: 64, height: 31)
            options.limits = DecodeLimits(maximumPixels: 2000, maximumDecodedBytes: 2_000_000)
            let environment = DecodeEnvironment(budget: ResourceBudget(capacity: 3_000_000))
            var comparison = Self.comparison(environment)
            let session = try comparison.decoding.open(ByteRope(file), options)
            #expect(session.neededBytes == 64 * 31 * 4)
            comparison.options = options
            #expect(try comparison.decoding.decode(ByteRope(file), options: options).size == PixelSize(clamping: 64, 31))
            options.region = nil
            let error = #expect(throws: ImageError.self) { _ = try comparison.decoding.decode(ByteRope(file), options: options) }
            #expect(error?.code == .limitExceeded)
        }

        @Test func `With partial images the whole is decoded`() throws {
            var sample = JP2Sample.rgb
            (sample.width, sample.height, sample.tile) = (120, 90, (40, 40))
            let file = try sample.codestream()
            let cut = Array(file.prefix(file.count * 3 / 4))
            let part = PixelRect(x: 10, y: 5, width: 50, height: 60)
            var comparison = Self.comparison()
            let error = #expect(throws: ImageError.self) { _ = try comparison.region(part, of: cut) }
            #expect(error?.code == .truncated)
            comparison.options.allowsPartial = true
            #expect(try comparison.differences(cut, [part]) == [])
        }
    }
#endif
