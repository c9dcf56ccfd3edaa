package import GannetCore

/// Decoded tiles of one image, within a number of bytes. Those that are wanted now are never dropped.
package struct TileCache: Sendable {
    private struct Entry {
        var bitmap: Bitmap
        var lastUse: Int
    }

    private let limit: Int
    private var entries: [TileGrid.Tile: Entry] = [:]
    private var uses = 0
    /// Bytes of memory that they hold.
    package private(set) var bytes = 0

    package init(limit: Int) { self.limit = limit }

    package func contains(_ tile: TileGrid.Tile) -> Bool { entries[tile] != nil }

    /// Counts as a use.
    package mutating func bitmap(_ tile: TileGrid.Tile) -> Bitmap? {
        guard let entry = entries[tile] else { return nil }
        uses += 1
        entries[tile]?.lastUse = uses
        return entry.bitmap
    }

    /// Tiles of coarser levels than this one, the coarsest first.
    package func coarser(than level: Int) -> [TileGrid.Tile] {
        entries.keys.filter { $0.level > level }.sorted { $0.level > $1.level }
    }

    package mutating func insert(_ bitmap: Bitmap, _ tile: TileGrid.Tile, keeping wanted: [TileGrid.Tile]) {
        remove(tile)
        uses += 1
        entries[tile] = Entry(bitmap: bitmap, lastUse: uses)
        bytes += bitmap.byteCount
        trim(keeping: wanted + [tile])
    }

    /// Down to the limit, as far as these allow.
    package mutating func trim(keeping wanted: [TileGrid.Tile]) {
        guard bytes > limit else { return }
        let wanted = Set(wanted)
        let unused = entries.filter { !wanted.contains($0.key) }
        for (tile, _) in unused.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where bytes > limit { remove(tile) }
    }

    private mutating func remove(_ tile: TileGrid.Tile) {
        if let entry = entries.removeValue(forKey: tile) { bytes -= entry.bitmap.byteCount }
    }
}
