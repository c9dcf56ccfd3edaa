#if AVIF
    /// Grids whose tiles are not in the order in which the file lists its items. The order is that of the reference `dimg` (ISO/IEC
    /// 23008-12 §6.6.2.3); libavif 0.11 takes tiles as it first meets their numbers. With these references in front, it meets them so.
    enum AVIFTileOrder {
        /// The file with boxes of `meta` in another order and at the same length, so that no data moves. Nil: nothing needs it.
        static func repaired(_ bytes: [UInt8]) -> [UInt8]? {
            guard let index = HEIFIndex(bytes) else { return nil }
            let lists = [index.listed, index.located, index.items.keys.sorted()].map(Self.places)
            let isInOrder = index.references.allSatisfy { link in
                guard link.type == "dimg", index.items[link.from]?.type == "grid" else { return true }
                return lists.allSatisfy { list in
                    let places = link.to.compactMap { list[$0] }
                    return zip(places, places.dropFirst()).allSatisfy(<)
                }
            }
            return isInOrder ? nil : withReferencesFirst(index.boxes)
        }

        private static func places(_ items: [Int]) -> [Int: Int] {
            Dictionary(items.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }

        private static func withReferencesFirst(_ boxes: ISOBoxes) -> [UInt8]? {
            guard let meta = boxes.first("meta")?.content, meta.count > 4,
                // It has to be the first.
                let handler = boxes.boxes(in: meta.dropFirst(4)).first, handler.type == "hdlr",
                let inside = moving("iref", in: handler.content.upperBound..<meta.upperBound, boxes), inside.moved == 1,
                let iref = boxes.boxes(in: meta.dropFirst(4)).first(where: { $0.type == "iref" }), iref.content.count > 4,
                let links = moving("dimg", in: iref.content.dropFirst(4), boxes)
            else { return nil }
            var result = boxes.bytes
            let list = Array(boxes.bytes[iref.start..<iref.content.lowerBound + 4]) + links.bytes
            result.replaceSubrange(handler.content.upperBound..<meta.upperBound, with: list + inside.bytes.dropFirst(list.count))
            return result
        }

        /// The bytes of a range with the boxes of a type first, and how many these are. Nil: a box has no length of its own.
        private static func moving(
            _ type: String, in range: Range<Int>, _ boxes: ISOBoxes
        ) -> (bytes: [UInt8], moved: Int)? {
            let found = boxes.boxes(in: range)
            guard found.allSatisfy({ boxes.number($0.start, 4) > 0 }) else { return nil }
            let moved = found.filter { $0.type == type }
            let ordered = moved + found.filter { $0.type != type }
            let rest = boxes.bytes[(found.last?.content.upperBound ?? range.lowerBound)..<range.upperBound]
            return (ordered.flatMap { boxes.bytes[$0.start..<$0.content.upperBound] } + rest, moved.count)
        }
    }
#endif
