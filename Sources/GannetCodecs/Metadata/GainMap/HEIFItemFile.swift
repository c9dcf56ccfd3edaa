#if AVIF || HEIC
    import GannetCore

    /// One image of a HEIC or AVIF file as a file of its own: its coded data, and the tiles that it is made of. Nothing else is copied.
    enum HEIFItemFile {
        /// Tiles of a map.
        private static let mostItems = 1024

        /// `turns`: the properties that turn the image. Nil: it is made of something else than coded images in a grid, or is not whole.
        static func file(of item: Int, in index: HEIFIndex, turns: [Int]) -> [UInt8]? {
            guard let root = index.items[item] else { return nil }
            let isGrid = root.type == "grid"
            let tiles = isGrid ? index.references("dimg", from: item) : []
            guard tiles.count < mostItems, isGrid != tiles.isEmpty, !tiles.contains(item),
                var copy = HEIFCopy(of: index, coded: isGrid ? tiles : [item]), copy.add(item, more: turns), copy.addOnce(tiles)
            else { return nil }
            if isGrid { copy.refer("dimg", from: item, to: tiles) }
            return copy.writer.file()
        }
    }
#endif
