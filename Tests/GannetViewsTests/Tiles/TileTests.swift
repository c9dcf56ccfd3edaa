import GannetCore
import GannetTesting
import GannetViews
import Testing

/// Which tiles a large image is shown by, and which are kept.
@Suite struct TileTests {
    private let grid = TileGrid(PixelSize(clamping: 1300, 700))
    private let whole = LayoutRect(x: 10, y: 20, width: 1300, height: 700)

    @Test(arguments: [
        (32.0, 0), (1, 0), (0.7, 0), (0.5, 1), (0.3, 1), (0.25, 2), (0.1, 3), (1.0 / 64, 6), (1e-9, 16), (0, 0), (.nan, 0),
    ])
    func `A level has at least one pixel for each of the display`(_ density: Double, _ level: Int) {
        #expect(grid.level(for: density) == level)
    }

    @Test(arguments: [1.0, 0.5, 0.3, 1e-2, 1e-4, 1e-6])
    func `A line of many pixels has few tiles at any scale, and none where it is less than a pixel high`(_ density: Double) {
        let grid = TileGrid(PixelSize(clamping: 20_000_000, 1))
        let whole = LayoutRect(x: 0, y: 0, width: 20_000_000 * density, height: density)
        let tiles = grid.tiles(
            at: grid.level(for: density), in: LayoutRect(x: 0, y: 0, width: 2000, height: 1000), of: whole)
        #expect(tiles.count == (density == 1 ? 4 : 0))
    }

    @Test(arguments: 0..<4) func `The tiles of a level cover once what fills its pixels, and nothing else`(_ level: Int) {
        let grid = TileGrid(PixelSize(clamping: 1031, 521))
        let whole = LayoutRect(x: 10, y: 20, width: 1031, height: 521)
        let tiles = grid.tiles(at: level, in: whole, of: whole)
        var covered = [Int](repeating: 0, count: 1031 * 521)
        for tile in tiles {
            let region = grid.region(of: tile)
            for y in region.y..<region.y + region.height {
                for x in region.x..<region.x + region.width { covered[y * 1031 + x] += 1 }
            }
            let frame = grid.frame(of: tile, in: whole)
            #expect(
                frame
                    == LayoutRect(
                        x: Double(10 + region.x), y: Double(20 + region.y), width: Double(region.width),
                        height: Double(region.height)))
        }
        let (width, height) = ((1031 >> level) << level, (521 >> level) << level)
        #expect(covered.indices.allSatisfy { covered[$0] == ($0 % 1031 < width && $0 / 1031 < height ? 1 : 0) })
        #expect(grid.count(at: level).columns * grid.count(at: level).rows == tiles.count)
    }

    // S3-17
    @Test(arguments: 0..<4) func `Tiles are decoded with what is around them, as far as the level goes`(_ level: Int) {
        let grid = TileGrid(PixelSize(clamping: 4105, 1035))
        let count = grid.count(at: level)
        let (size, step) = (PixelSize(clamping: (4105 >> level) << level, (1035 >> level) << level), 1 << level)
        let all = (0..<count.rows).map { row in (0..<count.columns).map { TileGrid.Tile(level: level, column: $0, row: row) } }
        for tiles in all + all.joined().map({ [$0] }) {
            let part = grid.part(of: tiles)
            #expect(part.region.clipped(to: size) == part.region)
            // Each pixel is made of as many of the image, wherever the part is.
            #expect(part.region.x.isMultiple(of: step) && part.region.y.isMultiple(of: step))
            #expect(part.region.size == PixelSize(clamping: part.size.width * step, part.size.height * step))
            for (tile, place) in zip(tiles, part.places) {
                let region = grid.region(of: tile)
                #expect(region.size == PixelSize(clamping: place.width * step, place.height * step))
                #expect(place.width <= TileGrid.side && place.height <= TileGrid.side)
                #expect(part.region.x + place.x * step == region.x && part.region.y + place.y * step == region.y)
                #expect(place.clipped(to: part.size) == place)
            }
            let (first, margin) = (grid.region(of: tiles[0]), level == 0 ? 0 : 4)
            #expect(part.places[0].x == min(margin, first.x / step) && part.places[0].y == min(margin, first.y / step))
        }
    }

    @Test func `Tiles beside each other are decoded at once, and alone once one of them failed`() {
        let grid = TileGrid(PixelSize(clamping: 10_000, 2000))
        func tiles(_ columns: [Int], row: Int = 1) -> [TileGrid.Tile] {
            columns.map { TileGrid.Tile(level: 0, column: $0, row: row) }
        }
        #expect(grid.together(tiles([3, 4, 2, 6], row: 0) + tiles([5])) == tiles([2, 3, 4], row: 0))
        #expect(grid.together(tiles([3]) + tiles([2, 4], row: 0)) == tiles([3]))
        #expect(grid.together(tiles([7, 8, 6, 9, 10, 11, 5])) == tiles([7, 8, 9, 10]) && grid.together([]).isEmpty)
        var failures = TileFailures()
        failures.add(tiles([2, 3]), ImageError(.corrupt, stage: .decode, "one of them"))
        #expect(failures.isAlone(tiles([2])[0]) && !failures.isGivenUp(tiles([2])[0]) && !failures.isAlone(tiles([4])[0]))
    }

    @Test func `Only visible tiles are wanted, the middle ones first`() {
        let visible = LayoutRect(x: 10, y: 20, width: 600, height: 100)
        #expect(
            grid.tiles(at: 0, in: visible, of: whole)
                == [TileGrid.Tile(level: 0, column: 0, row: 0), TileGrid.Tile(level: 0, column: 1, row: 0)])
        let all = grid.tiles(at: 0, in: whole, of: whole)
        #expect(all.count == 6 && all.prefix(2).allSatisfy { $0.column == 1 })
        #expect(grid.tiles(at: 0, in: LayoutRect(x: 2000, y: 0, width: 10, height: 10), of: whole).isEmpty)
    }

    // NW-03
    @Test func `The cache keeps its limit by dropping what was used longest ago, and never what is wanted`() throws {
        let bitmap = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 4, 4))).freeze()
        let tiles = (0..<5).map { TileGrid.Tile(level: 0, column: $0, row: 0) }
        var cache = TileCache(limit: 3 * bitmap.byteCount)
        for tile in tiles[..<3] { cache.insert(bitmap, tile, keeping: []) }
        #expect(cache.bitmap(tiles[0]) != nil && cache.bytes == 3 * bitmap.byteCount)
        cache.insert(bitmap, tiles[3], keeping: [])
        #expect(tiles.map(cache.contains) == [true, false, true, true, false])
        // More is wanted than there is room for.
        cache.insert(bitmap, tiles[4], keeping: Array(tiles[2...]) + [tiles[0]])
        #expect(tiles.map(cache.contains) == [true, false, true, true, true])
        cache.insert(bitmap, tiles[4], keeping: [])
        #expect(tiles.filter(cache.contains).count == 3 && cache.bytes == 3 * bitmap.byteCount)
    }

    // NW-03
    @Test func `What was kept beyond the limit because it was wanted goes once it is not`() throws {
        let bitmap = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 4, 4))).freeze()
        let tiles = (0..<5).map { TileGrid.Tile(level: 0, column: $0, row: 0) }
        var cache = TileCache(limit: 2 * bitmap.byteCount)
        for tile in tiles { cache.insert(bitmap, tile, keeping: tiles) }
        cache.trim(keeping: tiles)
        #expect(cache.bytes == 5 * bitmap.byteCount && cache.bitmap(tiles[0]) != nil)
        cache.trim(keeping: [tiles[1]])
        #expect(tiles.map(cache.contains) == [true, true, false, false, false])
        cache.trim(keeping: [])
        #expect(cache.bytes == 2 * bitmap.byteCount)
    }

    @Test func `A tile's gain map counts too`() throws {
        let channel = GainMapMetadata.Channel(maximum: 1)
        let metadata = try #require(GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 1))
        let size = PixelSize(clamping: 4, 4)
        let encoded = EncodedGainMap(
            bytes: [UInt8](repeating: 0, count: 100_000), size: size, isGray: true, metadata: metadata, format: .iso)
        let source = GainMap.Source(encoded, imageSize: size) { _ throws(ImageError) in
            throw ImageError(.corrupt, stage: .decode, "not to be decoded")
        }
        let bitmap = try PixelBuffer(PixelLayout(size: size)).freeze(with: GainMap(source))
        let tiles = (0..<2).map { TileGrid.Tile(level: 0, column: $0, row: 0) }
        var cache = TileCache(limit: 150_000)
        for tile in tiles { cache.insert(bitmap, tile, keeping: []) }
        #expect(tiles.map(cache.contains) == [false, true] && cache.bytes == bitmap.byteCount && cache.bytes >= 100_000)
    }

    @Test(arguments: [ImageError.Code.timedOut, .limitExceeded, .cancelled, .corrupt, .truncated, .unsupported, .misuse])
    func `Only a tile that failed for want of time or room is asked for once more`(_ code: ImageError.Code) {
        let tile = TileGrid.Tile(level: 1, column: 2, row: 3)
        var failures = TileFailures()
        #expect(!failures.isGivenUp(tile))
        failures.add([tile], ImageError(code, stage: .decode, "of this tile"))
        #expect(failures.isGivenUp(tile) == ![.timedOut, .limitExceeded, .cancelled].contains(code))
        failures.add([tile], ImageError(code, stage: .decode, "of this tile"))
        #expect(failures.isGivenUp(tile) && !failures.isGivenUp(TileGrid.Tile(level: 1, column: 2, row: 4)))
    }
}
