package import GannetCore

extension DecodeSession {
    /// Of a whole still image; nil while its end is missing.
    package var gainMap: GainMap? {
        if let found = foundGainMap { return found }
        guard bytes.isComplete else { return nil }
        let found = makeGainMap()
        foundGainMap = .some(found)
        return found
    }

    /// Reads the file's gain map, which the coder finds, and decodes nothing. A map that is damaged, or beyond the limits, is none.
    private func makeGainMap() -> GainMap? {
        guard header.frameCount == 1, let reader = coder as? any GainMapReading,
            var encoded = reader.gainMap(in: bytes, limits: options.limits), hasOurColors(&encoded)
        else { return nil }
        // The map's own colours, pixels and limits; the same place, as it is part of the same file.
        var map = ResolvedDecodeOptions()
        (map.color, map.limits, map.frames, map.isolation) = (.raw, options.limits, .first, options.isolation)
        map.appliesOrientation = false
        var environment = environment
        // Whoever writes the map has reserved its memory: see `GainMap.workBytes`.
        environment.budget = .unlimited
        environment.load = LoadContext()
        let decoding = ImageDecoding(coders: CodersManager([coder]), environment: environment)
        let file = ByteRope(encoded.bytes)
        return GainMap(
            GainMap.Source(encoded, imageSize: header.size) { [map] size throws(ImageError) in
                var options = map
                options.target = .size(.stretch(size.width, size.height))
                return try decoding.decode(file, options: options).bitmap
            })
    }

    /// Ratios of single channels belong to certain primaries, and the pixels become sRGB's. Then the map says that its ratios are for
    /// the primaries of a profile, which it brings along. False: there is no way to say it.
    private func hasOurColors(_ encoded: inout EncodedGainMap) -> Bool {
        if encoded.isNeutral {
            encoded.metadata.usesBaseColors = true
            encoded.iccProfile = []
            return true
        }
        if !encoded.metadata.usesBaseColors, !encoded.iccProfile.isEmpty { return true }
        encoded.metadata.usesBaseColors = true
        encoded.iccProfile = []
        let colors = header.colorSpace
        guard options.color == .sRGB, environment.colorManager != nil, colors != .sRGB else { return true }
        guard colors.model == .rgb, !colors.iccProfile.isEmpty else { return false }
        if ProfilePrimaries(colors.iccProfile)?.areThoseOfSRGB == true { return true }
        encoded.metadata.usesBaseColors = false
        encoded.iccProfile = colors.iccProfile
        return true
    }
}

/// The primaries in a profile of three curves and a matrix (ICC.1, 8.3). Read here, because a library that reads profiles may be kept
/// in a sandbox.
private struct ProfilePrimaries {
    private let columns: [[Double]]

    /// Nil: the profile has none, or is damaged.
    init?(_ profile: [UInt8]) {
        func word(_ offset: Int) -> Int? {
            guard offset >= 0, offset + 4 <= profile.count else { return nil }
            return profile[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard let count = word(128) else { return nil }
        var found: [Int: [Double]] = [:]
        for index in 0..<min(count, 100) {
            guard let tag = word(132 + index * 12), let start = word(136 + index * 12) else { break }
            let numbers = (0..<3).compactMap { word(start + 8 + $0 * 4) }.map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
            if numbers.count == 3 { found[tag] = numbers }
        }
        let columns = ["rXYZ", "gXYZ", "bXYZ"].compactMap { name in found[name.utf8.reduce(0) { $0 << 8 | Int($1) }] }
        guard columns.count == 3 else { return nil }
        self.columns = columns
    }

    /// As they are under the white of D50.
    var areThoseOfSRGB: Bool {
        let wanted = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
        return zip(columns.joined(), wanted.joined()).allSatisfy { abs($0 - $1) < 0.005 }
    }
}
