import GannetCore

/// The steps that make an image of one size from another: first whole pixels are averaged (`shrinkX` × `shrinkY`), if at all,
/// then the pixels of each row are weighted, then the rows.
struct ResamplePlan {
    let source: PixelSize
    let output: PixelSize
    let format: PixelFormat
    let shrinkX: Int
    let shrinkY: Int
    /// Size after averaging; the last column and row may be made of fewer pixels.
    let shrunk: PixelSize
    let horizontal: ResampleWeights
    let vertical: ResampleWeights

    /// `kept`: the part of the image of size `scaled` that is wanted; it lies inside. `covered`: see ``SampledExtent``.
    init(
        from source: PixelSize, covered: SampledExtent? = nil, to scaled: PixelSize, keeping kept: PixelRect, format: PixelFormat,
        filter: ResampleFilter
    ) {
        let covered = covered ?? SampledExtent(source)
        self.source = source
        self.output = PixelSize(clamping: kept.width, kept.height)
        self.format = format
        let canShrink = format == .rgba8
        shrinkY = canShrink ? Self.shrink(source.height, scaled.height, filter, most: 256) : 1
        // The sum of one average is a signed number of 32 bits.
        shrinkX = canShrink ? Self.shrink(source.width, scaled.width, filter, most: min(65536, 8_000_000 / shrinkY)) : 1
        shrunk = PixelSize(clamping: (source.width + shrinkX - 1) / shrinkX, (source.height + shrinkY - 1) / shrinkY)
        horizontal = ResampleWeights(
            from: covered.left / Double(shrinkX), extent: covered.width / Double(shrinkX), count: shrunk.width,
            outputs: scaled.width,
            kept: kept.x..<kept.x + kept.width, filter: Self.resolved(filter, source.width, scaled.width),
            isPadded: true)
        vertical = ResampleWeights(
            from: covered.top / Double(shrinkY), extent: covered.height / Double(shrinkY), count: shrunk.height,
            outputs: scaled.height,
            kept: kept.y..<kept.y + kept.height, filter: Self.resolved(filter, source.height, scaled.height),
            isPadded: false)
    }

    var isShrinking: Bool { shrinkX > 1 || shrinkY > 1 }

    private static func resolved(_ filter: ResampleFilter, _ from: Int, _ to: Int) -> ResampleFilter {
        if from == to { return .area }  // Nothing to do on this axis, also for filters that soften.
        guard filter == .automatic else { return filter }
        return from < to ? .catmullRom : .lanczos3
    }

    /// How many pixels can be averaged before filtering. `automatic` leaves a factor of 2 to 4 for the filter, which the eye
    /// cannot tell from filtering it all. Averages of averages are exact for `area` and `box` where the factor is whole. The
    /// others start at a factor of 32, where 14-bit weights become coarse, and keep 16.
    private static func shrink(_ from: Int, _ to: Int, _ filter: ResampleFilter, most: Int) -> Int {
        let factor = from / to
        let isWhole = from.isMultiple(of: to) && factor > 1 && factor <= most
        switch filter {
        case .automatic: return min(max(factor / 2, 1), most)
        case .area where isWhole, .box where isWhole: return factor
        default: return min(factor >= 32 ? factor / 16 : 1, most)
        }
    }
}
