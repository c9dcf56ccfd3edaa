#if AVIF || HEIC
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// A HEIC or AVIF file with a gain map, put together of two files that the build's encoder writes.
    struct HEIFGainMapFile {
        /// One coded image: its data, and its properties as boxes.
        struct Part {
            var type: String
            var data: [UInt8]
            var properties: [[UInt8]]

            /// Of a file with a single opaque image.
            init(_ file: [UInt8], type: String) throws {
                let boxes = ISOBoxes(bytes: file)
                self.type = type
                data = Array(file[try #require(boxes.first("mdat")).content])
                let meta = try #require(boxes.first("meta")).content
                let list = try #require(boxes.first(["iprp", "ipco"], in: meta.dropFirst(4)))
                properties = boxes.boxes(in: list.content).map { Array(file[$0.start..<$0.content.upperBound]) }
            }
        }

        let format: ImageFormat
        var base: Part
        var map: Part
        /// Of the derived image: its data, and its own properties.
        var derived: (data: [UInt8], properties: [[UInt8]])?
        /// Text of the auxiliary image's type.
        var auxiliaryType: String?
        /// XMP of the map.
        var xmp: String?
        /// EXIF of the image, from the TIFF header on.
        var exif: [UInt8]?
        /// The map is one tile of a grid.
        var isGrid = false
        /// References before the file's own, from items behind them: their type, their data, and what they point to.
        var earlier: [(link: String, type: String, data: [UInt8], properties: [[UInt8]], to: [Int])] = []
        /// How often each association of the map with a property is written.
        var repeats = 1
        /// Boxes at the ends of the list of boxes.
        var (front, end): ([UInt8], [UInt8]) = ([], [])
        /// The properties stand before the items.
        var hasPropertiesFirst = false

        var coded: String { format == .avif ? "av01" : "hvc1" }

        init(_ format: ImageFormat, base: Bitmap, map: Bitmap) throws {
            self.format = format
            let coder = try #require(BuiltInCoders.coder(for: format))
            func file(_ bitmap: Bitmap) throws -> [UInt8] {
                let encoder = try coder.makeEncoder(for: format, options: EncodeOptions(format: format, quality: 95))
                return try #require(encoder).encode(TestImages.still(bitmap))
            }
            let type = format == .avif ? "av01" : "hvc1"
            self.base = try Part(file(base), type: type)
            self.map = try Part(file(map), type: type)
        }

        // MARK: Boxes

        static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        static func long(_ value: Int) -> [UInt8] { word(value >> 16) + word(value) }
        static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { long(body.count + 8) + Array(type.utf8) + body }
        static func full(_ type: String, _ body: [UInt8], version: UInt8 = 0) -> [UInt8] { box(type, [version, 0, 0, 0] + body) }

        /// Metadata of ISO 21496-1 behind the version of the item.
        static func metadata(_ metadata: GainMapMetadata) -> [UInt8] { [0] + ISOGainMap.content(metadata) }

        /// Whether a reader has to understand it to show the image: MIAF says so of turns and cuts, HEIF of the configuration of decoders.
        private static func isEssential(_ property: [UInt8]) -> Bool {
            ["irot", "imir", "clap", "av1C", "hvcC"].contains { property[4..<8].elementsEqual($0.utf8) }
        }

        private struct Item {
            var number: Int
            var type: String
            var data: [UInt8]
            var properties: [[UInt8]]
            /// The data are in the box for small ones.
            var isInside = false
        }

        private var items: [Item] {
            var items = [Item(number: 1, type: base.type, data: base.data, properties: base.properties)]
            let own = auxiliaryType.map { [Self.full("auxC", Array($0.utf8) + [0])] } ?? []
            items.append(Item(number: 2, type: map.type, data: map.data, properties: map.properties + (isGrid ? [] : own)))
            if isGrid {
                let size = map.properties.first { $0[4..<8].elementsEqual("ispe".utf8) } ?? []
                let sides = Array(size[14..<16]) + Array(size[18..<20])
                items.append(
                    Item(number: 5, type: "grid", data: [0, 0, 0, 0] + sides, properties: [size] + own, isInside: true))
            }
            if let derived {
                items.append(Item(number: 3, type: "tmap", data: derived.data, properties: derived.properties, isInside: true))
            }
            if let exif {
                items.append(Item(number: 6, type: "Exif", data: [0, 0, 0, 0] + exif, properties: [], isInside: true))
            }
            if let xmp { items.append(Item(number: 4, type: "mime", data: Array(xmp.utf8), properties: [])) }
            for (index, item) in earlier.enumerated() {
                items.append(
                    Item(number: 10 + index, type: item.type, data: item.data, properties: item.properties, isInside: true))
            }
            return items.sorted { $0.number < $1.number }
        }

        var bytes: [UInt8] {
            let brand = format == .avif ? "avif" : "heic"
            let others = "mif1" + (derived == nil ? "" : "tmap") + brand
            let types = Self.box("ftyp", Array(brand.utf8) + Self.long(0) + Array(others.utf8))
            let data = items.filter { !$0.isInside }.flatMap(\.data)
            let length = types.count + meta(dataAt: 0).count + 8
            return types + meta(dataAt: length) + Self.box("mdat", data)
        }

        private func meta(dataAt start: Int) -> [UInt8] {
            let (items, mapItem) = (items, isGrid ? 5 : 2)
            var (offset, insideOffset) = (start, 0)
            var (inside, list, places, map): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
            var properties: [[UInt8]] = []
            var associations = 0
            for item in items {
                let name: [UInt8] = item.type == "mime" ? Array("\0application/rdf+xml\0".utf8) : [0]
                list += Self.full(
                    "infe", Self.word(item.number) + Self.word(0) + Array(item.type.utf8) + name, version: 2)
                let place = item.isInside ? insideOffset : offset
                places += Self.word(item.number) + Self.word(item.isInside ? 1 : 0) + Self.word(0) + Self.word(1)
                places += Self.long(place) + Self.long(item.data.count)
                if item.isInside {
                    inside += item.data
                    insideOffset += item.data.count
                } else {
                    offset += item.data.count
                }
                let start = properties.count
                properties += item.properties
                for _ in 0..<(item.number == 2 ? repeats : 1) {
                    map += Self.word(item.number) + [UInt8(item.properties.count)]
                    map += item.properties.indices.map {
                        UInt8(start + $0 + 1) | (Self.isEssential(item.properties[$0]) ? 0x80 : 0)
                    }
                    associations += 1
                }
            }
            var links: [UInt8] = []
            func link(_ type: String, _ from: Int, _ to: [Int]) {
                links += Self.box(type, Self.word(from) + Self.word(to.count) + to.flatMap(Self.word))
            }
            for (index, item) in earlier.enumerated() { link(item.link, 10 + index, item.to) }
            if isGrid { link("dimg", 5, [2]) }
            if derived != nil { link("dimg", 3, [1, mapItem]) }
            if auxiliaryType != nil { link("auxl", mapItem, [1]) }
            if exif != nil { link("cdsc", 6, [1]) }
            if xmp != nil { link("cdsc", 4, [mapItem]) }
            var body = Self.full("hdlr", Self.long(0) + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
            body += front + Self.full("pitm", Self.word(1))
            let described = Self.box(
                "iprp", Self.box("ipco", Array(properties.joined())) + Self.full("ipma", Self.long(associations) + map))
            if hasPropertiesFirst { body += described }
            body += Self.full("iloc", [0x44, 0] + Self.word(items.count) + places, version: 1)
            body += Self.full("iinf", Self.word(items.count) + list) + Self.full("iref", links)
            if !hasPropertiesFirst { body += described }
            if !inside.isEmpty { body += Self.box("idat", inside) }
            if derived != nil {
                body += Self.box("grpl", Self.full("altr", Self.long(9) + Self.long(2) + Self.long(3) + Self.long(1)))
            }
            return Self.full("meta", body + end)
        }
    }
#endif
