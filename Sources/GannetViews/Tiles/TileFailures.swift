package import GannetCore

/// Tiles that could not be decoded. Those for which there may only have been no time or no room are asked for once more.
package struct TileFailures: Sendable {
    private var givenUp: Set<TileGrid.Tile> = []
    private var failedOnce: Set<TileGrid.Tile> = []
    private var alone: Set<TileGrid.Tile> = []

    package init() {}

    /// Whether it is asked for no more.
    package func isGivenUp(_ tile: TileGrid.Tile) -> Bool { givenUp.contains(tile) }

    /// Whether it is decoded without others: those with which it was may be to blame.
    package func isAlone(_ tile: TileGrid.Tile) -> Bool { alone.contains(tile) }

    /// Of tiles that were decoded at once.
    package mutating func add(_ tiles: [TileGrid.Tile], _ error: ImageError) {
        if tiles.count > 1 { alone.formUnion(tiles) } else { for tile in tiles { add(tile, error) } }
    }

    private mutating func add(_ tile: TileGrid.Tile, _ error: ImageError) {
        switch error.code {
        case .corrupt, .truncated, .unsupported, .misuse: givenUp.insert(tile)
        default: if !failedOnce.insert(tile).inserted { givenUp.insert(tile) }
        }
    }
}
