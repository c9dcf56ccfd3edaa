#if AVIF || HEIC
    /// Writes a HEIC or AVIF file of images that are coded already (ISO/IEC 23008-12). Items are numbered from 1 on; the first is shown.
    struct HEIFWriter {
        struct Item {
            var type: String
            /// Places that ``place(of:)`` gave.
            var properties: [Int]
            var data: [UInt8]
            /// Not shown on its own.
            var isHidden = false
        }

        /// The first is the major one.
        var brands: [String]
        var items: [Item] = []
        /// Whole boxes.
        private(set) var properties: [[UInt8]] = []
        var references: [(type: String, from: Int, to: [Int])] = []
        /// Items of which one is shown, the best first.
        var alternatives: [Int] = []

        /// A decoder that does not know one of these must not show the image.
        private static let essential: Set<String> = ["hvcC", "av1C", "irot", "imir", "clap", "a1op", "lsel"]

        /// Where a property stands, which is a whole box; the same for equal ones. Nil: seven bits count no more of them.
        mutating func place(of property: [UInt8]) -> Int? {
            if let place = properties.firstIndex(of: property) { return place }
            guard properties.count < 127 else { return nil }
            properties.append(property)
            return properties.count - 1
        }

        /// Nil: more properties of an item than a byte counts, or more bytes than four say.
        func file() -> [UInt8]? {
            let length = items.reduce(0) { $0 + $1.data.count }
            guard items.count < 65_536, items.allSatisfy({ $0.properties.count < 256 }),
                length < Int(UInt32.max) - 1 << 24
            else { return nil }
            let types = Self.box("ftyp", Array(brands[0].utf8) + Self.long(0) + brands.dropFirst().flatMap { Array($0.utf8) })
            let before = types.count + meta(dataAt: 0).count + 8
            return types + meta(dataAt: before) + Self.box("mdat", items.flatMap(\.data))
        }

        private func meta(dataAt start: Int) -> [UInt8] {
            var (places, list, map) = (Self.word(items.count), Self.word(items.count), Self.long(items.count))
            var offset = start
            for (index, item) in items.enumerated() {
                let number = Self.word(index + 1)
                places += number + Self.word(0) + Self.word(1) + Self.long(offset) + Self.long(item.data.count)
                offset += item.data.count
                let flags: [UInt8] = [2, 0, 0, item.isHidden ? 1 : 0]
                list += Self.box("infe", flags + number + Self.word(0) + Array(item.type.utf8) + [0])
                map += number + [UInt8(item.properties.count)]
                for place in item.properties {
                    let type = String(decoding: properties[place][4..<8], as: UTF8.self)
                    map.append(UInt8(place + 1) | (Self.essential.contains(type) ? 0x80 : 0))
                }
            }
            var inside = Self.full("hdlr", Self.long(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
            inside += Self.full("pitm", Self.word(1)) + Self.full("iloc", [0x44, 0] + places) + Self.full("iinf", list)
            if !references.isEmpty {
                let links = references.flatMap { link in
                    Self.box(link.type, Self.word(link.from) + Self.word(link.to.count) + link.to.flatMap(Self.word))
                }
                inside += Self.full("iref", links)
            }
            inside += Self.box("iprp", Self.box("ipco", Array(properties.joined())) + Self.full("ipma", map))
            if !alternatives.isEmpty {
                let numbers = alternatives.flatMap(Self.long)
                let group = Self.long(items.count + 1) + Self.long(alternatives.count) + numbers
                inside += Self.box("grpl", Self.full("altr", group))
            }
            return Self.full("meta", inside)
        }

        static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        static func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }
        static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { long(body.count + 8) + Array(type.utf8) + body }
        static func full(_ type: String, _ body: [UInt8]) -> [UInt8] { box(type, [0, 0, 0, 0] + body) }
    }
#endif
