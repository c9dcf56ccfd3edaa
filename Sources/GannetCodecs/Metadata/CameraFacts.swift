/// The facts that a camera wrote about a photograph, for people to read (Exif 2.32, §4.6). A damaged block gives fewer facts, an
/// unreadable one gives none.
package struct CameraFacts: Equatable, Sendable {
    /// Make and model; the make once, also if the model repeats it.
    package var camera: String?
    /// The lens's model.
    package var lens: String?
    /// The time of the photograph by the camera's clock, without a time zone: `2026-11-27 14:30:05`.
    package var taken: String?
    /// Seconds.
    package var exposureTime: Double?
    /// The f-number.
    package var aperture: Double?
    /// ISO speed.
    package var sensitivity: Int?
    /// Millimetres, of the lens itself.
    package var focalLength: Double?
    /// Millimetres of the lens that has the same view on 35 mm film.
    package var focalLengthOnFilm: Int?
    /// The exposure bias in EV; negative is darker.
    package var exposureBias: Double?
    package var flashFired: Bool?
    /// The offset of ``taken`` from UTC: `+02:00`.
    package var timeZone: String?
    package var software: String?
    package var artist: String?
    package var copyright: String?
    package var description: String?
    /// The block says where the photograph was taken. The place itself is not read.
    package var hasPlace = false

    /// Reads EXIF from the TIFF header on, as ``ImageDecoder/exif`` has it.
    package init(exif: [UInt8]) {
        guard let reader = TIFFDirectoryReader(exif) else { return }
        let first = reader.entries(at: reader.firstDirectory)
        func text(_ tag: Int, in entries: [TIFFDirectoryReader.Entry]) -> String? {
            entries.first { $0.tag == tag }.flatMap(reader.text)
        }
        let (make, model) = (text(0x010F, in: first), text(0x0110, in: first))
        camera = model.map {
            $0.lowercased().hasPrefix(make?.lowercased() ?? "") ? $0 : [make, $0].compactMap { $0 }.joined(separator: " ")
        }
        camera = camera ?? make
        taken = text(0x0132, in: first)
        (software, artist) = (text(0x0131, in: first), text(0x013B, in: first))
        (copyright, description) = (text(0x8298, in: first), text(0x010E, in: first))
        let places = first.first { $0.tag == 0x8825 }.flatMap(reader.integer).map(reader.entries) ?? []
        // A pointer alone is no place: latitude and longitude make one.
        hasPlace = Set(places.map(\.tag)).isSuperset(of: [0x0002, 0x0004])
        if let pointer = first.first(where: { $0.tag == 0x8769 }), let directory = reader.integer(of: pointer) {
            let entries = reader.entries(at: directory)
            func ratio(_ tag: Int) -> Double? { entries.first { $0.tag == tag }.flatMap(reader.ratio) }
            lens = text(0xA434, in: entries)
            // The moment of exposure; the other is that of the last change.
            taken = text(0x9003, in: entries) ?? taken
            (exposureTime, aperture, focalLength) = (ratio(0x829A), ratio(0x829D), ratio(0x920A))
            func integer(_ tag: Int) -> Int? { entries.first { $0.tag == tag }.flatMap(reader.integer) }
            focalLengthOnFilm = integer(0xA405).flatMap { $0 > 0 ? $0 : nil }
            flashFired = integer(0x9209).map { $0 & 1 == 1 }
            exposureBias = entries.first { $0.tag == 0x9204 }.flatMap(reader.signedRatio)
            timeZone = text(0x9011, in: entries).flatMap { $0.wholeMatch(of: /[+-]\d\d:\d\d/) == nil ? nil : $0 }
            sensitivity = entries.first { $0.tag == 0x8827 }.flatMap(reader.integer).flatMap { $0 > 0 ? $0 : nil }
        }
        taken = taken.flatMap(Self.date)
    }

    /// `2026:11:27 14:30:05` with hyphens; nil for what cameras without a clock write.
    private static func date(_ text: String) -> String? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let first = text.unicodeScalars.first, ("1"..."9").contains(first) else { return nil }
        return parts[0].split(separator: ":").joined(separator: "-") + " " + parts[1]
    }
}

extension TIFFDirectoryReader {
    /// An ASCII entry up to its first NUL, without white space at its ends, control and format characters; at most 100 characters.
    fileprivate func text(of entry: Entry) -> String? {
        guard entry.type == 2, entry.count > 0 else { return nil }
        let range = entry.count <= 4 ? entry.position + 8..<entry.position + 8 + entry.count : externalValue(of: entry)
        guard let range else { return nil }
        let text = String(decoding: bytes[range].prefix(400).prefix { $0 != 0 }, as: UTF8.self)
        let visible = text.unicodeScalars.filter {
            switch $0.properties.generalCategory {
            case .control, .format, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let words = String(String.UnicodeScalarView(visible)).split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : String(words.prefix(100))
    }

    /// The first SRATIONAL of an entry; nil if it divides by zero.
    fileprivate func signedRatio(of entry: Entry) -> Double? {
        guard entry.type == 10, let start = externalValue(of: entry)?.lowerBound, let above = long(at: start),
            let below = long(at: start + 4), below != 0
        else { return nil }
        return Double(Int32(truncatingIfNeeded: above)) / Double(Int32(truncatingIfNeeded: below))
    }

    /// The first RATIONAL of an entry; nil if it is zero, or divides by it.
    fileprivate func ratio(of entry: Entry) -> Double? {
        guard entry.type == 5, let start = externalValue(of: entry)?.lowerBound, let above = long(at: start),
            let below = long(at: start + 4), above > 0, below > 0
        else { return nil }
        return Double(above) / Double(below)
    }
}
