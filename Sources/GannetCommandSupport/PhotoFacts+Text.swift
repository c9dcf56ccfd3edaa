package import GannetCodecs

extension PhotoFacts {
    /// The camera's name once: models often begin with the maker's.
    private var camera: String? {
        guard let model else { return make }
        guard let make, !model.lowercased().hasPrefix(make.lowercased()) else { return model }
        return "\(make) \(model)"
    }

    /// For people: `Canon EOS 5D, EF50mm f/1.8, 1/250 s, f/2.8, ISO 100, 50 mm, 2026-05-01T10:20:30, with its place (GPS)`.
    package var line: String {
        var parts = [camera, lens].compactMap { $0 }
        if let exposureSeconds, exposureSeconds > 0 {
            parts.append(
                exposureSeconds < 0.3 ? "1/\(Int(min(1 / exposureSeconds, 1e9).rounded())) s" : "\(Self.short(exposureSeconds)) s"
            )
        }
        if let fNumber { parts.append("f/\(Self.short(fNumber))") }
        if let iso { parts.append("ISO \(iso)") }
        if let exposureBias, exposureBias != 0 { parts.append("\(exposureBias > 0 ? "+" : "")\(Self.short(exposureBias)) EV") }
        if let focalLength { parts.append("\(Self.short(focalLength)) mm") }
        if let focalLength35mm, focalLength.map({ Int($0.rounded()) != focalLength35mm }) ?? true {
            parts.append("as \(focalLength35mm) mm on 35 mm film")
        }
        if flashFired == true { parts.append("flash") }
        if let taken { parts.append(taken) }
        if let description { parts.append("“\(description)”") }
        if let artist { parts.append("by \(artist)") }
        if let copyright { parts.append("© \(copyright)") }
        if let software { parts.append(software) }
        if hasPlace { parts.append("with its place (GPS)") }
        return parts.isEmpty ? "\(byteCount) bytes of EXIF" : parts.joined(separator: ", ")
    }

    private static func short(_ number: Double) -> String {
        let text = number.fixed(number < 10 ? 2 : 1)
        return text.contains(".") ? String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) : text
    }

    /// Null: the file does not say.
    package var json: JSON {
        .object([
            ("bytes", .integer(byteCount)), ("make", .optional(make)), ("model", .optional(model)), ("lens", .optional(lens)),
            ("taken", .optional(taken)), ("exposureSeconds", exposureSeconds.map { .number($0) } ?? .null),
            ("fNumber", fNumber.map { .number($0) } ?? .null), ("iso", .optional(iso)),
            ("exposureBias", exposureBias.map { .number($0) } ?? .null),
            ("focalLengthMm", focalLength.map { .number($0) } ?? .null), ("focalLength35Mm", .optional(focalLength35mm)),
            ("flash", flashFired.map { .bool($0) } ?? .null), ("software", .optional(software)), ("artist", .optional(artist)),
            ("copyright", .optional(copyright)), ("description", .optional(description)), ("gps", .bool(hasPlace)),
        ])
    }
}
