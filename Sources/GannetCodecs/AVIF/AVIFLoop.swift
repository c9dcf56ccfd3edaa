#if AVIF
    /// The loop count of a sequence: libavif 0.11 neither reads nor writes the edit list that holds it.
    enum AVIFLoop {
        /// 0 is for ever; nil: not in the file.
        static func count(in bytes: [UInt8]) -> Int? {
            let boxes = ISOBoxes(bytes: bytes)
            return boxes.first("moov", "trak").flatMap { TrackTimes.loopCount(of: $0.content, boxes) }
        }

        /// The same sequence with edit lists for `count` loops; 0 is for ever. For files as libavif writes them (all boxes before
        /// the media data, one chunk in each track, one extent for each item); other files are returned unchanged.
        static func setting(_ count: Int, in bytes: [UInt8]) -> [UInt8] {
            let boxes = ISOBoxes(bytes: bytes)
            guard let movie = boxes.first("moov"), let items = boxes.first("meta")?.content, items.count > 4 else { return bytes }
            let tracks = boxes.boxes(in: movie.content).filter { $0.type == "trak" }
            let shift = tracks.count * editBytes
            var result = bytes
            var inserts: [(position: Int, box: [UInt8])] = []
            for track in tracks {
                let parts = boxes.boxes(in: track.content)
                guard let header = parts.first(where: { $0.type == "tkhd" })?.content, boxes.number(0, 1, in: header) == 1,
                    !parts.contains(where: { $0.type == "edts" }), let segment = boxes.number(28, 8, in: header),
                    segment > 0, segment < 1 << 40, let chunks = chunkOffsets(boxes, track.content)
                else { return bytes }
                result.write(count == 0 ? Int.max : segment * min(count, 1 << 20), 8, at: header.lowerBound + 28)
                result.write(track.content.upperBound - track.start + editBytes, 4, at: track.start)
                result.write(boxes.number(chunks, 4) + shift, 4, at: chunks)
                inserts.append((header.upperBound, editList(segment)))
            }
            result.write(movie.content.upperBound - movie.start + shift, 4, at: movie.start)
            guard
                let locations = boxes.boxes(in: items.lowerBound + 4..<items.upperBound).first(where: { $0.type == "iloc" })?
                    .content,
                boxes.number(0, 6, in: locations) == 0x4400, let number = boxes.number(6, 2, in: locations),
                locations.count >= 8 + number * 14
            else { return bytes }
            for item in 0..<number {
                let place = locations.lowerBound + 8 + item * 14 + 6
                result.write(boxes.number(place, 4) + shift, 4, at: place)
            }
            for (position, box) in inserts.reversed() { result.insert(contentsOf: box, at: position) }
            return result
        }

        private static let editBytes = 44

        /// An "edts" with an "elst" of version 1 that has one entry and repeats.
        private static func editList(_ segment: Int) -> [UInt8] {
            var box = [UInt8](repeating: 0, count: editBytes)
            for (value, size, place) in [
                (editBytes, 4, 0), (0x6564_7473, 4, 4), (editBytes - 8, 4, 8), (0x656C_7374, 4, 12), (0x0100_0001, 4, 16),
                (1, 4, 20), (segment, 8, 24), (0, 8, 32), (0x10000, 4, 40),
            ] { box.write(value, size, at: place) }
            return box
        }

        /// The position of the only entry in the track's "stco".
        private static func chunkOffsets(_ boxes: ISOBoxes, _ track: Range<Int>) -> Int? {
            var range = track
            for type in ["mdia", "minf", "stbl", "stco"] {
                guard let box = boxes.boxes(in: range).first(where: { $0.type == type }) else { return nil }
                range = box.content
            }
            return boxes.number(4, 4, in: range) == 1 && range.count >= 12 ? range.lowerBound + 8 : nil
        }
    }

    extension [UInt8] {
        /// Big-endian.
        fileprivate mutating func write(_ value: Int, _ size: Int, at position: Int) {
            for byte in 0..<size { self[position + byte] = UInt8(truncatingIfNeeded: value >> ((size - 1 - byte) * 8)) }
        }
    }
#endif
