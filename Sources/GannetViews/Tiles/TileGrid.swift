package import GannetCore
import GannetImages

/// The squares in which a large image is decoded. At level 0 they have the image's own pixels, and at each next one half as many along a
/// side, so that a tile of any level has the same number of pixels and costs the same memory.
package struct TileGrid: Sendable {
    /// One square.
    package struct Tile: Hashable, Sendable {
        package var level: Int
        package var column: Int
        package var row: Int

        /// Counted from 0, from the upper left.
        package init(level: Int, column: Int, row: Int) { (self.level, self.column, self.row) = (level, column, row) }
    }

    /// Pixels along a side of a decoded tile.
    package static let side = 512
    private let size: PixelSize

    /// - Parameter size: that of the upright image.
    package init(_ size: PixelSize) { self.size = size }

    /// The level with the fewest pixels that still has one for each pixel of the display. An image that is narrower than one of its pixels
    /// has no tiles there.
    /// - Parameter density: pixels of the display for each pixel of the image.
    package func level(for density: Double) -> Int {
        guard density > 0, density.isFinite else { return 0 }
        var level = 0
        // A hundredth less is not seen.
        while level < 16, Double(2 << level) * density <= 1.01 { level += 1 }
        return level
    }

    /// The pixels of a level. Each is made of as many of the image; those at its right and lower edge that do not fill one have none, so
    /// that pixels lie in the same place whichever tile they are in. What is below the tiles is seen there, less than a pixel of the display.
    private func size(at level: Int) -> (width: Int, height: Int) { (size.width >> level, size.height >> level) }

    /// Tiles of a level beside each other, and below each other.
    package func count(at level: Int) -> (columns: Int, rows: Int) {
        let (width, height) = size(at: level)
        return ((width + Self.side - 1) / Self.side, (height + Self.side - 1) / Self.side)
    }

    /// The pixels of the image that a tile shows; those at the right and lower edges have fewer.
    package func region(of tile: Tile) -> PixelRect {
        let (place, level) = (place(of: tile), tile.level)
        return PixelRect(
            x: place.x << level, y: place.y << level, width: place.width << level, height: place.height << level)
    }

    /// Its pixels in its level.
    private func place(of tile: Tile) -> PixelRect {
        let (left, top) = (tile.column * Self.side, tile.row * Self.side)
        let (width, height) = size(at: tile.level)
        return PixelRect(x: left, y: top, width: min(Self.side, width - left), height: min(Self.side, height - top))
    }

    /// What is decoded for tiles, and where they lie in it.
    package struct Part: Sendable {
        /// In pixels of the image.
        package var region: PixelRect
        /// To decode it at.
        package var size: PixelSize
        /// Of the tiles, in pixels of that size.
        package var places: [PixelRect]
    }

    /// Pixels of a level that are decoded around its tiles: as many as the filter weighs that makes images smaller, and one for those that
    /// are averaged before.
    private static let margin = 4

    /// The part that shows tiles of one level, with what is around them, of which their pixels at the borders are made too. Not for no tiles.
    package func part(of tiles: [Tile]) -> Part {
        let places = tiles.map { place(of: $0) }
        let level = tiles.first?.level ?? 0
        let margin = level == 0 ? 0 : Self.margin
        let (width, height) = size(at: level)
        let left = max((places.map(\.x).min() ?? 0) - margin, 0)
        let top = max((places.map(\.y).min() ?? 0) - margin, 0)
        let right = min((places.map { $0.x + $0.width }.max() ?? 0) + margin, width)
        let bottom = min((places.map { $0.y + $0.height }.max() ?? 0) + margin, height)
        return Part(
            region: PixelRect(
                x: left << level, y: top << level, width: (right - left) << level, height: (bottom - top) << level),
            size: PixelSize(clamping: right - left, bottom - top),
            places: places.map { PixelRect(x: $0.x - left, y: $0.y - top, width: $0.width, height: $0.height) })
    }

    /// Tiles that are decoded at once, at most: rows of a PNG or TIFF are unpacked in their whole width, however many tiles they are for.
    package static let together = 4

    /// The first of these tiles, and those beside it in its row.
    package func together(_ tiles: [Tile]) -> [Tile] {
        guard let first = tiles.first else { return [] }
        let columns = Set(tiles.lazy.filter { $0.level == first.level && $0.row == first.row }.map(\.column))
        var run = first.column...first.column
        while run.count < Self.together {
            if columns.contains(run.upperBound + 1) {
                run = run.lowerBound...run.upperBound + 1
            } else if columns.contains(run.lowerBound - 1) {
                run = run.lowerBound - 1...run.upperBound
            } else {
                break
            }
        }
        return run.map { Tile(level: first.level, column: $0, row: first.row) }
    }

    /// Where it lies while the whole image has this frame.
    package func frame(of tile: Tile, in whole: LayoutRect) -> LayoutRect {
        let region = region(of: tile)
        let (x, y) = (whole.width / Double(size.width), whole.height / Double(size.height))
        return LayoutRect(
            x: whole.x + Double(region.x) * x, y: whole.y + Double(region.y) * y, width: Double(region.width) * x,
            height: Double(region.height) * y)
    }

    /// The tiles of a level that lie in the visible part of the whole image's frame, those in its middle first.
    package func tiles(at level: Int, in visible: LayoutRect, of whole: LayoutRect) -> [Tile] {
        let part = visible.intersection(whole)
        guard !part.isEmpty, whole.width > 0, whole.height > 0 else { return [] }
        let step = Double(Self.side << level)
        let (x, y) = (Double(size.width) / whole.width / step, Double(size.height) / whole.height / step)
        let count = count(at: level)
        guard count.columns > 0, count.rows > 0 else { return [] }
        let columns = Self.span((part.x - whole.x) * x, part.width * x, of: Double(count.columns))
        let rows = Self.span((part.y - whole.y) * y, part.height * y, of: Double(count.rows))
        let middle = (Double(columns.lowerBound + columns.upperBound) / 2, Double(rows.lowerBound + rows.upperBound) / 2)
        func distance(_ tile: Tile) -> Double {
            let (across, down) = (Double(tile.column) + 0.5 - middle.0, Double(tile.row) + 0.5 - middle.1)
            return across * across + down * down
        }
        let tiles = rows.flatMap { row in columns.map { Tile(level: level, column: $0, row: row) } }
        return tiles.sorted { distance($0) < distance($1) }
    }

    private static func span(_ start: Double, _ length: Double, of count: Double) -> Range<Int> {
        let first = max(min(start.rounded(.down), count - 1), 0)
        let end = max(min((start + length).rounded(.up), count), first + 1)
        return Int(first)..<Int(end)
    }
}
