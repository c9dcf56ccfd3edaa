package import GannetCodecs
import GannetCore

extension CameraFacts {
    /// For people: `Canon EOS 5D, EF50mm f/1.8, 1/250 s, f/2.8, ISO 100, 50 mm, 2026-05-01 10:20:30 +02:00, with its place (GPS)`.
    /// Nil: EXIF says nothing of it.
    package var line: String? {
        var parts = [camera, lens].compactMap { $0 }
        if let exposureTime {
            let isShort = exposureTime < 0.4 && exposureTime > 1e-6
            parts.append((isShort ? "1/" + (1 / exposureTime).decimal(places: 0) : exposureTime.decimal(places: 1)) + " s")
        }
        if let aperture { parts.append("f/" + aperture.decimal(places: 1)) }
        if let sensitivity { parts.append("ISO \(sensitivity)") }
        if let exposureBias, exposureBias != 0 {
            parts.append((exposureBias > 0 ? "+" : "") + exposureBias.decimal(places: 2) + " EV")
        }
        if let focalLength { parts.append(focalLength.decimal(places: 1) + " mm") }
        if let focalLengthOnFilm, focalLength?.rounded() != Double(focalLengthOnFilm) {
            parts.append("as \(focalLengthOnFilm) mm on 35 mm film")
        }
        if flashFired == true { parts.append("flash") }
        if let taken { parts.append([taken, timeZone].compactMap { $0 }.joined(separator: " ")) }
        if let description { parts.append("“\(description)”") }
        if let artist { parts.append("by \(artist)") }
        if let copyright { parts.append("© \(copyright)") }
        if let software { parts.append(software) }
        if hasPlace { parts.append("with its place (GPS)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Null: the file does not say.
    package var json: JSON {
        func number(_ value: Double?) -> JSON { value.map { .number($0) } ?? .null }
        return .object([
            ("camera", .optional(camera)), ("lens", .optional(lens)), ("taken", .optional(taken)),
            ("timeZone", .optional(timeZone)), ("exposureSeconds", number(exposureTime)), ("fNumber", number(aperture)),
            ("iso", .optional(sensitivity)), ("exposureBias", number(exposureBias)), ("focalLengthMm", number(focalLength)),
            ("focalLength35Mm", .optional(focalLengthOnFilm)), ("flash", flashFired.map { .bool($0) } ?? .null),
            ("software", .optional(software)), ("artist", .optional(artist)), ("copyright", .optional(copyright)),
            ("description", .optional(description)), ("gps", .bool(hasPlace)),
        ])
    }
}

extension CameraPlace {
    /// Degrees, and metres above the sea.
    package var json: JSON {
        .object([
            ("latitude", .fine(latitude)), ("longitude", .fine(longitude)),
            ("altitudeMetres", altitude.map { .number($0) } ?? .null),
        ])
    }
}
