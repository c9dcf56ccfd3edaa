#if PNG && JPEG
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetTesting
    import GannetViews
    import Testing

    /// Tiles of smaller levels beside the whole image at that size.
    @Suite("Tiles and the whole") struct TileSeamTests {
        private let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager([MemoryLoader()]),
                coders: CodersManager(BuiltInCoders.all)))
        private static let size = PixelSize(clamping: 2197, 1143)

        /// Lines of one pixel: each pixel of a smaller size needs all that the filter weighs.
        private func lines() throws -> Bitmap {
            var buffer = try PixelBuffer(PixelLayout(size: Self.size, alpha: .opaque))
            for y in 0..<Self.size.height {
                var row = buffer.mutableRow(y)
                for x in 0..<Self.size.width {
                    let value = UInt8((x * 7 / 5 + y * 3 / 5) % 3 * 100 + (x / 40 + y / 30) % 2 * 50)
                    for channel in 0..<3 { row[x * 4 + channel] = value }
                    row[x * 4 + 3] = 255
                }
            }
            return buffer.freeze()
        }

        /// The greatest step between two images in a rectangle of the second one.
        private func difference(_ tile: Bitmap, _ whole: Bitmap, at place: PixelRect) -> Int {
            var most = 0
            for y in 0..<place.height {
                let (own, other) = (tile.row(y), whole.row(place.y + y))
                for index in 0..<place.width * 4 {
                    most = max(most, abs(Int(own[index]) - Int(other[place.x * 4 + index])))
                }
            }
            return most
        }

        // NW-03, S3-17
        // Sides that no level halves: the last pixels of the image, which do not fill one, are in no tile.
        @Test(arguments: [ImageFormat.png, .jpeg], [1, 2, 3])
        func `Tiles of a level are the whole image at that size, also at their borders`(_ format: ImageFormat, _ level: Int)
            async throws
        {
            let drawn = DecodedImage.still(try lines(), ImageMetadata(format: nil, originalSize: Self.size))
            let coder = try #require(BuiltInCoders.all.first { $0.formats.contains(format) })
            let encoder = try #require(try coder.makeEncoder(for: format, options: EncodeOptions(quality: 95)))
            let file = ByteRope(try encoder.encode(drawn))
            var request = ImageRequest(.data(file, identifier: format.identifier))
            let opened = try await manager.regions(of: request)
            let regions = try #require(opened)
            let (width, height) = (Self.size.width >> level, Self.size.height >> level)
            request.decode.region = PixelRect(x: 0, y: 0, width: width << level, height: height << level)
            request.decode.target = .size(.stretch(width, height))
            let whole = try await manager.image(for: request).image.bitmap
            let grid = TileGrid(Self.size)
            let frame = LayoutRect(x: 0, y: 0, width: Double(Self.size.width), height: Double(Self.size.height))
            var (worst, alone) = (0, 0)
            let tiles = grid.tiles(at: level, in: frame, of: frame)
            for together in [grid.together(tiles)] + tiles.map({ [$0] }) {
                let part = grid.part(of: together)
                let bitmaps = try await regions.bitmaps(of: part.region, at: part.size, cut: part.places)
                for (tile, bitmap) in zip(together, bitmaps) {
                    let region = grid.region(of: tile)
                    let place = PixelRect(
                        x: region.x >> level, y: region.y >> level, width: bitmap.width, height: bitmap.height)
                    worst = max(worst, difference(bitmap, whole, at: place))
                    let plain = try await regions.bitmap(of: region, at: bitmap.size)
                    alone = max(alone, difference(plain, whole, at: place))
                }
            }
            #expect(worst <= 1)
            // Without the margin the borders are seen.
            if level < 3 { #expect(alone > worst + 2) }
        }
    }
#endif
