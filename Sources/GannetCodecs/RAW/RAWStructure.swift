#if RAW
    import GannetCore

    /// What a raw file says of itself, read without LibRaw and without trusting it: where its parts are.
    struct RAWStructure {
        struct Directory {
            var reader: TIFFDirectoryReader
            var entries: [TIFFDirectoryReader.Entry]

            func entry(_ tag: Int) -> TIFFDirectoryReader.Entry? { entries.first { $0.tag == tag } }
            func integer(_ tag: Int) -> Int? { entry(tag).flatMap(reader.integer) }

            /// All values of a SHORT or LONG entry, cut to the file.
            func integers(_ tag: Int) -> [Int] {
                guard let entry = entry(tag), entry.count > 0, let size = [3: 2, 4: 4, 13: 4][entry.type] else { return [] }
                let start = entry.count * size <= 4 ? entry.position + 8 : reader.long(at: entry.position + 8)
                guard let start else { return [] }
                let count = min(entry.count, max(0, reader.bytes.count - start) / size)
                return (0..<count).compactMap { size == 2 ? reader.word(at: start + 2 * $0) : reader.long(at: start + 4 * $0) }
            }
        }

        enum Shape {
            case tiff(TIFFDirectoryReader)
            /// Fuji's: three parts with offset and length.
            case parts(jpeg: Range<Int>, others: [Range<Int>])
            case boxes(ISOBoxes)
            case unknown
        }

        let bytes: [UInt8]
        let shape: Shape

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            // Olympus (RO, RS) and Panasonic.
            if let reader = TIFFDirectoryReader(bytes, versions: [42, 0x4F52, 0x5352, 0x55]) {
                shape = .tiff(reader)
            } else if bytes.count >= 108, bytes.starts(with: "FUJIFILMCCD-RAW".utf8) {
                let numbers = ISOBoxes(bytes: bytes)
                let parts = [84, 92, 100].map { numbers.number($0, 4)..<numbers.number($0, 4) + numbers.number($0 + 4, 4) }
                shape = .parts(jpeg: parts[0], others: Array(parts[1...]))
            } else if bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) {
                shape = .boxes(ISOBoxes(bytes: bytes))
            } else {
                shape = .unknown
            }
        }

        /// Some part lies behind the last byte.
        var isCutOff: Bool {
            switch shape {
            case .tiff(let reader): isCutOff(reader)
            case .parts(let jpeg, let others): ([jpeg] + others).contains { $0.upperBound > bytes.count }
            case .boxes(let boxes):
                // The pixels are in the last one.
                boxes.topLevel.last.map { $0.content.upperBound != bytes.count || $0.type != "mdat" } ?? true
            case .unknown: bytes.count < 108
            }
        }

        private func isCutOff(_ reader: TIFFDirectoryReader) -> Bool {
            let (all, isOver) = directories(reader)
            if isOver { return true }
            return all.contains { directory in
                (Self.strips(directory) + Self.preview(directory)).contains { $0.upperBound > bytes.count }
                    || directory.entries.contains { entry in
                        // At least a byte for each value.
                        entry.count > 4 && (reader.long(at: entry.position + 8) ?? 0) + entry.count > bytes.count
                    }
            }
        }

        /// Samples lie behind the last byte: more certain than ``isCutOff``, which may be a fault of metadata.
        var missesPixels: Bool {
            guard case .tiff(let reader) = shape else { return isCutOff }
            let all = directories(reader).all
            if all.flatMap(Self.strips).contains(where: { $0.upperBound > bytes.count }) { return true }
            guard reader.word(at: 2) == 0x55, let sensor = all.first(where: { $0.entry(0x0118) != nil }) else { return false }
            // Panasonic states no length. No way of storing takes less than 8 bytes for 7 samples.
            guard let start = sensor.integer(0x0118), let width = sensor.integer(0x0002), let height = sensor.integer(0x0003)
            else {
                return false
            }
            return start < 1 << 40 && start + width * height / 7 * 8 > bytes.count
        }

        private static func strips(_ directory: Directory) -> [Range<Int>] {
            [(0x0111, 0x0117), (0x0144, 0x0145)].flatMap { ranges(directory, $0, $1) }
        }

        private static func preview(_ directory: Directory) -> [Range<Int>] { ranges(directory, 0x0201, 0x0202) }

        private static func ranges(_ directory: Directory, _ starts: Int, _ lengths: Int) -> [Range<Int>] {
            // All bits set: elsewhere.
            zip(directory.integers(starts), directory.integers(lengths)).filter { $0 != 0xFFFF_FFFF && $1 > 0 }
                .map { $0..<$0 + $1 }
        }

        /// The chain of directories, and those below them. `isOver`: one of them lies behind the last byte.
        func directories(_ reader: TIFFDirectoryReader) -> (all: [Directory], isOver: Bool) {
            var (queue, found, seen, isOver) = ([reader.firstDirectory], [Directory](), Set<Int>(), false)
            while let start = queue.popLast(), found.count < 32 {
                guard start > 0, seen.insert(start).inserted else { continue }
                guard let count = reader.word(at: start), start + 2 + 12 * count <= bytes.count else {
                    isOver = true
                    continue
                }
                // Cameras write fewer than 100.
                guard count <= 512 else { continue }
                let directory = Directory(reader: reader, entries: reader.entries(at: start))
                found.append(directory)
                queue += directory.integers(0x014A).prefix(16)
                if let next = reader.long(at: start + 2 + 12 * count) { queue.append(next) }
            }
            return (found, isOver)
        }
    }

    // MARK: EXIF

    extension RAWStructure {
        /// A new block with what the file says of the photograph, without the maker's own notes; nil if it says nothing. At most 60,000
        /// bytes, so that it fits into a JPEG, and `limit`.
        func exif(_ orientation: Orientation, limit: Int) -> [UInt8]? {
            var block: RAWEXIF?
            switch shape {
            case .tiff(let reader): block = RAWEXIF(reader)
            case .parts(let jpeg, _):
                let bytes = bytes[jpeg.clamped(to: bytes.indices)]
                block = Self.exif(ofJPEG: Array(bytes)).flatMap { TIFFDirectoryReader($0) }.map(RAWEXIF.init)
            case .boxes(let boxes): block = Self.exif(of: boxes)
            case .unknown: break
            }
            return block?.bytes(orientation, limit: min(limit, 60_000))
        }

        static func exif(ofJPEG file: [UInt8]) -> [UInt8]? {
            let rope = ByteRope(file)
            for segment in JPEGSegments(rope) where segment.marker == 0xE1 {
                let content = rope.content(segment)
                if content.starts(with: EXIF.prefix) { return EXIF.strippingPrefix(content) }
            }
            return nil
        }

        private static func exif(of boxes: ISOBoxes) -> RAWEXIF? {
            guard var block = directory("CMT1", boxes).map(RAWEXIF.init) else { return nil }
            if let photograph = directory("CMT2", boxes) { block.addPhotograph(photograph, at: photograph.firstDirectory) }
            if let place = directory("CMT4", boxes) { block.addPlace(place, at: place.firstDirectory) }
            return block
        }

        /// Canon's boxes: each is a TIFF file with one directory.
        private static func directory(_ type: String, _ boxes: ISOBoxes) -> TIFFDirectoryReader? {
            content(of: type, boxes).flatMap { TIFFDirectoryReader($0) }
        }

        private static func content(of type: String, _ boxes: ISOBoxes) -> [UInt8]? {
            guard let movie = boxes.first("moov") else { return nil }
            for box in boxes.boxes(in: movie.content) where box.type == "uuid" && box.content.count > 16 {
                let inside = boxes.boxes(in: box.content.dropFirst(16))
                if let found = inside.first(where: { $0.type == type }) { return Array(boxes.bytes[found.content]) }
            }
            return nil
        }

        /// The block of Canon's first directory, which has the orientation.
        static func main(of boxes: ISOBoxes) -> [UInt8]? { content(of: "CMT1", boxes) }
    }
#endif
