#if AVIF || HEIC
    import GannetCore

    /// Limits the number of items listed in an AVIF or HEIC file. The libraries search all items for each reference, without
    /// checking the clock or cancellation: a megabyte of empty items took two minutes.
    struct HEIFLists {
        /// 100 megapixels in tiles of 128 × 128 are 6,100, and as many for the alpha.
        static let avif = HEIFLists(name: "AVIF", most: 16_384)
        /// libheif takes four times as long for an item. With tiles of 512 × 512 pixels, 100 megapixels are 400.
        static let heic = HEIFLists(name: "HEIC", most: 4096)

        private let name: String
        /// Entries of each list.
        let most: Int

        private init(name: String, most: Int) {
            self.name = name
            self.most = most
        }

        /// Throws `limitExceeded` for more. O(bytes of the lists).
        func check(_ bytes: [UInt8]) throws(ImageError) {
            let boxes = ISOBoxes(bytes: bytes)
            for box in try listed(boxes, in: 0..<bytes.count) {
                switch box.type {
                case "meta": try check(meta: box.content, boxes)
                case "moov":
                    for track in try listed(boxes, in: box.content) where track.type == "trak" {
                        for part in try listed(boxes, in: track.content) where part.type == "meta" {
                            try check(meta: part.content, boxes)
                        }
                    }
                default: break
                }
            }
        }

        private func check(meta: Range<Int>, _ boxes: ISOBoxes) throws(ImageError) {
            guard meta.count >= 4 else { return }
            var counts: [String: Int] = [:]
            for box in try listed(boxes, in: meta.lowerBound + 4..<meta.upperBound) {
                let content = box.content
                let version = boxes.number(0, 1, in: content) ?? 0
                switch box.type {
                case "iloc": counts["iloc", default: 0] += boxes.number(6, version < 2 ? 2 : 4, in: content) ?? 0
                case "iinf": counts["iinf", default: 0] += boxes.number(4, version == 0 ? 2 : 4, in: content) ?? 0
                case "iprp":
                    for part in try listed(boxes, in: content) where part.type == "ipma" {
                        counts["ipma", default: 0] += boxes.number(4, 4, in: part.content) ?? 0
                    }
                // Repeated references to one item are checked by HEICItems.
                case "iref" where name == "AVIF":
                    let width = version == 0 ? 2 : 4
                    guard content.count >= 4 else { continue }
                    for reference in try listed(boxes, in: content.lowerBound + 4..<content.upperBound) {
                        counts["iref", default: 0] += boxes.number(width, 2, in: reference.content) ?? 0
                    }
                default: break
                }
            }
            if counts.values.contains(where: { $0 > most }) { throw tooMany }
        }

        private func listed(_ boxes: ISOBoxes, in range: Range<Int>) throws(ImageError) -> [ISOBoxes.Box] {
            let found = boxes.boxes(in: range)
            // Further entries are not listed.
            guard found.count < 10_000 else { throw tooMany }
            return found
        }

        private var tooMany: ImageError {
            ImageError(
                .limitExceeded, stage: .decode,
                "The \(name) file lists more than \(most) parts, which no program needs for an image. Save it again.")
        }
    }
#endif
