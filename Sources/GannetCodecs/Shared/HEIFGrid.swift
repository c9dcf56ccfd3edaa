#if AVIF || HEIC
    import GannetCore

    /// An image in tiles (ISO/IEC 23008-12 §6.6.2.3) of which a part is wanted. libheif before 1.19 and libavif make whole images alone, so
    /// the tiles that the part touches become a file of their own, with a smaller grid.
    struct HEIFGrid {
        /// One list of tiles: that of the image, or of its alpha.
        private struct Layer {
            var item: Int
            var columns: Int
            var rows: Int
            var size: PixelSize
            var tile: PixelSize
            /// Row by row.
            var tiles: [Int]

            func isLaid(as other: Layer) -> Bool {
                (columns, rows) == (other.columns, other.rows) && size == other.size && tile == other.tile
            }
        }

        /// A file of some tiles, and where they lie in the whole image, which is not turned yet.
        struct Part {
            var bytes: [UInt8]
            var place: PixelRect
        }

        private let index: HEIFIndex
        private let colors: Layer
        private let alpha: Layer?
        private let isPremultiplied: Bool
        /// The properties that turn the image.
        private let turns: [Int]
        /// What they do.
        let orientation: Orientation

        /// As stored.
        var size: PixelSize { colors.size }

        /// Chroma is smoothed over two pixels where tiles meet, which the part has to have too.
        private static let margin = 2

        /// Nil: the image is not a grid, or not one of the kind that all programs write; it is then decoded as a whole.
        init?(_ bytes: [UInt8]) {
            // Decoders may show a track, even one of a single frame, in place of the image.
            guard let index = HEIFIndex(bytes), index.boxes.first("moov") == nil,
                let colors = Self.layer(index.primary, of: index)
            else { return nil }
            let own = index.items[index.primary]?.properties ?? []
            turns = own.filter { ["irot", "imir"].contains(index.properties[$0].type) }
            guard let orientation = Self.orientation(turns.map { index.properties[$0] }, index.boxes) else { return nil }
            let helpers = index.distinct("auxl", to: index.primary).map(\.from).filter { Self.isAlpha($0, index) }
            guard helpers.count < 2 else { return nil }
            var alpha: Layer?
            if let item = helpers.first {
                guard let layer = Self.layer(item, of: index), layer.isLaid(as: colors) else { return nil }
                alpha = layer
            }
            // Tiles may have an alpha each.
            let tiles = Set(colors.tiles + (alpha?.tiles ?? []))
            guard !index.references.contains(where: { $0.type == "auxl" && !tiles.isDisjoint(with: $0.to) }) else { return nil }
            isPremultiplied = alpha.map { index.references("prem", from: index.primary).contains($0.item) } ?? false
            (self.index, self.colors, self.alpha, self.orientation) = (index, colors, alpha, orientation)
        }

        private static func layer(_ item: Int, of index: HEIFIndex) -> Layer? {
            guard index.items[item]?.type == "grid", index.property("clap", of: item) == nil,
                index.references.filter({ $0.type == "dimg" && $0.from == item }).count == 1,
                let data = index.data(of: item, limit: 64), data.count >= 8, data[0] == 0
            else { return nil }
            let numbers = ISOBoxes(bytes: data)
            let width = data[1] & 1 == 0 ? 2 : 4
            let tiles = index.references("dimg", from: item)
            let (rows, columns) = (Int(data[2]) + 1, Int(data[3]) + 1)
            guard data.count == 4 + 2 * width, tiles.count == rows * columns, !tiles.contains(item),
                let size = PixelSize(width: numbers.number(4, width), height: numbers.number(4 + width, width)),
                index.storedSize(of: item) == size, let tile = index.storedSize(of: tiles[0]),
                // Chroma of half the size has the same places in a smaller grid.
                tile.width % 2 == 0, tile.height % 2 == 0,
                ((columns - 1) * tile.width + 1...columns * tile.width).contains(size.width),
                ((rows - 1) * tile.height + 1...rows * tile.height).contains(size.height),
                Set(tiles).allSatisfy({ isPlain($0, tile, index) }),
                // Decoders ask the first tile about what the image does not say.
                hasOneKindOfColors(Set(tiles), index)
            else { return nil }
            return Layer(item: item, columns: columns, rows: rows, size: size, tile: tile, tiles: tiles)
        }

        /// A coded image of this size, not turned and not cut.
        private static func isPlain(_ item: Int, _ size: PixelSize, _ index: HEIFIndex) -> Bool {
            guard let found = index.items[item], ["hvc1", "av01"].contains(found.type), index.storedSize(of: item) == size else {
                return false
            }
            return !found.properties.contains { ["irot", "imir", "clap"].contains(index.properties[$0].type) }
        }

        /// Whether the properties that say what samples mean are alike. Boxes are compared once, however many items share them.
        private static func hasOneKindOfColors(_ items: Set<Int>, _ index: HEIFIndex) -> Bool {
            var kinds: [ArraySlice<UInt8>: Int] = [:]
            var kindOfPlace: [Int: Int] = [:]
            var found: Set<Set<Int>> = []
            for item in items {
                var own: Set<Int> = []
                for place in index.items[item]?.properties ?? [] {
                    let box = index.properties[place]
                    guard ["colr", "pixi"].contains(box.type) else { continue }
                    let bytes = index.boxes.bytes[box.start..<box.content.upperBound]
                    let kind = kindOfPlace[place] ?? kinds[bytes] ?? kinds.count
                    if kindOfPlace[place] == nil { (kindOfPlace[place], kinds[bytes]) = (kind, kind) }
                    own.insert(kind)
                }
                found.insert(own)
            }
            return found.count == 1
        }

        private static func isAlpha(_ item: Int, _ index: HEIFIndex) -> Bool {
            guard let kind = index.property("auxC", of: item), kind.count > 4 else { return false }
            let text = index.boxes.bytes[kind.dropFirst(4).prefix(64)].prefix { $0 != 0 }
            return ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:avc:2015:auxid:1"]
                .contains { text.elementsEqual($0.utf8) }
        }

        /// At most a turn, and a mirror after it. Nil: another order.
        private static func orientation(_ turns: [ISOBoxes.Box], _ boxes: ISOBoxes) -> Orientation? {
            var rest = turns[...]
            var orientation = Orientation.up
            if let turn = rest.first, turn.type == "irot" {
                guard let quarters = boxes.number(0, 1, in: turn.content) else { return nil }
                orientation = [.up, .left, .down, .right][quarters & 3]
                rest = rest.dropFirst()
            }
            if let mirror = rest.first, mirror.type == "imir" {
                guard let axis = boxes.number(0, 1, in: mirror.content) else { return nil }
                orientation = orientation.followed(by: axis & 1 == 0 ? .downMirrored : .upMirrored)
                rest = rest.dropFirst()
            }
            return rest.isEmpty ? orientation : nil
        }

        // MARK: Parts

        /// The tiles that `region` touches, in stored pixels. `isTurned`: the decoder turns pixels as the file says. Nil: they are all of them,
        /// or not whole.
        func part(of region: PixelRect, isTurned: Bool) -> Part? {
            let (left, top) = (max(region.x - Self.margin, 0), max(region.y - Self.margin, 0))
            let right = min(region.x + region.width + Self.margin, size.width)
            let bottom = min(region.y + region.height + Self.margin, size.height)
            let tile = colors.tile
            let across = left / tile.width...(right - 1) / tile.width
            let down = top / tile.height...(bottom - 1) / tile.height
            guard across.count < colors.columns || down.count < colors.rows else { return nil }
            let place = PixelRect(
                x: across.lowerBound * tile.width, y: down.lowerBound * tile.height,
                width: min((across.upperBound + 1) * tile.width, size.width) - across.lowerBound * tile.width,
                height: min((down.upperBound + 1) * tile.height, size.height) - down.lowerBound * tile.height)
            func chosen(_ layer: Layer) -> [Int] { down.flatMap { row in across.map { layer.tiles[row * layer.columns + $0] } } }
            let sides = HEIFWriter.long(place.width) + HEIFWriter.long(place.height)
            let data = [0, 1, UInt8(down.count - 1), UInt8(across.count - 1)] + sides
            let layers = [colors] + (alpha.map { [$0] } ?? [])
            guard var copy = HEIFCopy(of: index, coded: layers.flatMap(chosen)) else { return nil }
            for layer in layers {
                let isAlpha = layer.item != colors.item
                let kind = isAlpha ? index.items[layer.item]?.properties.filter { index.properties[$0].type == "auxC" } : nil
                guard copy.add(layer.item, data: data, size: place.size, more: kind ?? (isTurned ? turns : [])),
                    copy.addOnce(chosen(layer))
                else { return nil }
            }
            for layer in layers { copy.refer("dimg", from: layer.item, to: chosen(layer)) }
            if let alpha {
                copy.refer("auxl", from: alpha.item, to: [colors.item])
                if isPremultiplied { copy.refer("prem", from: colors.item, to: [alpha.item]) }
            }
            return copy.writer.file().map { Part(bytes: $0, place: place) }
        }
    }

    extension HEIFIndex {
        /// `ispe`.
        fileprivate func storedSize(of item: Int) -> PixelSize? {
            guard let range = property("ispe", of: item), let width = boxes.number(4, 4, in: range),
                let height = boxes.number(8, 4, in: range)
            else { return nil }
            return PixelSize(width: width, height: height)
        }
    }
#endif
