import GannetCore
import GannetKernels

/// Where the light of an image comes from that is wanted in high range, or has to be known before it is made standard.
enum HighRange {
    /// The samples stand for it.
    case signal(CICP, brightest: Int?)
    /// The samples stand for it, and a gain map makes the author's standard range of it.
    case brightBase(CICP, brightest: Int?)
    /// A map says how much brighter the samples are. Own colours: the decoder leaves them as they are; otherwise it makes them sRGB.
    case gainMap(BaseColors, hasOwnColors: Bool)

    /// Whether the decoder's samples have 16 bits: a map is applied to 8.
    var isDeep: Bool { if case .gainMap = self { false } else { true } }

    /// The decoder converts no colours: its 8 bits, and sRGB, have no room for them.
    var keepsColors: Bool {
        switch self {
        case .signal, .brightBase: true
        case .gainMap(_, let hasOwnColors): hasOwnColors
        }
    }
}

extension DecodeSession {
    /// Nil: the image is converted to standard range, because it is not wanted otherwise, has no more light, or has colours that are not
    /// known.
    func findHighRange() -> HighRange? {
        let colors = header.colorSpace
        if options.color == .sRGB, colors.isHDR, let cicp = colors.cicp, LightMatrix(primaries: cicp.primaries) != nil {
            if options.wantsHighRange { return .signal(cicp, brightest: colors.brightest) }
            return hasStandardRendition ? .brightBase(cicp, brightest: colors.brightest) : nil
        }
        guard options.wantsHighRange, !colors.isHDR else { return nil }
        // A map that makes a bright image darker has a base that is not in standard range, and nothing says what it is.
        guard let map = encodedGainMap, !map.metadata.isBaseHDR, layout.alpha == .opaque else { return nil }
        if colors.iccProfile.isEmpty {
            let own = colors.cicp.flatMap { BaseColors($0) }
            return .gainMap(own ?? .sRGB, hasOwnColors: own != nil)
        }
        guard colors.model == .rgb, let profile = MatrixProfile(colors.iccProfile) else {
            return .gainMap(.sRGB, hasOwnColors: false)
        }
        return .gainMap(profile.colors, hasOwnColors: true)
    }

    /// The file has a gain map that makes standard range of its brighter image. An alternate that is itself brighter than that is none.
    private var hasStandardRendition: Bool {
        guard environment.colorManager != nil, layout.alpha == .opaque, let metadata = encodedGainMap?.metadata else {
            return false
        }
        return metadata.isBaseHDR && metadata.alternateHeadroom == 0
    }

    /// Memory beside the decoder's pixels.
    var highRangeBytes: Int {
        let size = options.scaledSize(for: header)
        let result = PixelLayout(size: size, format: .rgba16).byteCount
        let wide = layout.format == .rgba8 ? 2 * PixelLayout(size: layout.size, format: .rgba16).byteCount : 0
        return switch highRange {
        case nil: 0
        case .signal: wide
        case .brightBase: wide + result + (gainMap?.workBytes(for: size) ?? 0)
        case .gainMap: result + (gainMap?.workBytes(for: size) ?? 0)
        }
    }

    /// PQ of BT.2020 from the file's own samples.
    func brightened(
        _ decoded: consuming PixelBuffer, _ points: CICP, brightest: Int?
    ) throws(ImageError) -> PixelBuffer {
        let (primaries, transfer) = (points.primaries, points.transfer)
        var buffer = decoded
        if header.colorSpace.hasNarrowRange { try makeFullRange(&buffer) }
        if buffer.layout.format == .rgba8 {
            let wide = try widened(buffer.freeze(), pool: environment.pool)
            buffer = try wide.mutableCopy(pool: environment.pool)
        }
        let limit = options.wantsHighRange ? options.dynamicRange : .high
        let known = transfer == 16 ? brightest.map { Double($0) } : ToneMap.usualPeak
        let range = limit.limited(to: .high(headroom: known.map { $0 / DynamicRange.white } ?? .infinity))
        // Files name whole cd/m².
        let isWithin = limit.headroom.isInfinite || known.map { $0 <= limit.headroom * DynamicRange.white + 0.5 } ?? false
        if primaries == 9, transfer == 16, isWithin {
            buffer.setDynamicRange(range)
        } else if let map = ToneMap(primaries: primaries, transfer: transfer, brightest: brightest, to: limit) {
            try map.apply(&buffer, to: range)
        }
        return buffer
    }

    /// The image made brighter by its gain map, whose part and turn are those of the pixels. A map that is damaged leaves the light as
    /// it is.
    func brightened(_ bitmap: Bitmap, _ colors: BaseColors) throws(ImageError) -> Bitmap {
        guard let gainMap = bitmap.gainMap, bitmap.layout.alpha == .opaque, bitmap.layout.format == .rgba8 else { return bitmap }
        return try GannetKernels.brightened(
            bitmap, colors, by: try samples(of: gainMap, for: bitmap), gainMap.metadata, ratioColors: gainMap.ratioColors,
            headroom: options.dynamicRange.headroom, pool: environment.pool)
    }

    /// The image in standard range, as its author made it. By the curve of the request, if the map is damaged or passes a limit, or if the
    /// decoder's pixels are not those that its header has promised.
    func standardRendition(of bitmap: Bitmap, _ points: CICP) throws(ImageError) -> Bitmap {
        var result: Bitmap
        if bitmap.layout.alpha == .opaque, bitmap.layout.format == .rgba16, let gainMap = bitmap.gainMap,
            let map = try samples(of: gainMap, for: bitmap, isNeeded: false)
        {
            isStandardByGainMap = true
            result = try alternate(
                of: bitmap, by: map, gainMap.metadata,
                ratioColors: gainMap.ratioColors ?? LightMatrix(primaries: points.primaries) ?? .wide, pool: environment.pool)
        } else {
            result = try standardRange(bitmap, by: options.toneMapping, pool: environment.pool)
        }
        return options.keeps16Bit ? result : try narrowed(result, pool: environment.pool)
    }

    /// Nil: the map is damaged, or it is beyond a limit and not needed.
    private func samples(of gainMap: GainMap, for bitmap: Bitmap, isNeeded: Bool = true) throws(ImageError) -> Bitmap? {
        do throws(ImageError) {
            let samples = try gainMap.bitmap(for: bitmap.size, pool: environment.pool)
            return samples.layout.format == .rgba8 ? samples : nil
        } catch {
            // A shortage passes, and the decode is begun anew.
            let isFinal = error.code == .limitExceeded && (isNeeded || error.underlying is BudgetShortage)
            if error.code == .cancelled || isFinal { throw error }
            return nil
        }
    }
}

extension GainMap {
    /// To XYZ, of the primaries that the ratios are for; nil: those of the base.
    fileprivate var ratioColors: LightMatrix? {
        metadata.usesBaseColors ? nil : MatrixProfile(source.encoded.iccProfile)?.toXYZ
    }
}
