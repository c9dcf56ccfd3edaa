#if AVIF || HEIC
    @testable import GannetCodecs

    /// Puts coded pictures into files of the HEIF family that our encoders do not write: turned, mirrored, in tiles, with boxes that
    /// reach to the end (ISO/IEC 23008-12, 14496-12).
    struct PictureFileWriter {
        struct Item {
            var type: String
            var data: [UInt8]
            /// Whole boxes, in the order in which they apply.
            var properties: [[UInt8]] = []
            /// Kinds of references, and the items they lead to, from 1 on.
            var references: [(kind: String, items: [Int])] = []
        }

        var brand: String
        var items: [Item]
        /// From 1 on.
        var primary = 1
        /// The data lie inside the box that describes them, whose length is "up to the end of the file".
        var endsWithDescription = false

        /// The only picture of a file that an encoder wrote, without alpha and thumbnail.
        static func item(_ type: String, of file: [UInt8]) -> Item? {
            let boxes = ISOBoxes(bytes: file)
            guard let meta = boxes.first("meta"), let data = boxes.first("mdat"),
                let list = boxes.first(["iprp", "ipco"], in: meta.content.lowerBound + 4..<meta.content.upperBound)
            else { return nil }
            let kept = boxes.boxes(in: list.content).filter { ["hvcC", "av1C", "ispe", "pixi", "colr"].contains($0.type) }
            return Item(
                type: type, data: Array(file[data.content]),
                properties: kept.map { Array(file[$0.start..<$0.content.upperBound]) })
        }

        static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            number(content.count + 8, 4) + Array(type.utf8) + content
        }

        static func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        static func rotation(_ quarters: Int) -> [UInt8] { box("irot", [UInt8(quarters)]) }
        static func mirror(_ axis: Int) -> [UInt8] { box("imir", [UInt8(axis)]) }
        static func size(_ width: Int, _ height: Int) -> [UInt8] { full("ispe", 0, number(width, 4) + number(height, 4)) }

        private static func full(_ type: String, _ version: Int, _ content: [UInt8]) -> [UInt8] {
            box(type, number(version << 24, 4) + content)
        }

        var bytes: [UInt8] {
            let start = Self.box("ftyp", Array("\(brand)\0\0\0\0\(brand)mif1".utf8))
            let data = items.flatMap(\.data)
            if endsWithDescription {
                var description = description(dataAt: 0)
                description.replaceSubrange(0..<4, with: [0, 0, 0, 0])
                return start + description
            }
            let length = description(dataAt: 0).count
            return start + description(dataAt: start.count + length + 8) + Self.box("mdat", data)
        }

        private func description(dataAt offset: Int) -> [UInt8] {
            let indices = items.indices
            let handler = Self.full("hdlr", 0, Self.number(0, 4) + Array("pict".utf8) + Self.number(0, 13))
            let entries = indices.flatMap {
                Self.full("infe", 2, Self.number($0 + 1, 2) + Self.number(0, 2) + Array(items[$0].type.utf8) + [0])
            }
            let references = indices.flatMap { index in
                items[index].references.flatMap { reference in
                    Self.box(
                        reference.kind,
                        Self.number(index + 1, 2) + Self.number(reference.items.count, 2)
                            + reference.items.flatMap { Self.number($0, 2) })
                }
            }
            var content = handler + Self.full("pitm", 0, Self.number(primary, 2))
            content += Self.full("iinf", 0, Self.number(items.count, 2) + entries)
            if !references.isEmpty { content += Self.full("iref", 0, references) }
            content += properties + locations(dataAt: offset)
            if endsWithDescription { content += Self.box("idat", items.flatMap(\.data)) }
            return Self.full("meta", 0, content)
        }

        private var properties: [UInt8] {
            var associations = Self.number(items.count, 4)
            var next = 1
            for (index, item) in items.enumerated() {
                associations += Self.number(index + 1, 2) + [UInt8(item.properties.count)]
                for _ in item.properties {
                    // Essential, all of them.
                    associations.append(0x80 | UInt8(next))
                    next += 1
                }
            }
            let list = Self.box("ipco", items.flatMap { $0.properties.flatMap { $0 } })
            return Self.box("iprp", list + Self.full("ipma", 0, associations))
        }

        private func locations(dataAt offset: Int) -> [UInt8] {
            var content: [UInt8] = [0x44, 0] + Self.number(items.count, 2)
            var position = offset
            for (index, item) in items.enumerated() {
                content += Self.number(index + 1, 2) + Self.number(endsWithDescription ? 1 : 0, 2) + Self.number(0, 2)
                content += Self.number(1, 2) + Self.number(position, 4) + Self.number(item.data.count, 4)
                position += item.data.count
            }
            return Self.full("iloc", 1, content)
        }
    }
#endif
