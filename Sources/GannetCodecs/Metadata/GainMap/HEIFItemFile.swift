#if AVIF || HEIC
    import GannetCore

    /// One image of a HEIC or AVIF file as a file of its own: its coded data, and the tiles that it is made of. Nothing else is copied.
    enum HEIFItemFile {
        /// Tiles of a map.
        private static let mostItems = 1024
        /// Of all properties, most of which are short.
        private static let mostPropertyBytes = 2 << 20
        /// What decoding needs. Others, such as the type of an auxiliary image, would make it none that is shown.
        private static let kept: Set<String> = ["hvcC", "av1C", "ispe", "pixi", "colr", "pasp", "clap", "a1op", "lsel"]

        /// `turns`: the properties that turn the image. Nil: it is made of something else than coded images in a grid, or is not whole.
        static func file(of item: Int, in index: HEIFIndex, turns: [Int]) -> [UInt8]? {
            guard let root = index.items[item] else { return nil }
            let isGrid = root.type == "grid"
            let tiles = isGrid ? index.references("dimg", from: item) : []
            guard tiles.count < mostItems, isGrid != tiles.isEmpty else { return nil }
            // Tiles may be the same item.
            var numbers = [item]
            for tile in tiles where !numbers.contains(tile) { numbers.append(tile) }
            let coded = isGrid ? Array(numbers.dropFirst()) : [item]
            let types = Set(coded.map { index.items[$0]?.type })
            guard types == ["hvc1"] || types == ["av01"] else { return nil }
            let brand = types == ["av01"] ? "avif" : "heic"
            var writer = HEIFWriter(brands: [brand, "mif1", "miaf", brand])
            var left = index.boxes.bytes.count
            var leftForProperties = mostPropertyBytes
            // Thousands of tiles share the boxes of a few.
            var places: [Int: Int] = [:]
            for number in numbers {
                guard let source = index.items[number], let data = index.data(of: number, limit: left) else { return nil }
                left -= data.count
                let own = source.properties.filter { kept.contains(index.properties[$0].type) }
                var seen: Set<Int> = []
                var properties: [Int] = []
                for place in own + (number == item ? turns : []) where seen.insert(place).inserted {
                    if places[place] == nil {
                        let box = index.properties[place]
                        leftForProperties -= box.content.upperBound - box.start
                        guard leftForProperties >= 0 else { return nil }
                        places[place] = writer.place(of: Array(index.boxes.bytes[box.start..<box.content.upperBound]))
                    }
                    guard let known = places[place] else { return nil }
                    properties.append(known)
                }
                writer.items.append(.init(type: source.type, properties: properties, data: data, isHidden: number != item))
            }
            if isGrid {
                writer.references = [("dimg", 1, tiles.compactMap { tile in numbers.firstIndex(of: tile).map { $0 + 1 } })]
            }
            return writer.file()
        }
    }
#endif
