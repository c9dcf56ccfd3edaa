#if RAW
    import GannetCore

    /// Writes a block of EXIF from the directories of a raw file, which point all over it.
    struct RAWEXIF {
        private struct Field {
            var tag: Int
            var type: Int
            var count: Int
            /// In the block's byte order.
            var value: [UInt8]
        }

        private let isBigEndian: Bool
        private var main: [Field] = []
        private var photograph: [Field] = []
        private var place: [Field] = []

        /// Description, make, model, resolution, software, date, artist, copyright. Size and storage are those of another image.
        private static let mainTags: Set<Int> = [
            0x010E, 0x010F, 0x0110, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B, 0x8298,
        ]
        /// The maker's notes, which have offsets of their own, and the pointer to directories that are not copied.
        private static let leftOut: Set<Int> = [0x927C, 0xA005]

        /// From the first directory, and those that it points to.
        init(_ reader: TIFFDirectoryReader) {
            isBigEndian = reader.isBigEndian
            let entries = reader.entries(at: reader.firstDirectory)
            main = Self.fields(reader, entries) { Self.mainTags.contains($0) }
            if let start = entries.first(where: { $0.tag == 0x8769 }).flatMap(reader.integer) { addPhotograph(reader, at: start) }
            if let start = entries.first(where: { $0.tag == 0x8825 }).flatMap(reader.integer) { addPlace(reader, at: start) }
        }

        mutating func addPhotograph(_ reader: TIFFDirectoryReader, at start: Int) {
            guard reader.isBigEndian == isBigEndian else { return }
            photograph = Self.fields(reader, reader.entries(at: start)) { !Self.leftOut.contains($0) }
        }

        mutating func addPlace(_ reader: TIFFDirectoryReader, at start: Int) {
            guard reader.isBigEndian == isBigEndian else { return }
            place = Self.fields(reader, reader.entries(at: start)) { _ in true }
        }

        private static func fields(
            _ reader: TIFFDirectoryReader, _ entries: [TIFFDirectoryReader.Entry], _ isWanted: (Int) -> Bool
        ) -> [Field] {
            let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
            var (found, tags) = ([Field](), Set<Int>())
            for entry in entries.prefix(256) where isWanted(entry.tag) && sizes.indices.contains(entry.type) && entry.count > 0 {
                let (length, isOver) = entry.count.multipliedReportingOverflow(by: sizes[entry.type])
                // Longer ones are no text for people.
                guard !isOver, length > 0, length <= 4096 else { continue }
                let inside = entry.position + 8..<entry.position + 8 + min(length, 4)
                guard let range = length > 4 ? reader.externalValue(of: entry) : inside, range.count == length else { continue }
                guard tags.insert(entry.tag).inserted else { continue }
                found.append(
                    Field(tag: entry.tag, type: entry.type, count: entry.count, value: Array(reader.bytes[range])))
            }
            return found
        }

        // MARK: Writing

        /// Nil: there is nothing to say. Fields that do not fit are left out.
        func bytes(_ orientation: Orientation, limit: Int) -> [UInt8]? {
            guard !main.isEmpty || !photograph.isEmpty else { return nil }
            var room = limit - 200
            func fitting(_ fields: [Field]) -> [Field] {
                fields.filter { field in
                    let size = 12 + field.value.count + 1
                    guard room >= size else { return false }
                    room -= size
                    return true
                }
            }
            var first = fitting(main)
            let (second, third) = (fitting(photograph), fitting(place))
            first.append(Field(tag: 0x0112, type: 3, count: 1, value: word(orientation.rawValue)))
            let pointers = [(0x8769, second), (0x8825, third)].filter { !$0.1.isEmpty }
            let start = 8 + Self.length(first) + 12 * pointers.count
            var next = start
            for (tag, fields) in pointers {
                first.append(Field(tag: tag, type: 4, count: 1, value: long(next)))
                next += Self.length(fields)
            }
            var result: [UInt8] = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + word(42) + long(8)
            result += directory(first, at: 8)
            for (_, fields) in pointers { result += directory(fields, at: result.count) }
            return result
        }

        /// Of a directory and its values, which begin at even offsets.
        private static func length(_ fields: [Field]) -> Int {
            fields.reduce(6) { $0 + 12 + ($1.value.count > 4 ? $1.value.count + $1.value.count % 2 : 0) }
        }

        private func directory(_ fields: [Field], at start: Int) -> [UInt8] {
            var (entries, values) = (word(fields.count), [UInt8]())
            let valuesStart = start + 6 + 12 * fields.count
            for field in fields.sorted(by: { $0.tag < $1.tag }) {
                entries += word(field.tag) + word(field.type) + long(field.count)
                if field.value.count > 4 {
                    entries += long(valuesStart + values.count)
                    values += field.value + (field.value.count.isMultiple(of: 2) ? [] : [0])
                } else {
                    entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
                }
            }
            return entries + long(0) + values
        }

        private func word(_ value: Int) -> [UInt8] {
            let bytes = [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
            return isBigEndian ? bytes : bytes.reversed()
        }

        private func long(_ value: Int) -> [UInt8] {
            isBigEndian ? word(value >> 16) + word(value) : word(value) + word(value >> 16)
        }
    }
#endif
