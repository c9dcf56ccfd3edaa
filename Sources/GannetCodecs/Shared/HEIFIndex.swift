#if AVIF || HEIC
    /// What the `meta` box of a HEIC or AVIF file says of its items (ISO/IEC 14496-12 §8.11, ISO/IEC 23008-12), read without trusting it.
    struct HEIFIndex {
        struct Item {
            var type: String
            /// Places in the file.
            var extents: [Range<Int>] = []
            /// Of the list of properties, from 0 on.
            var properties: [Int] = []
        }

        struct Reference {
            var type: String
            var from: Int
            var to: [Int]
        }

        let boxes: ISOBoxes
        let primary: Int
        private(set) var items: [Int: Item] = [:]
        private(set) var references: [Reference] = []
        private(set) var properties: [ISOBoxes.Box] = []
        /// Items in the order of `iinf`, and in that of `iloc`.
        private(set) var listed: [Int] = []
        private(set) var located: [Int] = []

        /// Entries of all lists together, which bounds the work.
        private static let most = 65_536
        private var count = 0

        /// Nil: there is no such box, or it lists more than any program writes.
        init?(_ bytes: [UInt8]) {
            boxes = ISOBoxes(bytes: bytes)
            guard let meta = boxes.first("meta"), meta.content.count >= 4 else { return nil }
            let inside = boxes.boxes(in: meta.content.dropFirst(4))
            guard let start = inside.first(where: { $0.type == "pitm" })?.content,
                let primary = boxes.number(4, boxes.number(0, 1, in: start) == 0 ? 2 : 4, in: start)
            else { return nil }
            self.primary = primary
            let data = inside.first { $0.type == "idat" }?.content
            // In this order, whatever that of the file is: the later lists are about items that the first one names.
            for box in inside where box.type == "iinf" { readTypes(box.content) }
            for box in inside where box.type == "iref" { readReferences(box.content) }
            // There is at most one (ISO/IEC 23008-12 §9.3.1); places in a second list would be others.
            if let box = inside.first(where: { $0.type == "iprp" }) {
                let parts = boxes.boxes(in: box.content)
                properties = parts.first { $0.type == "ipco" }.map { boxes.boxes(in: $0.content) } ?? []
                for part in parts where part.type == "ipma" { readAssociations(part.content) }
            }
            for box in inside where box.type == "iloc" { readPlaces(box.content, data) }
            guard count <= Self.most else { return nil }
        }

        /// The first property of this type that an item has.
        func property(_ type: String, of item: Int) -> Range<Int>? {
            items[item]?.properties.lazy.map { properties[$0] }.first { $0.type == type }?.content
        }

        /// Those of a type to `item` among others, one for each item that they come from.
        func distinct(_ type: String, to item: Int) -> [Reference] {
            var seen: Set<Int> = []
            return references.filter { $0.type == type && $0.to.contains(item) && seen.insert($0.from).inserted }
        }

        func references(_ type: String, from item: Int) -> [Int] {
            references.first { $0.type == type && $0.from == item }?.to ?? []
        }

        /// Nil: longer than `limit`, or not all in the file.
        func data(of item: Int, limit: Int) -> [UInt8]? {
            guard let extents = items[item]?.extents, !extents.isEmpty else { return nil }
            var data: [UInt8] = []
            for extent in extents {
                guard extent.count <= limit - data.count else { return nil }
                data += boxes.bytes[extent]
            }
            return data
        }

        // MARK: Lists

        private func number(_ offset: inout Int, _ width: Int, _ range: Range<Int>) -> Int? {
            defer { offset += width }
            return width == 0 ? 0 : boxes.number(offset, width, in: range)
        }

        private mutating func readTypes(_ range: Range<Int>) {
            guard let version = boxes.number(0, 1, in: range), range.count >= 8 else { return }
            for entry in boxes.boxes(in: range.dropFirst(version == 0 ? 6 : 8)) where entry.type == "infe" {
                guard let version = boxes.number(0, 1, in: entry.content), version == 2 || version == 3 else { continue }
                let width = version == 2 ? 2 : 4
                guard let item = boxes.number(4, width, in: entry.content), boxes.number(6 + width, 4, in: entry.content) != nil
                else { continue }
                let start = entry.content.lowerBound + 6 + width
                items[item] = Item(type: String(decoding: boxes.bytes[start..<start + 4], as: UTF8.self))
                listed.append(item)
                count += 1
            }
        }

        private mutating func readReferences(_ range: Range<Int>) {
            guard let version = boxes.number(0, 1, in: range), range.count >= 4 else { return }
            let width = version == 0 ? 2 : 4
            for box in boxes.boxes(in: range.dropFirst(4)) {
                var offset = 0
                guard let from = number(&offset, width, box.content), let number = number(&offset, 2, box.content),
                    number * width <= box.content.count - offset, count <= Self.most
                else { continue }
                let to = (0..<number).compactMap { boxes.number(offset + $0 * width, width, in: box.content) }
                references.append(Reference(type: box.type, from: from, to: to))
                count += number + 1
            }
        }

        private mutating func readAssociations(_ range: Range<Int>) {
            guard let version = boxes.number(0, 1, in: range), let flags = boxes.number(3, 1, in: range),
                let entries = boxes.number(4, 4, in: range)
            else { return }
            var offset = 8
            let width = flags & 1 == 0 ? 1 : 2
            for _ in 0..<min(entries, Self.most) {
                guard let item = number(&offset, version == 0 ? 2 : 4, range), let length = number(&offset, 1, range) else {
                    return
                }
                for _ in 0..<length {
                    guard let entry = number(&offset, width, range), count <= Self.most else { return }
                    let place = (entry & (width == 1 ? 0x7F : 0x7FFF)) - 1
                    if properties.indices.contains(place) { items[item]?.properties.append(place) }
                    count += 1
                }
            }
        }

        private mutating func readPlaces(_ range: Range<Int>, _ inside: Range<Int>?) {
            guard let version = boxes.number(0, 1, in: range), let widths = boxes.number(4, 2, in: range) else { return }
            let (offsetWidth, lengthWidth, baseWidth) = (widths >> 12, widths >> 8 & 15, widths >> 4 & 15)
            let indexWidth = version == 0 ? 0 : widths & 15
            guard max(offsetWidth, lengthWidth, baseWidth, indexWidth) <= 8 else { return }
            let itemWidth = version < 2 ? 2 : 4
            var offset = 6
            for _ in 0..<min(number(&offset, itemWidth, range) ?? 0, Self.most) {
                guard let item = number(&offset, itemWidth, range), let method = version == 0 ? 0 : number(&offset, 2, range),
                    number(&offset, 2, range) != nil, let base = number(&offset, baseWidth, range),
                    let length = number(&offset, 2, range)
                else { return }
                located.append(item)
                for _ in 0..<length {
                    guard number(&offset, indexWidth, range) != nil, let start = number(&offset, offsetWidth, range),
                        let length = number(&offset, lengthWidth, range), count <= Self.most
                    else { return }
                    count += 1
                    let whole = method == 1 ? inside : method == 0 ? 0..<boxes.bytes.count : nil
                    guard let whole, base <= whole.count, start <= whole.count - base else { continue }
                    let rest = whole.count - base - start
                    guard length <= rest else { continue }
                    let first = whole.lowerBound + base + start
                    // A length of 0 means "to the end".
                    items[item]?.extents.append(first..<first + (length == 0 ? rest : length))
                }
            }
        }
    }
#endif
