package import GannetCore

/// What was found of a file's gain map.
struct FoundGainMap {
    /// Of the pixels.
    var map: GainMap?
    /// One that the result cannot have. Without its bytes.
    var unused: EncodedGainMap?
}

extension DecodeSession {
    /// Of a whole still image; nil while its end is missing. A part that is one of several is drawn and not written, and would hold the
    /// whole file's map.
    package var gainMap: GainMap? { gainMapOfFile.map }

    /// That the pixels cannot have, because the stored image is brighter than standard range.
    var unusedGainMap: EncodedGainMap? { gainMapOfFile.unused }

    /// Of the file, whether the pixels have it or not.
    package var describedGainMap: EncodedGainMap? { gainMap?.source.encoded ?? unusedGainMap }

    var gainMapOfFile: FoundGainMap {
        if let found = foundGainMap { return found }
        guard bytes.isComplete, environment.memory == nil || highRange != nil else { return FoundGainMap() }
        let found = makeGainMap()
        foundGainMap = found
        return found
    }

    /// As the file has it.
    var encodedGainMap: EncodedGainMap? {
        guard bytes.isComplete, header.frameCount == 1, let reader = coder as? any GainMapReading else { return nil }
        return reader.gainMap(in: bytes, limits: options.limits)
    }

    /// Reads the file's gain map, which the coder finds, and decodes nothing. A map that is damaged, or beyond the limits, is none.
    private func makeGainMap() -> FoundGainMap {
        guard var encoded = encodedGainMap else { return FoundGainMap() }
        var unused: EncodedGainMap?
        if header.colorSpace.isHDR || encoded.metadata.isBaseHDR {
            unused = encoded
            unused?.bytes = []
            // Otherwise a base that is brighter than white is mapped to it, or keeps its light, and its map knows nothing of either.
            guard case .brightBase = highRange else { return FoundGainMap(unused: unused) }
        }
        guard hasOurColors(&encoded) else { return FoundGainMap() }
        // The map's own colours, pixels and limits; the same place, as it is part of the same file.
        var map = ResolvedDecodeOptions()
        (map.color, map.limits, map.frames, map.isolation) = (.raw, options.limits, .first, options.isolation)
        map.appliesOrientation = false
        var environment = environment
        // Whoever writes the map has reserved its memory: see `GainMap.workBytes`.
        environment.budget = .unlimited
        environment.load = LoadContext()
        // What was learnt of the image is of another file than its map.
        environment.memory = nil
        let decoding = ImageDecoding(coders: CodersManager([coder]), environment: environment)
        let file = ByteRope(encoded.bytes)
        let made = GainMap(
            GainMap.Source(encoded, imageSize: header.size) { [map] size throws(ImageError) in
                var options = map
                options.target = .size(.stretch(size.width, size.height))
                return try decoding.decode(file, options: options).bitmap
            })
        return FoundGainMap(map: made, unused: unused)
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
        guard options.color == .sRGB, environment.colorManager != nil, !keepsColors, colors != .sRGB else { return true }
        if colors.iccProfile.isEmpty, let cicp = colors.cicp, cicp.isSRGB { return true }
        guard colors.model == .rgb, !colors.iccProfile.isEmpty else { return false }
        if MatrixProfile(colors.iccProfile)?.hasPrimariesOfSRGB == true { return true }
        encoded.metadata.usesBaseColors = false
        encoded.iccProfile = colors.iccProfile
        return true
    }
}
