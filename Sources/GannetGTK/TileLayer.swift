#if GTK
    import GannetCore
    import GannetImages
    import GannetViews

    /// Sharp tiles over an image that is too large to decode as a whole: those of the visible part at the scale that it is shown at.
    @GTKActor package final class TileLayer {
        /// The whole image at a smaller size, under the tiles.
        let base: Bitmap
        private let grid: TileGrid
        private let size: PixelSize
        /// Answers the visible part of the widget, in points.
        private let visible: @GTKActor () -> LayoutRect
        private let onTile: @GTKActor () -> Void
        private let onFailure: @GTKActor () -> Void
        private let open: @Sendable () async -> ImageRegions?
        private var opening: Task<Void, Never>?
        private var regions: ImageRegions?
        private var cache = TileCache(limit: TileLayer.limit)
        private var running: [TileGrid.Tile: Task<Void, Never>] = [:]
        private var wanted: [TileGrid.Tile] = []
        /// Not asked for again.
        private var failed: Set<TileGrid.Tile> = []
        /// The image's size in points when it is not zoomed.
        var points: LayoutSize { LayoutSize(width: Double(size.width), height: Double(size.height)) }
        /// No tile of the visible part is missing.
        package var isComplete: Bool { wanted.allSatisfy { cache.contains($0) || failed.contains($0) } }
        /// Bytes of decoded tiles.
        package var bytes: Int { cache.bytes }

        /// Bytes of the tiles that are kept; the visible ones always are.
        private static let limit = 32 << 20
        /// Decodes at once: each holds rows of the whole width.
        private static let concurrency = 2

        /// - Parameters:
        ///   - size: that of the upright image.
        ///   - open: called once, when the first tile is needed. Nil if it cannot be done.
        ///   - onTile: called when there is more to draw.
        ///   - onFailure: called when `open` has answered nil.
        init(
            over base: Bitmap, size: PixelSize, visible: @escaping @GTKActor () -> LayoutRect,
            open: @escaping @Sendable () async -> ImageRegions?, onTile: @escaping @GTKActor () -> Void,
            onFailure: @escaping @GTKActor () -> Void
        ) {
            (self.base, self.size, grid) = (base, size, TileGrid(size))
            (self.visible, self.open) = (visible, open)
            (self.onTile, self.onFailure) = (onTile, onFailure)
        }

        /// Cancels what is decoded. The tiles stay.
        func pause() {
            for task in running.values { task.cancel() }
            (running, wanted) = ([:], [])
        }

        /// Cancels everything.
        func end() {
            opening?.cancel()
            pause()
            cache = TileCache(limit: Self.limit)
        }

        /// What to draw over the base, whose frame this is, and begins to decode what is missing.
        /// - Parameter scale: pixels of the display for each point.
        func tiles(in whole: LayoutRect, scale: Double) -> [(bitmap: Bitmap, frame: LayoutRect)] {
            let density = whole.width * scale / Double(max(size.width, 1))
            let level = grid.level(for: density)
            // The base is as sharp as it can be shown.
            guard whole.width * scale > Double(base.width) + 1 else {
                pause()
                return []
            }
            let part = visible()
            wanted = grid.tiles(at: level, in: part, of: whole)
            load()
            // Until a tile is there, coarser ones of before are better than the base.
            let coarse = cache.coarser(than: level).filter { !grid.frame(of: $0, in: whole).intersection(part).isEmpty }
            return (coarse + wanted).compactMap { tile in
                cache.bitmap(tile).map { ($0, grid.frame(of: tile, in: whole)) }
            }
        }

        private func load() {
            let needed = Set(wanted)
            for (tile, task) in running where !needed.contains(tile) {
                task.cancel()
                running[tile] = nil
            }
            guard let regions else { return openFile() }
            for tile in wanted where running.count < Self.concurrency {
                guard running[tile] == nil, !cache.contains(tile), !failed.contains(tile) else { continue }
                let (region, target) = (grid.region(of: tile), grid.target(of: tile))
                // Unstructured, because drawing does not wait. Cancelled when the tile is no longer visible.
                running[tile] = Task { [weak self] in
                    let result: Result<Bitmap, ImageError>
                    do throws(ImageError) { result = .success(try await regions.bitmap(of: region, at: target)) } catch {
                        result = .failure(error)
                    }
                    if !Task.isCancelled { self?.ended(tile, result) }
                }
            }
        }

        private func openFile() {
            guard opening == nil else { return }
            let open = open
            // Unstructured, because drawing does not wait. `end()` cancels it.
            opening = Task { [weak self] in
                let regions = await open()
                guard let self, !Task.isCancelled else { return }
                self.regions = regions
                if regions == nil { self.onFailure() } else { self.onTile() }
            }
        }

        private func ended(_ tile: TileGrid.Tile, _ result: Result<Bitmap, ImageError>) {
            running[tile] = nil
            switch result {
            case .success(let bitmap): cache.insert(bitmap, tile, keeping: wanted)
            case .failure: failed.insert(tile)
            }
            load()
            onTile()
        }
    }
#endif
