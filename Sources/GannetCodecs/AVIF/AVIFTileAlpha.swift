#if AVIF
    /// Images in tiles, each with its own alpha (ISO/IEC 23008-12, 6.6.2.3). libavif 0.11 only looks for the alpha of the whole
    /// image, so this describes one that is assembled from the tiles' alpha: a second grid with the layout of the first.
    struct AVIFTileAlpha {
        private let boxes: ISOBoxes
        private let meta: ISOBoxes.Box
        private let children: [ISOBoxes.Box]
        private let primary: Int
        private let added: Int
        /// The items with the alpha of the tiles, in the order of the tiles.
        private let alphas: [Int]

        /// The file with such a grid added; nil if none is missing, or if the boxes are not in the form that libavif's own writer
        /// uses.
        static func repaired(_ bytes: [UInt8]) -> [UInt8]? { AVIFTileAlpha(bytes)?.rebuilt() }

        private init?(_ bytes: [UInt8]) {
            let boxes = ISOBoxes(bytes: bytes)
            self.boxes = boxes
            guard let meta = boxes.first("meta"), meta.content.count > 4, boxes.first("moov") == nil else { return nil }
            self.meta = meta
            children = boxes.boxes(in: meta.content.lowerBound + 4..<meta.content.upperBound)
            guard let item = children.first(where: { $0.type == "pitm" })?.content, boxes.number(0, 4, in: item) == 0,
                let primary = boxes.number(4, 2, in: item),
                let list = boxes.only("iinf", of: children)?.content, boxes.number(0, 4, in: list) == 0, list.count > 6,
                let links = boxes.only("iref", of: children)?.content, boxes.number(0, 4, in: links) == 0,
                // Rebuilt boxes are written under their type, so it must be a valid one.
                children.allSatisfy({ $0.type.utf8.count == 4 })
            else { return nil }
            self.primary = primary
            var largest = 0
            var isGrid = false
            for entry in boxes.boxes(in: list.lowerBound + 6..<list.upperBound) {
                guard entry.type == "infe", boxes.number(0, 1, in: entry.content) == 2,
                    let identifier = boxes.number(4, 2, in: entry.content), let type = boxes.number(8, 4, in: entry.content)
                else { return nil }
                largest = max(largest, identifier)
                if identifier == primary { isGrid = type == 0x6772_6964 }
            }
            guard isGrid, largest < 65535 else { return nil }
            added = largest + 1
            var tiles: [Int] = []
            var alphaOf: [Int: Int] = [:]
            for link in boxes.boxes(in: links.lowerBound + 4..<links.upperBound) {
                guard let from = boxes.number(0, 2, in: link.content), let count = boxes.number(2, 2, in: link.content) else {
                    return nil
                }
                // Do not trust a count beyond its box.
                let targets = (0..<min(count, link.content.count / 2)).compactMap {
                    boxes.number(4 + 2 * $0, 2, in: link.content)
                }
                if link.type == "dimg", from == primary { tiles = targets }
                if link.type == "auxl" { for target in targets { alphaOf[target] = from } }
            }
            let found = tiles.compactMap { alphaOf[$0] }
            guard !tiles.isEmpty, found.count == tiles.count, alphaOf[primary] == nil else { return nil }
            alphas = found
        }

        private func rebuilt() -> [UInt8]? {
            var parts: [(type: String, body: [UInt8])] = []
            for child in children {
                var body = Array(boxes.bytes[child.content])
                switch child.type {
                case "iinf":
                    body.bump(at: 4)
                    body += Self.box("infe", [2, 0, 0, 0] + Self.word(added) + [0, 0] + Array("grid".utf8) + [0])
                case "iref":
                    body += Self.box("dimg", Self.word(added) + Self.word(alphas.count) + alphas.flatMap { Self.word($0) })
                    body += Self.box("auxl", Self.word(added) + Self.word(1) + Self.word(primary))
                case "iprp":
                    guard let properties = properties(child) else { return nil }
                    body = properties
                default: break
                }
                parts.append((child.type, body))
            }
            guard boxes.only("iprp", of: children) != nil, boxes.only("iloc", of: children) != nil,
                let index = parts.firstIndex(where: { $0.type == "iloc" })
            else { return nil }
            let length = 12 + parts.reduce(0) { $0 + 8 + $1.body.count } + 14
            let shift = length - (meta.content.upperBound - meta.start)
            guard let locations = locations(parts[index].body, shift: shift) else { return nil }
            parts[index].body = locations
            let head = Array(boxes.bytes[meta.content.lowerBound..<meta.content.lowerBound + 4])
            let box = Self.box("meta", head + parts.flatMap { Self.box($0.type, $0.body) })
            return Array(boxes.bytes[..<meta.start]) + box + Array(boxes.bytes[meta.content.upperBound...])
        }

        /// The new item has the size of the whole image, and is marked as alpha like the first tile's.
        private func properties(_ box: ISOBoxes.Box) -> [UInt8]? {
            let parts = boxes.boxes(in: box.content)
            guard let container = boxes.only("ipco", of: parts), let map = boxes.only("ipma", of: parts)?.content,
                boxes.number(0, 4, in: map) == 0, let count = boxes.number(4, 4, in: map),
                parts.allSatisfy({ $0.type.utf8.count == 4 })
            else { return nil }
            let types = boxes.boxes(in: container.content).map(\.type)
            var position = 8
            var associations: [UInt8] = []
            for _ in 0..<count {
                guard let item = boxes.number(position, 2, in: map), let number = boxes.number(position + 2, 1, in: map) else {
                    return nil
                }
                for entry in 0..<number {
                    guard let byte = boxes.number(position + 3 + entry, 1, in: map) else { return nil }
                    let property = (byte & 127) - 1
                    guard types.indices.contains(property) else { continue }
                    let isWanted =
                        item == primary
                        ? types[property] == "ispe" : item == alphas[0] && ["auxC", "pixi"].contains(types[property])
                    if isWanted { associations.append(UInt8(byte)) }
                }
                position += 3 + number
            }
            guard associations.count <= 255 else { return nil }
            return parts.flatMap { part -> [UInt8] in
                var body = Array(boxes.bytes[part.content])
                if part.type == "ipma" {
                    body.bump(at: 6)
                    body += Self.word(added) + [UInt8(associations.count)] + associations
                }
                return Self.box(part.type, body)
            }
        }

        /// Handles one extent for each item, and offsets and lengths of four bytes; the new item's data is that of the primary
        /// item.
        private func locations(_ body: [UInt8], shift: Int) -> [UInt8]? {
            let fields = ISOBoxes(bytes: body)
            guard body.count >= 8, fields.number(0, 6) == 0x4400 else { return nil }
            let count = fields.number(6, 2)
            guard body.count == 8 + 14 * count else { return nil }
            var result = body
            var copy: [UInt8]?
            for item in 0..<count {
                let start = 8 + 14 * item
                guard fields.number(start + 4, 2) == 1, fields.number(start + 6, 4) >= meta.content.upperBound else { return nil }
                let offset = fields.number(start + 6, 4) + shift
                result.replaceSubrange(start + 6..<start + 10, with: Self.word(offset >> 16) + Self.word(offset))
                if fields.number(start, 2) == primary { copy = Self.word(added) + Array(result[start + 2..<start + 14]) }
            }
            guard let copy else { return nil }
            result.bump(at: 6)
            return result + copy
        }

        private static func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

        private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
            let length = body.count + 8
            return word(length >> 16) + word(length) + Array(type.utf8) + body
        }
    }

    extension ISOBoxes {
        /// Nil if there is none of this type, or several, because it is then unknown which one counts.
        fileprivate func only(_ type: String, of siblings: [Box]) -> Box? {
            let found = siblings.filter { $0.type == type }
            return found.count == 1 ? found[0] : nil
        }
    }

    extension [UInt8] {
        /// Increments a count of two bytes, whose position the caller has checked.
        fileprivate mutating func bump(at position: Int) {
            let value = Int(self[position]) << 8 + Int(self[position + 1]) + 1
            self[position] = UInt8(value >> 8 & 255)
            self[position + 1] = UInt8(value & 255)
        }
    }
#endif
