#if AVIF || HEIC
    import GannetCore

    /// Copies images of a HEIC or AVIF file, with their coded data and the properties that decoding needs, into one of its own.
    struct HEIFCopy {
        /// Of all properties, most of which are short.
        private static let mostPropertyBytes = 2 << 20
        /// Others, such as the type of an auxiliary image, would make it none that is shown.
        private static let kept: Set<String> = ["hvcC", "av1C", "ispe", "pixi", "colr", "pasp", "clap", "a1op", "lsel"]

        private let index: HEIFIndex
        private(set) var writer: HEIFWriter
        /// Numbers in the copy, by those in the file.
        private var numbers: [Int: Int] = [:]
        private var left: Int
        private var leftForProperties = mostPropertyBytes
        /// Thousands of tiles share the boxes of a few.
        private var places: [Int: Int] = [:]

        /// Nil: the coded images are neither HEVC nor AV1, or of both.
        init?(of index: HEIFIndex, coded: [Int]) {
            let types = Set(coded.map { index.items[$0]?.type })
            guard types == ["hvc1"] || types == ["av01"] else { return nil }
            self.index = index
            left = index.boxes.bytes.count
            let brand = types == ["av01"] ? "avif" : "heic"
            writer = HEIFWriter(brands: [brand, "mif1", "miaf", brand])
        }

        /// An item, whose own data and size may be others. `more`: properties beside those that decoding needs. The first item is shown.
        /// False: it is not whole, or longer than the file.
        mutating func add(_ item: Int, data own: [UInt8]? = nil, size: PixelSize? = nil, more: [Int] = []) -> Bool {
            guard let source = index.items[item], let data = own ?? index.data(of: item, limit: left) else { return false }
            left -= data.count
            let wanted = source.properties.filter { place in
                let type = index.properties[place].type
                return Self.kept.contains(type) && (size == nil || type != "ispe")
            }
            var properties: [Int] = []
            if let size {
                let sides = HEIFWriter.long(size.width) + HEIFWriter.long(size.height)
                guard let place = writer.place(of: HEIFWriter.full("ispe", sides)) else { return false }
                properties.append(place)
            }
            var seen: Set<Int> = []
            for place in wanted + more where seen.insert(place).inserted {
                guard let known = copied(place) else { return false }
                properties.append(known)
            }
            writer.items.append(.init(type: source.type, properties: properties, data: data, isHidden: !writer.items.isEmpty))
            numbers[item] = writer.items.count
            return true
        }

        /// Items that are there already are not copied again.
        mutating func addOnce(_ items: [Int]) -> Bool {
            for item in items where numbers[item] == nil {
                guard add(item) else { return false }
            }
            return true
        }

        mutating func refer(_ type: String, from item: Int, to others: [Int]) {
            guard let from = numbers[item] else { return }
            writer.references.append((type, from, others.compactMap { numbers[$0] }))
        }

        private mutating func copied(_ place: Int) -> Int? {
            if let known = places[place] { return known }
            let box = index.properties[place]
            leftForProperties -= box.content.upperBound - box.start
            guard leftForProperties >= 0 else { return nil }
            places[place] = writer.place(of: Array(index.boxes.bytes[box.start..<box.content.upperBound]))
            return places[place]
        }
    }
#endif
