#if TIFF
    /// Writes TIFF files of any shape for tests: little-endian by default, and uncompressed unless the bytes are compressed
    /// already.
    struct TIFFSample {
        /// One directory and its strips or tiles.
        struct Page {
            var width = 1
            var height = 1
            var bits: [Int] = [8]
            var photometric = 1
            var chunks: [[UInt8]] = []
            var tile: (width: Int, height: Int)?
            var rowsPerStrip: Int?
            /// Tag, type (3 is a word, 4 a long, 5 a pair of longs, 7 bytes, 11 a float by its bits) and values.
            var extra: [(tag: Int, type: Int, values: [Int])] = []

            fileprivate func entries(_ offsets: [Int]) -> [(tag: Int, type: Int, values: [Int])] {
                var entries: [(tag: Int, type: Int, values: [Int])] = [
                    (256, 4, [width]), (257, 4, [height]), (258, 3, bits), (262, 3, [photometric]), (277, 3, [bits.count]),
                ]
                if let tile {
                    entries += [
                        (322, 4, [tile.width]), (323, 4, [tile.height]), (324, 4, offsets), (325, 4, chunks.map(\.count)),
                    ]
                } else {
                    entries += [(273, 4, offsets), (278, 4, [rowsPerStrip ?? height]), (279, 4, chunks.map(\.count))]
                }
                let given = Set(extra.map(\.tag))
                return (entries.filter { !given.contains($0.tag) } + extra).sorted { $0.tag < $1.tag }
            }
        }

        var pages: [Page]
        /// Which page's directory the last one points to; nil: none.
        var loopsTo: Int?
        var isBigEndian = false
        /// Places and lengths of 64 bits ("BigTIFF").
        var isLong = false

        init(_ pages: [Page], loopsTo: Int? = nil) {
            self.pages = pages
            self.loopsTo = loopsTo
        }

        var bytes: [UInt8] {
            let mark: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
            let place = isLong ? 8 : 4
            var file = mark + (isLong ? number(43, 2) + number(8, 2) + number(0, 2) : number(42, 2))
            var link = file.count
            file += number(0, place)
            var starts: [Int] = []
            for page in pages {
                var offsets: [Int] = []
                for chunk in page.chunks {
                    offsets.append(file.count)
                    file += chunk
                    if file.count % 2 == 1 { file.append(0) }
                }
                var rows: [[UInt8]] = []
                for entry in page.entries(offsets) {
                    let size = [3: 2, 4: 4, 5: 4, 7: 1, 11: 4][entry.type] ?? 1
                    var values = entry.values.flatMap { number($0, size) }
                    if values.count > place {
                        let start = file.count
                        file += values + (values.count % 2 == 1 ? [0] : [])
                        values = number(start, place)
                    }
                    rows.append(
                        number(entry.tag, 2) + number(entry.type, 2)
                            + number(entry.type == 5 ? entry.values.count / 2 : entry.values.count, place) + values
                            + [UInt8](repeating: 0, count: place - values.count))
                }
                starts.append(file.count)
                file.replaceSubrange(link..<link + place, with: number(file.count, place))
                file += number(rows.count, isLong ? 8 : 2) + rows.flatMap { $0 }
                link = file.count
                file += number(0, place)
            }
            if let loopsTo { file.replaceSubrange(link..<link + place, with: number(starts[loopsTo], place)) }
            return file
        }

        private func number(_ value: Int, _ count: Int) -> [UInt8] {
            let little = Self.little(value, count)
            return isBigEndian ? little.reversed() : little
        }

        static func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
    }
#endif
