#if Video
    import GannetCore

    /// Counts the samples that an MP4 or QuickTime video announces, before ffmpeg reads it. ffmpeg allocates an entry for each,
    /// even without bytes in the file: 600 bytes took 1.9 GB.
    struct VideoIndex {
        /// ffmpeg takes 24 to 36 bytes for a sample: about the size of the file, and needed for long videos anyway.
        static func most(of bytes: Int) -> Int { 1 << 20 + bytes / 32 }

        private let bytes: [UInt8]
        private let boxes: ISOBoxes
        private(set) var samples = 0

        /// Throws `corrupt` for more samples than a file of this length can have, and `unsupported` for compressed tables.
        static func check(_ bytes: [UInt8]) throws(ImageError) {
            var index = VideoIndex(bytes)
            try index.count()
        }

        private init(_ bytes: [UInt8]) {
            self.bytes = bytes
            boxes = ISOBoxes(bytes: bytes)
        }

        /// ffmpeg also finds misplaced tables, so the search covers everything but the samples.
        private mutating func count() throws(ImageError) {
            try checkFragmentIndex()
            var position = 0
            while position + 8 <= bytes.count {
                var length = boxes.number(position, 4)
                if length == 1, position + 16 <= bytes.count { length = boxes.number(position + 8, 8) }
                if length == 0 { length = bytes.count - position }
                guard length >= 8 else { break }
                let end = position + min(length, bytes.count - position)
                if !has("mdat", at: position + 4) {
                    let sounds = plainSounds(in: position..<end)
                    for sound in sounds { try add(groups(of: sound) ?? 0) }
                    let texts = has("uuid", at: position + 4) ? [position + 8..<end] : texts(in: position..<end)
                    let inner = position + (has("sidx", at: position + 4) || has("mfra", at: position + 4) ? 8 : 4)
                    try look(
                        in: inner..<max(inner, end), except: (sounds + texts).sorted { $0.lowerBound < $1.lowerBound })
                }
                position = end
            }
        }

        private mutating func look(in range: Range<Int>, except others: [Range<Int>]) throws(ImageError) {
            var others = others[...]
            var place = range.lowerBound
            while place + 4 <= range.upperBound {
                if let other = others.first, place >= other.lowerBound {
                    place = max(place, other.upperBound)
                    others.removeFirst()
                    continue
                }
                defer { place += 1 }
                // All wanted names have one of these as second letter.
                guard [0x74, 0x72, 0x6D, 0x69].contains(bytes[place + 1]) else { continue }
                if has("stsz", at: place) || has("stz2", at: place) {
                    try add(boxes.number(12, 4, in: place..<range.upperBound) ?? 0)
                } else if has("trun", at: place) {
                    try add(boxes.number(8, 4, in: place..<range.upperBound) ?? 0)
                } else if has("sidx", at: place) {
                    throw Self.misplaced
                } else if has("cmov", at: place) {
                    throw ImageError(
                        .unsupported, stage: .decode,
                        "The video's tables are packed, as by QuickTime before 2000, which is not read here. Save it anew.")
                }
            }
        }

        private mutating func add(_ count: Int) throws(ImageError) {
            samples += count
            guard samples <= Self.most(of: bytes.count) else {
                throw ImageError(
                    .corrupt, stage: .decode,
                    "The video says that it has more samples than a file of \(bytes.count) bytes can hold. Fetch or save it again."
                )
            }
        }

        private func has(_ name: StaticString, at place: Int) -> Bool {
            guard place + 4 <= bytes.count else { return false }
            return (0..<4).allSatisfy { bytes[place + $0] == name.utf8Start[$0] }
        }

        // MARK: Text boxes

        /// Boxes with free text about the video, which may contain any letters. ffmpeg reads them as text and searches no boxes
        /// inside. Covers only unambiguous places.
        private func texts(in range: Range<Int>) -> [Range<Int>] {
            guard has("moov", at: range.lowerBound + 4) else { return [] }
            var result: [Range<Int>] = []
            func collect(_ range: Range<Int>) {
                for box in boxes.boxes(in: range) {
                    let isText = bytes[box.start + 4] == 0xA9
                    if isText || Self.textNames.contains(box.type) { result.append(box.content) }
                    guard box.type == "meta" else { continue }
                    // Apple's form, with a handler first: ffmpeg starts at the first handler.
                    let content = box.content
                    guard content.count > 16, boxes.number(content.lowerBound, 4) == 0, has("hdlr", at: content.lowerBound + 8)
                    else { continue }
                    for inner in boxes.boxes(in: content.lowerBound + 4..<content.upperBound) where inner.type == "ilst" {
                        collect(inner.content)
                    }
                }
            }
            for box in boxes.boxes(in: range.lowerBound + 8..<range.upperBound) where box.type == "udta" { collect(box.content) }
            return result
        }

        private static let textNames: Set<String> = [
            "----", "aART", "XMP_", "apID", "catg", "cnID", "covr", "cprt", "desc", "keyw", "ldes", "purd", "soaa", "soal",
            "soar", "soco",
            "sonm", "tven", "tvsh",
        ]

        // MARK: Fragments

        /// Checks tables with places of fragments: ffmpeg continues reading there, so these must be boxes that are checked
        /// here.
        private func checkFragmentIndex() throws(ImageError) {
            var starts: Set<Int> = [bytes.count]
            var tables: [Range<Int>] = []
            var position = 0
            while position + 8 <= bytes.count {
                starts.insert(position)
                var length = boxes.number(position, 4)
                let header = length == 1 ? 16 : 8
                if length == 1, position + 16 <= bytes.count { length = boxes.number(position + 8, 8) }
                if length == 0 { length = bytes.count - position }
                guard length >= 8 else { break }
                let end = position + min(length, bytes.count - position)
                if has("sidx", at: position + 4), position + header <= end { tables.append(position + header..<end) }
                position = end
            }
            for table in tables { try check(segments: table, starts) }
            guard bytes.count >= 12 else { return }
            let last = bytes.count - boxes.number(bytes.count - 4, 4)
            guard last >= 0, last + 8 <= bytes.count, has("mfra", at: last + 4) else { return }
            guard starts.contains(last) else { throw Self.misplaced }
            var (place, tracks) = (last + 8, 0)
            while place + 4 <= bytes.count {
                if has("tfra", at: place) {
                    tracks += 1
                    guard tracks <= 64 else { throw Self.misplaced }
                    try check(fragments: place + 4, starts)
                }
                place += 1
            }
        }

        private func check(segments table: Range<Int>, _ starts: Set<Int>) throws(ImageError) {
            let content = table
            let isLong = (boxes.number(0, 1, in: content) ?? 0) != 0
            let counts = isLong ? 28 : 20
            guard let first = boxes.number(isLong ? 20 : 16, isLong ? 8 : 4, in: content),
                let count = boxes.number(counts + 2, 2, in: content)
            else { return }
            var target = table.upperBound.addingReportingOverflow(first).partialValue
            for index in 0..<count {
                guard target >= 0, target < bytes.count else { return }
                guard starts.contains(target) else { throw Self.misplaced }
                guard let size = boxes.number(counts + 4 + 12 * index, 4, in: content) else { return }
                target += size & 0x7FFF_FFFF
            }
        }

        private func check(fragments start: Int, _ starts: Set<Int>) throws(ImageError) {
            let content = start..<bytes.count
            guard let version = boxes.number(0, 1, in: content), let lengths = boxes.number(8, 4, in: content),
                let count = boxes.number(12, 4, in: content)
            else { return }
            let half = version == 1 ? 8 : 4
            let entry = 2 * half + (lengths >> 4 & 3) + (lengths >> 2 & 3) + (lengths & 3) + 3
            for index in 0..<count {
                guard let target = boxes.number(16 + index * entry + half, half, in: content) else { return }
                guard target >= bytes.count || starts.contains(target) else { throw Self.misplaced }
            }
        }

        private static let misplaced = ImageError(
            .corrupt, stage: .decode, "The video's table of fragments names places where there are none. Fetch or save it again.")

        // MARK: Sound

        /// Tracks of uncompressed sound: each sample is a number, and ffmpeg reads many at once. Excludes tracks with a
        /// duplicate table.
        private func plainSounds(in range: Range<Int>) -> [Range<Int>] {
            guard has("moov", at: range.lowerBound + 4) else { return [] }
            return boxes.boxes(in: range.lowerBound + 8..<range.upperBound).filter { box in
                guard box.type == "trak" else { return false }
                let media = ["mdia"]
                let table = media + ["minf", "stbl"]
                // QuickTime has a handler in `minf`, too, and `udta` may have one.
                guard ["stsd", "stts", "stsz", "stsc"].allSatisfy({ isOnce($0, in: box.content) }),
                    let own = boxes.first(media, in: box.content)?.content,
                    boxes.boxes(in: own).count(where: { $0.type == "hdlr" }) == 1,
                    let handler = boxes.first(media + ["hdlr"], in: box.content)?.content, handler.count >= 12,
                    has("soun", at: handler.lowerBound + 8),
                    let times = boxes.first(table + ["stts"], in: box.content)?.content,
                    boxes.number(4, 4, in: times) == 1, boxes.number(12, 4, in: times) == 1,
                    let sizes = boxes.first(table + ["stsz"], in: box.content)?.content,
                    let size = boxes.number(4, 4, in: sizes), let count = boxes.number(8, 4, in: sizes)
                else { return false }
                return size > 0 && count <= bytes.count / size && groups(of: box.content) != nil
            }.map(\.content)
        }

        private func isOnce(_ name: String, in range: Range<Int>) -> Bool {
            let name = Array(name.utf8)
            var found = 0
            for place in range.lowerBound..<max(range.upperBound - 3, range.lowerBound)
            where bytes[place] == name[0] && bytes[place + 1] == name[1] && bytes[place + 2] == name[2]
                && bytes[place + 3] == name[3]
            {
                found += 1
            }
            return found == 1
        }

        /// The number of reads for the samples of all chunks; a read takes at least 160. Nil if the runs of chunks are out of
        /// order.
        private func groups(of track: Range<Int>) -> Int? {
            let table = ["mdia", "minf", "stbl"]
            guard let runs = boxes.first(table + ["stsc"], in: track)?.content, let count = boxes.number(4, 4, in: runs) else {
                return nil
            }
            let chunks =
                ["stco", "co64"].compactMap { boxes.first(table + [$0], in: track) }
                .compactMap { boxes.number(4, 4, in: $0.content) }.max() ?? 0
            var groups = 0
            var before: (first: Int, samples: Int)?
            for run in 0..<count {
                guard let first = boxes.number(8 + 12 * run, 4, in: runs), let samples = boxes.number(12 + 12 * run, 4, in: runs),
                    before.map({ $0.first < first }) ?? (first == 1)
                else { return nil }
                if let before { groups += (first - before.first) * (before.samples / 160 + 1) }
                before = (first, samples)
                guard groups <= bytes.count else { return groups }
            }
            guard let before else { return 0 }
            return groups + max(min(chunks, bytes.count) + 1 - before.first, 0) * (before.samples / 160 + 1)
        }
    }
#endif
