/// What an EXIF block tells people about a photograph (Exif 2.32 §4.6). Every text is the file's own, so it can say anything.
package struct PhotoFacts: Equatable, Sendable {
    /// Bytes of the block.
    package var byteCount: Int
    package var make: String?
    package var model: String?
    package var lens: String?
    /// `2026-05-01T10:20:30`, with the offset to UTC behind it if the file says so.
    package var taken: String?
    package var exposureSeconds: Double?
    package var fNumber: Double?
    package var iso: Int?
    /// In EV.
    package var exposureBias: Double?
    package var focalLength: Double?
    /// That of a lens with the same view on 35 mm film.
    package var focalLength35mm: Int?
    package var flashFired: Bool?
    package var software: String?
    package var artist: String?
    package var copyright: String?
    package var description: String?
    /// The block says where the photograph was taken. The place itself is not read.
    package var hasPlace = false

    /// Nil: this is no EXIF block. Damaged entries are left out.
    package init?(exif block: [UInt8]) {
        guard let reader = TIFFDirectoryReader(block) else { return nil }
        byteCount = block.count
        for entry in reader.entries(at: reader.firstDirectory) {
            switch entry.tag {
            case 0x010E: description = reader.text(of: entry)
            case 0x010F: make = reader.text(of: entry)
            case 0x0110: model = reader.text(of: entry)
            case 0x0131: software = reader.text(of: entry)
            case 0x013B: artist = reader.text(of: entry)
            case 0x8298: copyright = reader.text(of: entry)
            case 0x8825:
                // A pointer alone is no place: latitude and longitude make one.
                let tags = Set((reader.integer(of: entry).map(reader.entries) ?? []).map(\.tag))
                hasPlace = tags.isSuperset(of: [0x0002, 0x0004])
            case 0x8769: if let directory = reader.integer(of: entry) { readPhoto(reader.entries(at: directory), reader) }
            default: break
            }
        }
    }

    private mutating func readPhoto(_ entries: [TIFFDirectoryReader.Entry], _ reader: TIFFDirectoryReader) {
        var offset: String?
        for entry in entries {
            switch entry.tag {
            case 0x829A: exposureSeconds = reader.rational(of: entry)
            case 0x829D: fNumber = reader.rational(of: entry)
            case 0x8827: iso = reader.integer(of: entry)
            case 0x9003: taken = reader.text(of: entry).flatMap(Self.date)
            case 0x9011: offset = reader.text(of: entry).flatMap(Self.offset)
            case 0x9204: exposureBias = reader.rational(of: entry)
            case 0x9209: flashFired = reader.integer(of: entry).map { $0 & 1 == 1 }
            case 0x920A: focalLength = reader.rational(of: entry)
            case 0xA405: focalLength35mm = reader.integer(of: entry).flatMap { $0 > 0 ? $0 : nil }
            case 0xA434: lens = reader.text(of: entry)
            default: break
            }
        }
        if let time = taken { taken = time + (offset ?? "") }
    }

    /// `2026:05:01 10:20:30`, as a date of RFC 3339. Nil: unknown, which cameras write as spaces or zeros.
    private static func date(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 19, matches(bytes, "dddd:dd:dd dd:dd:dd"), !text.hasPrefix("0000") else { return nil }
        return text.prefix(10).replacing(":", with: "-") + "T" + text.suffix(8)
    }

    private static func offset(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        return matches(bytes, "+dd:dd") || matches(bytes, "-dd:dd") ? text : nil
    }

    /// `d` is a digit.
    private static func matches(_ bytes: [UInt8], _ pattern: String) -> Bool {
        bytes.count == pattern.utf8.count
            && zip(bytes, pattern.utf8).allSatisfy { byte, sign in
                sign == UInt8(ascii: "d") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == sign
            }
    }
}

extension TIFFDirectoryReader {
    /// Longer texts are cut.
    private static let longestText = 256

    /// The text of an ASCII entry, without the zero and the spaces at its end. Nil: it is empty, or of another type.
    func text(of entry: Entry) -> String? {
        guard entry.type == 2, let range = entry.count <= 4 ? inline(entry) : externalValue(of: entry) else { return nil }
        let text = String(decoding: bytes[range].prefix(Self.longestText).prefix { $0 != 0 }, as: UTF8.self)
        let trimmed = text.reversed().drop { $0 == " " }.reversed()
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    private func inline(_ entry: Entry) -> Range<Int>? {
        let start = entry.position + 8
        return start..<start + entry.count
    }

    /// The first value of a RATIONAL or SRATIONAL entry.
    func rational(of entry: Entry) -> Double? {
        guard entry.type == 5 || entry.type == 10, entry.count >= 1, let range = externalValue(of: entry),
            let above = long(at: range.lowerBound), let below = long(at: range.lowerBound + 4)
        else { return nil }
        func value(_ number: Int) -> Double { entry.type == 5 ? Double(number) : Double(Int32(truncatingIfNeeded: number)) }
        return value(below) == 0 ? nil : value(above) / value(below)
    }
}
