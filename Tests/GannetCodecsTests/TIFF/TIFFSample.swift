#if TIFF
    /// Writes TIFF files of any shape for tests: little-endian, uncompressed unless the bytes are compressed already.
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
            /// Tag, type (3 is a word, 4 a long, 7 bytes) and values.
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

        init(_ pages: [Page], loopsTo: Int? = nil) {
            self.pages = pages
            self.loopsTo = loopsTo
        }

        var bytes: [UInt8] {
            var file: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0]
            var link = 4
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
                    let size = [3: 2, 4: 4, 7: 1][entry.type] ?? 1
                    var values = entry.values.flatMap { Self.little($0, size) }
                    if values.count > 4 {
                        let place = file.count
                        file += values + (values.count % 2 == 1 ? [0] : [])
                        values = Self.little(place, 4)
                    }
                    rows.append(
                        Self.little(entry.tag, 2) + Self.little(entry.type, 2) + Self.little(entry.values.count, 4) + values
                            + [UInt8](repeating: 0, count: 4 - values.count))
                }
                starts.append(file.count)
                for (index, byte) in Self.little(file.count, 4).enumerated() { file[link + index] = byte }
                file += Self.little(rows.count, 2) + rows.flatMap { $0 }
                link = file.count
                file += [0, 0, 0, 0]
            }
            if let loopsTo { for (index, byte) in Self.little(starts[loopsTo], 4).enumerated() { file[link + index] = byte } }
            return file
        }

        static func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
    }
#endif
