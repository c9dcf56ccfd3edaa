package import GannetCore

/// Tiles that could not be decoded. Those for which there may only have been no time or no room are asked for once more.
package struct TileFailures: Sendable {
    private var givenUp: Set<TileGrid.Tile> = []
    private var failedOnce: Set<TileGrid.Tile> = []

    package init() {}

    /// Whether it is asked for no more.
    package func isGivenUp(_ tile: TileGrid.Tile) -> Bool { givenUp.contains(tile) }

    package mutating func add(_ tile: TileGrid.Tile, _ error: ImageError) {
        switch error.code {
        case .corrupt, .truncated, .unsupported, .misuse: givenUp.insert(tile)
        default: if !failedOnce.insert(tile).inserted { givenUp.insert(tile) }
        }
    }
}
