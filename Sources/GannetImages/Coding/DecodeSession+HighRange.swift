import GannetCore
import GannetKernels

/// Where the light of an image in high range comes from.
enum HighRange {
    /// The samples stand for it.
    case signal(primaries: Int, transfer: Int, brightest: Int?)
    /// A map says how much brighter the samples are. Own colours: the decoder leaves them as they are; otherwise it makes them sRGB.
    case gainMap(BaseColors, hasOwnColors: Bool)

    /// Whether the decoder's samples have 16 bits: a map is applied to 8.
    var isDeep: Bool { if case .signal = self { true } else { false } }

    /// The decoder converts no colours: its 8 bits, and sRGB, have no room for them.
    var keepsColors: Bool {
        switch self {
        case .signal: true
        case .gainMap(_, let hasOwnColors): hasOwnColors
        }
    }
}

extension DecodeSession {
    /// Nil: the image stays in standard range, because it is not wanted otherwise, has no more light, or has colours that are not known.
    func findHighRange() -> HighRange? {
        guard options.wantsHighRange else { return nil }
        let colors = header.colorSpace
        if colors.isHDR, let cicp = colors.cicp {
            guard LightMatrix(primaries: cicp.primaries) != nil else { return nil }
            return .signal(primaries: cicp.primaries, transfer: cicp.transfer, brightest: colors.brightest)
        }
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

    /// Memory beside the decoder's pixels.
    var highRangeBytes: Int {
        let size = options.scaledSize(for: header)
        let result = PixelLayout(size: size, format: .rgba16).byteCount
        switch highRange {
        case nil: return 0
        case .signal: return layout.format == .rgba8 ? 2 * PixelLayout(size: layout.size, format: .rgba16).byteCount : 0
        case .gainMap: return result + (gainMap?.workBytes(for: size) ?? 0)
        }
    }

    /// PQ of BT.2020 from the file's own samples.
    func brightened(
        _ decoded: consuming PixelBuffer, primaries: Int, transfer: Int, brightest: Int?
    ) throws(ImageError) -> PixelBuffer {
        var buffer = decoded
        if buffer.layout.format == .rgba8 {
            let wide = try widened(buffer.freeze(), pool: environment.pool)
            buffer = try wide.mutableCopy(pool: environment.pool)
        }
        let limit = options.dynamicRange
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
        var samples: Bitmap?
        do throws(ImageError) { samples = try gainMap.bitmap(for: bitmap.size, pool: environment.pool) } catch {
            if error.code == .cancelled || error.code == .limitExceeded { throw error }
        }
        if samples?.layout.format != .rgba8 { samples = nil }
        let profile = gainMap.source.encoded.iccProfile
        let ratioColors = gainMap.metadata.usesBaseColors ? nil : MatrixProfile(profile)?.toXYZ
        return try GannetKernels.brightened(
            bitmap, colors, by: samples, gainMap.metadata, ratioColors: ratioColors, headroom: options.dynamicRange.headroom,
            pool: environment.pool)
    }
}
