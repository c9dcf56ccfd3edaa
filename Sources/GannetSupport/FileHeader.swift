package import GannetCodecs
package import GannetCore

/// The facts that `gannet info` prints about one file.
package struct FileHeader: Sendable {
    package var header: ImageHeader
    /// Nil: the server did not say.
    package var bytes: Int?

    /// Nil: the file has no EXIF, or it was not read.
    package var photo: CameraFacts?

    /// Nil: it says none, or was not asked.
    package var place: CameraPlace?

    /// Made of the decoded image, where they were asked for.
    package var colors: ColorFacts?

    /// Nil: the file has none.
    package var gainMap: GainMapFacts?

    /// Of the file's Content Credentials (C2PA); 0: it has none.
    package var credentialBytes = 0

    /// For people; nil: there are none.
    package var credentialsLine: String? {
        credentialBytes > 0 ? "Content Credentials (C2PA), \(Readable.bytes(credentialBytes)), not checked" : nil
    }

    /// Elements of a drawing that are not drawn.
    package var omissions: [String] = []

    package init(header: ImageHeader, bytes: Int?, photo: CameraFacts? = nil) {
        (self.header, self.bytes, self.photo) = (header, bytes, photo)
    }

    /// Reads EXIF from the TIFF header on: the facts of the camera, the place, or both.
    package mutating func read(exif: [UInt8], camera: Bool, place: Bool) {
        if camera { photo = CameraFacts(exif: exif) }
        if place { self.place = CameraPlace(exif: exif) }
    }

    package func json(source: String) -> JSON {
        let delays = (header.animation?.delays ?? []).map { JSON.number(Readable.milliseconds($0)) }
        let fields: [(String, JSON)] = [
            ("source", .string(source)), ("ok", .bool(true)), ("format", .string(header.format.identifier)),
            ("mime", .optional(header.format.mimeTypes.first)), ("width", .integer(header.size.width)),
            ("height", .integer(header.size.height)), ("frames", .optional(header.frameCount)),
            ("pages", .integer(header.pageCount)),
            ("loop", .optional(header.animation?.loopCount)), ("delaysMs", .array(delays)),
            ("hasAlpha", .bool(header.hasAlpha)),
            ("orientation", .integer(header.orientation.rawValue)), ("progressive", .bool(header.isProgressive)),
            ("bitDepth", .integer(header.bitDepth)), ("colorSpace", .string(header.colorSpace.model.rawValue)),
            ("iccBytes", .integer(header.colorSpace.iccProfile.count)), ("bytes", .optional(bytes)),
        ]
        let others: [(String, JSON)?] = [
            ICCProfileName.of(header.colorSpace.iccProfile).map { ("iccName", .string($0)) },
            header.colorSpace.highRangeName.map { ("hdr", .string($0)) },
            gainMap.map { ("gainMap", $0.json) },
            credentialBytes > 0 ? ("contentCredentialsBytes", .integer(credentialBytes)) : nil, photo.map { ("exif", $0.json) },
            place.map { ("gps", $0.json) },
        ]
        return .object(fields + others.compactMap { $0 } + (colors?.fields ?? []) + Self.omissionFields(omissions))
    }

    /// Empty where nothing is left out.
    package static func omissionFields(_ names: [String]) -> [(String, JSON)] {
        names.isEmpty ? [] : [("notDrawn", .array(names.map { .string($0) }))]
    }

    /// For people; nil: nothing is left out.
    package static func omissionNote(_ names: [String]) -> String? {
        let verb = names.count == 1 ? "is" : "are"
        return names.isEmpty ? nil : "\(names.joined(separator: " and ")) \(verb) not drawn; librsvg leaves such elements out"
    }
}

extension ColorSpace {
    /// `pq`, `hlg`, or `linear` for light itself; nil: standard range.
    package var highRangeName: String? { isHDR ? isLinear ? "linear" : cicp?.transfer == 16 ? "pq" : "hlg" : nil }
}
