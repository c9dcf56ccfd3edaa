#if AVIF || HEIC
    import GannetCore
    import GannetImages
    import GannetKernels
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Of images in tiles, those that the region touches are decoded.
    @Suite("Regions of HEIC and AVIF files") struct HEIFRegionTests {
        /// An image of three by two tiles of 64 × 64, with the last ones cut.
        private struct Grid {
            var format: ImageFormat
            var quality = 80
            var size = (width: 180, height: 110)
            var turns: [[UInt8]] = []
            var hasAlpha = false
            var isPremultiplied = false
            /// Of the tile with this number.
            var tileProperties: [Int: [[UInt8]]] = [:]
            /// Wanted, and written for the tiles.
            var tileSize: (width: Int, height: Int)?
            /// Every tile is the same one.
            var repeats = false
            /// The file lists the last tile first.
            var isReversed = false

            private var type: String { format == .avif ? "av01" : "hvc1" }

            private func coded(_ seed: UInt64) throws -> PictureFileWriter.Item {
                let coder = try #require(BuiltInCoders.coder(for: format))
                let options = EncodeOptions(format: format, quality: quality, effort: 1)
                let encoder = try #require(try coder.makeEncoder(for: format, options: options))
                let file = try encoder.encode(TestImages.still(try TestImages.noise(width: 64, height: 64, seed: seed)))
                var item = try #require(PictureFileWriter.item(type, of: file))
                if let tileSize {
                    item.properties.removeAll { $0[4..<8].elementsEqual("ispe".utf8) }
                    item.properties.append(PictureFileWriter.size(tileSize.width, tileSize.height))
                }
                return item
            }

            func file() throws -> [UInt8] {
                let number = PictureFileWriter.number
                let data = [0, 0, 1, 2] + number(size.width, 2) + number(size.height, 2)
                let count = repeats ? 1 : 6
                let all = PictureFileWriter.size(size.width, size.height)
                var items: [PictureFileWriter.Item] = []
                for index in 0..<(hasAlpha ? 2 * count : count) {
                    let tile = isReversed ? index / count * count + count - 1 - index % count : index
                    var item = try coded(UInt64(tile + 1))
                    item.properties += tileProperties[index] ?? []
                    items.append(item)
                }
                func tiles(_ first: Int) -> [Int] { (0..<6).map { first + (repeats ? 0 : isReversed ? 5 - $0 : $0) } }
                // The colours of tiles are those of the whole.
                let colors = items[0].properties.filter { ["colr", "pixi"].contains(String(decoding: $0[4..<8], as: UTF8.self)) }
                let primary = items.count + 1
                var links: [(kind: String, items: [Int])] = [("dimg", tiles(1))]
                if isPremultiplied { links.append(("prem", [primary + 1])) }
                items.append(
                    PictureFileWriter.Item(type: "grid", data: data, properties: [all] + colors + turns, references: links))
                if hasAlpha {
                    let kind = PictureFileWriter.box(
                        "auxC", number(0, 4) + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))
                    items.append(
                        PictureFileWriter.Item(
                            type: "grid", data: data, properties: [all, kind],
                            references: [("dimg", tiles(count + 1)), ("auxl", [primary])]))
                }
                return PictureFileWriter(brand: format == .avif ? "avif" : "heic", items: items, primary: primary).bytes
            }
        }

        private static var formats: [ImageFormat] {
            var formats: [ImageFormat] = []
            #if AVIF
                formats.append(.avif)
            #endif
            #if HEIC
                formats.append(.heic)
            #endif
            return formats
        }

        /// A decoder that has read the file, for a region.
        private static func decoder(_ file: [UInt8], _ part: PixelRect) throws -> any RegionDecoder {
            var options = ResolvedDecodeOptions()
            options.region = part
            let bytes = ByteRope(file)
            let match = AvailableCoders.manager.match(bytes, hint: nil)
            guard case .found(let coder, let format) = match else { throw ImageError(.notAnImage, stage: .decode, "none") }
            let decoder = try coder.makeDecoder(for: format, options: options, environment: DecodeEnvironment())
            _ = try decoder.read(from: bytes)
            return try #require(decoder as? any RegionDecoder)
        }

        private static func isByTiles(_ file: [UInt8], _ part: PixelRect) throws -> Bool { try decoder(file, part).decodesRegion }

        private static let inside = PixelRect(x: 70, y: 10, width: 40, height: 40)

        // S3-17
        @Test(arguments: formats, [80, 95]) func `Every part has the pixels of the whole`(_ format: ImageFormat, _ quality: Int)
            throws
        {
            for size in [(180, 110), (192, 128), (130, 66)] {
                var grid = Grid(format: format)
                (grid.quality, grid.size) = (quality, size)
                let file = try grid.file()
                for isDeep in [false, true] {
                    var comparison = RegionComparison()
                    comparison.options.keeps16Bit = isDeep
                    // At and beside the edges of tiles, where chroma is smoothed.
                    var parts = RegionComparison.parts(of: PixelSize(clamping: size.0, size.1), random: 10)
                    for edge in 61...67 { parts.append(PixelRect(x: edge, y: 125 - edge, width: 20, height: 9)) }
                    #expect(try comparison.differences(file, parts) == [], "\(size)")
                }
                #expect(try Self.isByTiles(file, Self.inside))
            }
        }

        @Test(arguments: formats) func `Turned and mirrored ones too`(_ format: ImageFormat) throws {
            for rotation in [nil, 0, 1, 2, 3] as [Int?] {
                for mirror in [nil, 0, 1] as [Int?] {
                    var grid = Grid(format: format)
                    if let rotation { grid.turns.append(PictureFileWriter.rotation(rotation)) }
                    if let mirror { grid.turns.append(PictureFileWriter.mirror(mirror)) }
                    let file = try grid.file()
                    for applies in [true, false] {
                        var comparison = RegionComparison()
                        comparison.options.appliesOrientation = applies
                        let size = try comparison.whole(file).bitmap.size
                        let parts = RegionComparison.parts(of: size, random: 4)
                        #expect(try comparison.differences(file, parts) == [], "\(rotation ?? -1) \(mirror ?? -1) \(applies)")
                    }
                    #expect(try Self.isByTiles(file, PixelRect(x: 10, y: 10, width: 20, height: 20)))
                }
            }
        }

        @Test(arguments: formats, [false, true]) func `With alpha in tiles`(_ format: ImageFormat, _ isPremultiplied: Bool) throws
        {
            var grid = Grid(format: format)
            (grid.hasAlpha, grid.isPremultiplied) = (true, isPremultiplied)
            let file = try grid.file()
            for alpha in [AlphaMode.premultiplied, .straight, .opaque] {
                var comparison = RegionComparison()
                comparison.options.alpha = alpha
                let whole = try comparison.whole(file).bitmap
                #expect(whole.layout.alpha == alpha)
                let parts = RegionComparison.parts(of: whole.size, random: 6)
                #expect(try comparison.differences(file, parts) == [], "\(alpha)")
            }
            #expect(try Self.isByTiles(file, Self.inside))
        }

        /// libavif 0.11 puts them in the order of the items.
        @Test(arguments: formats, [false, true]) func `Tiles lie as they are referred to`(_ format: ImageFormat, _ hasAlpha: Bool)
            throws
        {
            var grid = Grid(format: format)
            grid.hasAlpha = hasAlpha
            let comparison = RegionComparison()
            let plain = try comparison.whole(try grid.file()).bitmap
            grid.isReversed = true
            let file = try grid.file()
            let whole = try comparison.whole(file).bitmap
            #expect(whole.packedBytes() == plain.packedBytes())
            #expect(try comparison.differences(file, RegionComparison.parts(of: whole.size, random: 4)) == [])
            #expect(try Self.isByTiles(file, Self.inside))
        }

        /// libavif refuses such files.
        @Test(arguments: formats.filter { $0 != .avif }) func `A tile may be there several times`(_ format: ImageFormat) throws {
            var grid = Grid(format: format)
            grid.repeats = true
            let file = try grid.file()
            let parts = RegionComparison.parts(of: PixelSize(clamping: 180, 110))
            #expect(try RegionComparison().differences(file, parts) == [])
            #expect(try Self.isByTiles(file, Self.inside))
        }

        /// Where boxes alone do not tell what a part looks like, the whole is decoded.
        @Test(arguments: formats) func `Other grids are decoded as a whole`(_ format: ImageFormat) throws {
            var turned = Grid(format: format)
            turned.tileProperties[1] = [PictureFileWriter.rotation(2)]
            var backwards = Grid(format: format)
            backwards.turns = [PictureFileWriter.mirror(0), PictureFileWriter.rotation(1)]
            var cut = Grid(format: format)
            let number = PictureFileWriter.number
            cut.turns = [
                PictureFileWriter.box("clap", [100, 1, 80, 1, 0, 1, 0, 1].flatMap { number($0, 4) })
            ]
            var lying = Grid(format: format)
            lying.tileSize = (40, 40)
            var colored = Grid(format: format)
            let kind = Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0x80]
            colored.tileProperties[4] = [PictureFileWriter.box("colr", kind)]
            #expect(HEIFGrid(try colored.file()) == nil)
            for grid in [turned, backwards, cut, lying, colored] {
                let file = try grid.file()
                let decoder = try? Self.decoder(file, PixelRect(x: 10, y: 10, width: 20, height: 20))
                #expect(decoder?.decodesRegion != true)
            }
            // All of its tiles are touched, a track may be shown in its place, or damage is allowed.
            let file = try Grid(format: format).file()
            #expect(HEIFGrid(file) != nil && HEIFGrid(file + PictureFileWriter.box("moov", [])) == nil)
            #expect(try !Self.isByTiles(file, PixelRect(x: 50, y: 50, width: 90, height: 30)))
            var comparison = RegionComparison()
            comparison.options.allowsPartial = true
            #expect(try comparison.differences(file, [Self.inside]) == [])
        }

        // S3-17
        @Test(arguments: formats) func `Limits and memory are those of the tiles`(_ format: ImageFormat) throws {
            let file = try Grid(format: format).file()
            var options = ResolvedDecodeOptions()
            options.region = Self.inside
            // One tile of pixels and its planes.
            (options.limits.maximumDecodedBytes, options.limits.maximumPixels) = (20_000, 5000)
            let environment = DecodeEnvironment(budget: ResourceBudget(capacity: 100_000))
            let decoding = ImageDecoding(coders: AvailableCoders.manager, environment: environment)
            #expect(try decoding.open(ByteRope(file), options).neededBytes == 40 * 40 * 4)
            #expect(try decoding.decode(ByteRope(file), options: options).size == PixelSize(clamping: 40, 40))
            // The region fits in 8,000 bytes, its tile does not; nor does the whole in 20,000.
            var small = options
            small.limits.maximumDecodedBytes = 8000
            options.region = nil
            for refused in [small, options] {
                let error = #expect(throws: ImageError.self) { _ = try decoding.decode(ByteRope(file), options: refused) }
                #expect(error?.code == .limitExceeded)
            }
        }

        /// Lists and numbers that lie are errors, or the whole; never a crash, and never another size.
        @Test(arguments: formats) func `Damage is an error`(_ format: ImageFormat) throws {
            let file = try Grid(format: format).file()
            let end = try #require(ISOBoxes(bytes: file).first("meta")).content.upperBound
            var options = ResolvedDecodeOptions()
            options.region = Self.inside
            let decoding = ImageDecoding(coders: AvailableCoders.manager)
            for index in 0..<end where index % 5 == 0 {
                var damaged = file
                damaged[index] ^= 0x55
                do throws(ImageError) {
                    let image = try decoding.decode(ByteRope(damaged), options: options)
                    #expect(image.size.width <= 40 && image.size.height <= 40, "\(index)")
                } catch { #expect(error.code != .encodeFailed, "\(index)") }
            }
        }
    }
#endif
