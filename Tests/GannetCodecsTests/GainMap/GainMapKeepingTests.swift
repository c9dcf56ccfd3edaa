#if JPEG
    import GannetCore
    import GannetImages
    import GannetKernels
    import Glibc
    import Synchronization
    import Testing

    @testable import GannetCodecs

    // NW-01, CD-44
    /// A gain map on its way from a JPEG through decoding and transformers into another JPEG.
    @Suite("Keeping gain maps") struct GainMapKeepingTests {
        private static let coders = CodersManager([JPEGCoder()])

        private func decoded(_ file: [UInt8], _ options: DecodeOptions = DecodeOptions()) throws -> DecodedImage {
            try ImageDecoding(coders: Self.coders).decode(ByteRope(file), options: ResolvedDecodeOptions(options))
        }

        private func encoded(_ image: DecodedImage, _ options: EncodeOptions = EncodeOptions(quality: 100)) throws -> [UInt8] {
            try ImageEncoding(coders: Self.coders).encode(image, options: options).bytes.contiguous()
        }

        private func map(_ file: [UInt8]) -> EncodedGainMap? { UltraHDR.gainMap(in: ByteRope(file), limits: .standard) }

        /// The samples of the map in `file`, row by row.
        private func samples(_ file: [UInt8]) throws -> (size: PixelSize, values: [Double]) {
            let map = try #require(self.map(file))
            let pixels = try JPEGSamples.decode(map.bytes)
            let bytes = pixels.packedBytes()
            return (pixels.size, stride(from: 0, to: bytes.count, by: 4).map { Double(bytes[$0]) })
        }

        @Test func anotherQualityKeepsTheMapAsItIs() throws {
            let file = try UltraHDRFile.sample()
            let image = try decoded(file.bytes)
            #expect(image.metadata.hadGainMap && image.bitmap.gainMap?.byteCount == file.read()?.bytes.count)
            let again = try encoded(image, EncodeOptions(quality: 50))
            let (before, after) = (try #require(file.read()), try #require(map(again)))
            #expect(after.metadata == before.metadata && after.size == before.size && after.isGray)
            #expect(try JPEGSamples.decode(after.bytes).packedBytes() == JPEGSamples.decode(before.bytes).packedBytes())
            // The standard's metadata goes first; without it, that of XMP says the same.
            #expect(after.format == .iso)
            let xmp = try #require(JPEGMetadata.xmp(in: after.bytes))
            #expect(GainMapXMP.adobeMetadata(in: xmp) == before.metadata)
            // Nothing changes a second time, and nothing of it is what metadata is removed for.
            #expect(MetadataStripper.strip(again) == .clean)
        }

        @Test func imagesWithoutOneHaveNone() throws {
            let image = try decoded(try JPEGSamples.file(64, 48))
            #expect(image.bitmap.gainMap == nil && !image.metadata.hadGainMap)
            #expect(image.bitmap.encodingBytes == image.bitmap.layout.byteCount)
            #expect(map(try encoded(image)) == nil)
            #expect(MemoryLayout<Bitmap>.size == 8 && MemoryLayout<DecodedImage>.size <= 17)
        }

        /// Where the light is after each step: the map, read at the middle of each quarter of the image, against the image's own
        /// colours, which say where a pixel came from.
        @Test(arguments: [
            StandardTransformer.identity, .crop(x: 30, y: 20, width: 61, height: 47), .rotate(degrees: 90), .rotate(degrees: 180),
            .rotate(degrees: 270), .flip(horizontal: true), .flip(vertical: true), .resize(.fit(64, 64)),
            .resize(.fill(40, 60)), .resize(width: 200), .resize(.stretch(31, 96)),
            .pipeline(
                .rotate(degrees: 90), .crop(x: 11, y: 40, width: 70, height: 70), .flip(horizontal: true), .resize(.fit(33, 33))),
            .pipeline(.crop(x: 64, y: 48, width: 64, height: 48), .rotate(degrees: 270), .sharpen(radius: 1, amount: 0.1)),
        ]) func theMapLiesOverItsPixels(transformer: StandardTransformer) throws {
            for orientation in [Orientation.up, .right, .downMirrored] {
                var file = try UltraHDRFile.sample()
                file.imageSegments = [JPEGSamples.segment(0xE1, EXIF.prefix + EXIF.block(orientation: orientation))]
                let image = try decoded(file.bytes).transformed(by: transformer)
                let written = try encoded(image)
                let (size, values) = try samples(written)
                let pixels = try decoded(written).bitmap
                #expect(size.width <= pixels.width && size.height <= pixels.height)
                for (x, y) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let (column, row) = (Int(x * Double(pixels.width)), Int(y * Double(pixels.height)))
                    let pixel = pixels.row(row)
                    // Red and green count columns and rows of the source.
                    let left = (Double(pixel[column * 4]) - 20) / 200
                    let top = (Double(pixel[column * 4 + 1]) - 20) / 200
                    let wanted = left * 160 + top * 80
                    // One pixel of the map is 5 steps to the right, and 3.3 down; half of one may be cut off.
                    let found = Self.interpolated(values, size, column, row, of: pixels.size)
                    #expect(abs(found - wanted) < 6, "\(transformer.identifier ?? "") \(orientation) at \(x), \(y)")
                }
            }
        }

        // NW-01
        @Test func fewerPixelsHaveASmallerMap() throws {
            let file = try UltraHDRFile.sample(256, 192).bytes
            var options = DecodeOptions()
            options.target = .size(.fit(64, 64))
            let small = try encoded(try decoded(file, options))
            #expect(map(small)?.size == PixelSize(clamping: 16, 12))
            options.target = .size(.fill(50, 50))
            #expect(map(try encoded(try decoded(file, options)))?.size == PixelSize(clamping: 13, 13))
            // The encoder may shrink too.
            let shrunk = try encoded(try decoded(file), EncodeOptions(maximumPixelSize: PixelSize(clamping: 128, 128)))
            #expect(map(shrunk)?.size == PixelSize(clamping: 32, 24))
        }

        /// By how much pixels are brightened after a resize, against the mean of the pixels that they were made of; by the formula of ISO
        /// 21496-1, in double precision. (Of the light itself, eight bits of the image and of the map leave 1.4 hundredths.) CD-44
        @Test func theGainStaysWithinOneHundredth() throws {
            let file = try UltraHDRFile.sample(256, 192)
            let before = try gains(of: file.bytes, meansOf: 4)
            var options = DecodeOptions()
            options.target = .size(.fit(64, 48))
            let after = try gains(of: try encoded(try decoded(file.bytes, options)), meansOf: 1)
            #expect(before.count == 64 * 48 && after.count == before.count)
            let sum = zip(before, after).reduce(0) { $0 + abs($1.1 / $1.0 - 1) }
            #expect(sum / Double(before.count) < 0.01)
        }

        /// The factor at full headroom of squares of `side` pixels.
        private func gains(of file: [UInt8], meansOf side: Int) throws -> [Double] {
            let (size, values) = try samples(file)
            let metadata = try #require(map(file)).metadata.red
            let pixels = try JPEGSamples.decode(file).size
            var gains: [Double] = []
            for top in stride(from: 0, to: pixels.height, by: side) {
                for left in stride(from: 0, to: pixels.width, by: side) {
                    var sum = 0.0
                    for y in top..<top + side {
                        for x in left..<left + side { sum += Self.interpolated(values, size, x, y, of: pixels) / 255 }
                    }
                    let part = pow(sum / Double(side * side), 1 / metadata.gamma)
                    gains.append(exp2(metadata.minimum + part * (metadata.maximum - metadata.minimum)))
                }
            }
            return gains
        }

        /// What a reader of the map takes for one pixel of the image.
        private static func interpolated(
            _ values: [Double], _ size: PixelSize, _ x: Int, _ y: Int, of image: PixelSize
        ) -> Double {
            func sample(_ x: Int, _ y: Int) -> Double {
                values[min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)]
            }
            let u = (Double(x) + 0.5) * Double(size.width) / Double(image.width) - 0.5
            let v = (Double(y) + 0.5) * Double(size.height) / Double(image.height) - 0.5
            let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
            let (right, bottom) = (u - Double(left), v - Double(top))
            let upper = sample(left, top) * (1 - right) + sample(left + 1, top) * right
            let lower = sample(left, top + 1) * (1 - right) + sample(left + 1, top + 1) * right
            return upper * (1 - bottom) + lower * bottom
        }

        @Test func itIsLeftOutOnlyWhenAskedOrWrong() throws {
            let image = try decoded(try UltraHDRFile.sample().bytes)
            #expect(map(try encoded(image, EncodeOptions(keepsGainMap: false))) == nil)
            for transformer in [
                StandardTransformer.blur(radius: 2), .tint(.white), .roundCorners(radius: 4), .rotate(degrees: 10),
            ] {
                let changed = try image.transformed(by: transformer)
                let file = try encoded(changed, EncodeOptions(format: .jpeg))
                #expect(changed.metadata.hadGainMap && map(file) == nil)
            }
            // Someone else's pixels.
            let copy = try image.bitmap.mutableCopy().freeze()
            #expect(map(try encoded(.still(copy, image.metadata))) == nil)
        }

        @Test func nothingIsDecodedThatIsNotWritten() throws {
            let decodes = MapDecodes()
            let encoded = try #require(try UltraHDRFile.sample().read())
            let source = GainMap.Source(encoded, imageSize: PixelSize(clamping: 128, 96)) { size throws(ImageError) in
                decodes.count.add(1, ordering: .relaxed)
                do { return try UltraHDRFile.mapPixels(size.width, size.height) } catch {
                    throw ImageError(error, code: .corrupt, stage: .decode, "no map")
                }
            }
            let pixels = try JPEGSamples.picture(128, 96).mutableCopy().freeze(with: GainMap(source))
            let image = try JPEGSamples.still(pixels).transformed(by: .resize(.fit(50, 50))).transformed(by: .rotate(degrees: 90))
            _ = try self.encoded(image, EncodeOptions(keepsGainMap: false))
            #expect(decodes.count.load(ordering: .relaxed) == 0)
            #expect(map(try self.encoded(image)) != nil)
            #expect(decodes.count.load(ordering: .relaxed) == 1)
        }

        @Test func aDamagedMapLeavesAGoodImage() throws {
            var file = try UltraHDRFile.sample()
            file.map.removeSubrange((file.map.count / 2)..<(file.map.count - 2))
            let image = try decoded(file.bytes).transformed(by: .resize(.fit(50, 50)))
            #expect(image.bitmap.gainMap != nil)
            let written = try encoded(image)
            #expect(map(written) == nil)
            #expect(try JPEGSamples.decode(written).width == 50)
        }

        @Test func memoryIsCounted() throws {
            let file = try UltraHDRFile.sample()
            let image = try decoded(file.bytes)
            let map = try #require(file.read())
            #expect(image.byteCount >= image.bitmap.layout.byteCount + map.bytes.count)
            #expect(image.bitmap.encodingBytes >= image.bitmap.layout.byteCount + map.size.area * 6)
        }

        @Test func filesStaySmallEnough() throws {
            let image = try decoded(try UltraHDRFile.sample(256, 192).bytes)
            let whole = try encoded(image, EncodeOptions(quality: 90)).count
            let smaller = try encoded(image, EncodeOptions(quality: 90, maximumFileSize: whole - 500))
            #expect(smaller.count <= whole - 500)
            // A map that would take the image's room is left out.
            let tiny = try encoded(image, EncodeOptions(quality: 90, maximumFileSize: 2500))
            #expect(tiny.count <= 2500 && map(tiny) == nil)
        }
    }

    private final class MapDecodes: Sendable {
        let count = Atomic(0)
    }
#endif
