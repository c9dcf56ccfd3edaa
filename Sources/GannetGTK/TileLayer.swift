#if GTK
    import GannetCore
    import GannetImages
    import GannetViews

    /// Sharp tiles over an image that is too large to decode as a whole: those of the visible part at the scale that it is shown at.
    @GTKActor package final class TileLayer {
        /// The whole image at a smaller size, under the tiles.
        package private(set) var base: Bitmap
        /// The call whose image this is.
        let call: Int
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
        /// By the first of the tiles that are decoded at once.
        private var running: [TileGrid.Tile: Decode] = [:]
        package private(set) var wanted: [TileGrid.Tile] = []
        private var failures = TileFailures()
        /// The image's size in points when it is not zoomed.
        var points: LayoutSize { LayoutSize(width: Double(size.width), height: Double(size.height)) }
        /// No tile of the visible part is missing.
        package var isComplete: Bool { wanted.allSatisfy { cache.contains($0) || failures.isGivenUp($0) } }
        /// Bytes of decoded tiles.
        package var bytes: Int { cache.bytes }

        /// Bytes of the tiles that are kept; the visible ones always are.
        private static let limit = 16 << 20

        private struct Decode {
            let tiles: [TileGrid.Tile]
            let task: Task<Void, Never>
        }

        /// - Parameters:
        ///   - size: that of the upright image.
        ///   - open: called once, when the first tile is needed. Nil if it cannot be done.
        ///   - onTile: called when there is more to draw.
        ///   - onFailure: called when `open` has answered nil.
        init(
            over base: Bitmap, call: Int, size: PixelSize, visible: @escaping @GTKActor () -> LayoutRect,
            open: @escaping @Sendable () async -> ImageRegions?, onTile: @escaping @GTKActor () -> Void,
            onFailure: @escaping @GTKActor () -> Void
        ) {
            (self.base, self.call, self.size, grid) = (base, call, size, TileGrid(size))
            (self.visible, self.open) = (visible, open)
            (self.onTile, self.onFailure) = (onTile, onFailure)
        }

        /// Lies over the image that is on screen now, if that is the same one at another size. False: it is another one.
        func follow(_ image: DecodedImage?, call: Int) -> Bool {
            guard case .still(let bitmap, let metadata) = image else { return false }
            if bitmap.identity == base.identity { return true }
            guard call == self.call, metadata.knowsOriginal, metadata.originalSize == size else { return false }
            base = bitmap
            return true
        }

        /// Begins no more decodes, and keeps no more tiles than when none is visible.
        func pause() {
            wanted = []
            cache.trim(keeping: [])
        }

        /// Cancels everything.
        func end() {
            opening?.cancel()
            for decode in running.values { decode.task.cancel() }
            (running, wanted) = ([:], [])
            cache = TileCache(limit: Self.limit)
        }

        /// A bitmap, where it lies, and the part of it that is drawn; nil: all.
        struct Piece {
            var bitmap: Bitmap
            var frame: LayoutRect
            var clip: LayoutRect?
        }

        /// What to draw for the whole image, whose frame this is, from below to above. Begins to decode what is missing.
        /// - Parameter scale: pixels of the display for each point.
        func pieces(in whole: LayoutRect, scale: Double) -> [Piece] {
            let density = whole.width * scale / Double(max(size.width, 1))
            let level = grid.level(for: density)
            // The base is as sharp as it can be shown.
            guard whole.width * scale > Double(base.width) + 1 else {
                pause()
                return [Piece(bitmap: base, frame: whole)]
            }
            let part = visible()
            wanted = grid.tiles(at: level, in: part, of: whole)
            load()
            func piece(_ tile: TileGrid.Tile) -> Piece? {
                cache.bitmap(tile).map { Piece(bitmap: $0, frame: grid.frame(of: tile, in: whole)) }
            }
            guard base.layout.alpha == .opaque else {
                // What lies below would shine through: each place is drawn once.
                func clipped(_ clip: LayoutRect) -> Piece { Piece(bitmap: base, frame: whole, clip: clip) }
                let around = Self.around(wanted.map { grid.frame(of: $0, in: whole) }, in: whole)
                return around.map(clipped) + wanted.map { piece($0) ?? clipped(grid.frame(of: $0, in: whole)) }
            }
            // Until a tile is there, coarser ones of before are better than the base.
            let coarse = cache.coarser(than: level).filter { !grid.frame(of: $0, in: whole).intersection(part).isEmpty }
            return [Piece(bitmap: base, frame: whole)] + (coarse + wanted).compactMap { piece($0) }
        }

        /// What the whole has around a rectangle of tiles: above it, below it, and at its sides.
        private static func around(_ tiles: [LayoutRect], in whole: LayoutRect) -> [LayoutRect] {
            let (left, top) = (tiles.map(\.x).min() ?? whole.x, tiles.map(\.y).min() ?? whole.y)
            let right = tiles.map { $0.x + $0.width }.max() ?? whole.x
            let bottom = tiles.map { $0.y + $0.height }.max() ?? whole.y
            let (end, height) = (whole.x + whole.width, bottom - top)
            let parts = [
                LayoutRect(x: whole.x, y: whole.y, width: whole.width, height: top - whole.y),
                LayoutRect(x: whole.x, y: bottom, width: whole.width, height: whole.y + whole.height - bottom),
                LayoutRect(x: whole.x, y: top, width: left - whole.x, height: height),
                LayoutRect(x: right, y: top, width: end - right, height: height),
            ]
            return parts.filter { $0.width > 0 && $0.height > 0 }
        }

        private func load() {
            guard let regions else { return openFile() }
            let begun = Set(running.values.flatMap(\.tiles))
            var missing = wanted.filter { !begun.contains($0) && !cache.contains($0) && !failures.isGivenUp($0) }
            while running.count < regions.concurrency, let first = missing.first {
                let tiles = failures.isAlone(first) ? [first] : grid.together(missing.filter { !failures.isAlone($0) })
                missing.removeAll(where: tiles.contains)
                let part = grid.part(of: tiles)
                // Unstructured, because drawing does not wait. `end()` cancels it. Tiles that are scrolled away are finished: that takes
                // less than what a decoder that is stopped in the middle would have to do again.
                let task = Task { [weak self] in
                    let result: Result<[Bitmap], ImageError>
                    do throws(ImageError) {
                        result = .success(try await regions.bitmaps(of: part.region, at: part.size, cut: part.places))
                    } catch { result = .failure(error) }
                    if !Task.isCancelled { self?.ended(first, tiles, result) }
                }
                running[first] = Decode(tiles: tiles, task: task)
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

        private func ended(_ first: TileGrid.Tile, _ tiles: [TileGrid.Tile], _ result: Result<[Bitmap], ImageError>) {
            running[first] = nil
            switch result {
            case .success(let bitmaps): for (tile, bitmap) in zip(tiles, bitmaps) { cache.insert(bitmap, tile, keeping: wanted) }
            case .failure(let error): failures.add(tiles, error)
            }
            load()
            onTile()
        }
    }
#endif
