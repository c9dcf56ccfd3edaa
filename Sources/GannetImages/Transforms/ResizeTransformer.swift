public import GannetCore
public import GannetKernels

/// Resizes. `fill` crops the excess around the target's focus; `background` makes the result exactly the box, with bars of that colour.
///
/// - SDWebImage: SDImageResizingTransformer. Kingfisher: ResizingImageProcessor, DownsamplingImageProcessor.
package struct ResizeTransformer: GainMapTransformer, Hashable {
    /// The target, in pixels of the transformer's input.
    package var target: TargetSize
    /// Default automatic: the best for photographs.
    package var filter: ResampleFilter
    /// Averages light instead of stored values; several times the cost, 8-bit images only.
    package var usesLinearLight: Bool
    /// Fills the part of the box outside the image; nil leaves the box as small as the image.
    package var background: PixelColor?

    /// By default, stored values are averaged and no bars are added.
    package init(
        _ target: TargetSize, filter: ResampleFilter = .automatic, usesLinearLight: Bool = false, background: PixelColor? = nil
    ) {
        self.target = target
        self.filter = filter
        self.usesLinearLight = usesLinearLight
        self.background = background
    }

    package var identifier: String? {
        TransformIdentifier.make(
            "resize",
            [
                target.mode.rawValue + target.focusText, target.width.map { String($0) } ?? "",
                target.height.map { String($0) } ?? "",
                target.allowsUpscaling ? "up" : "", filter.rawValue, usesLinearLight ? "linear" : "",
                background.identifierText,
            ])
    }

    /// Bars have no part in a map.
    package var keepsGainMap: Bool { background == nil }

    /// The result needs the sharpness of this size, not of a view's.
    package var needsWholeImage: Bool { true }

    /// Throws `limitExceeded` and `cancelled`.
    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        var plan = target.plan(for: bitmap.size)
        let source = try premultiplied(bitmap, pool: context.pool)
        try checkLimits(plan.output, source.layout.format, context)
        if target.mode == .fill, target.focus == .attention, plan.output != plan.scaled {
            let point = try attention(in: source, keeping: plan.output, of: plan.scaled, pool: context.pool)
            target.place(&plan.crop, in: plan.scaled, around: point)
        }
        let scaled = try resample(
            source, to: plan.scaled, keeping: plan.crop, filter: filter, inLinearLight: usesLinearLight, pool: context.pool)
        guard let background else { return scaled }
        let box = PixelSize(clamping: target.width ?? scaled.width, target.height ?? scaled.height)
        try checkLimits(box, .rgba8, context)
        return try scaled.placed(on: box, background, context)
    }
}

extension Bitmap {
    /// The image centred on a canvas of `size` in `color`; crops what exceeds the canvas.
    func placed(on size: PixelSize, _ color: PixelColor, _ context: TransformContext) throws(ImageError) -> Bitmap {
        let image = try readyToPaint(context.pool)
        var buffer = try PixelBuffer(
            PixelLayout(size: size, alpha: color.alpha == 255 ? .opaque : .premultiplied), pool: context.pool)
        let left = (size.width - image.width) / 2
        let top = (size.height - image.height) / 2
        let columns = min(image.width, size.width)
        let pixel = color.premultiplied
        for y in 0..<size.height {
            if y & 31 == 0 { try ImageError.checkCancellation(stage: .transform) }
            buffer.fill(y, with: pixel)
            guard (0..<image.height).contains(y - top) else { continue }
            buffer.blend(
                y, x: max(left, 0), with: image, sourceX: max(-left, 0), sourceY: y - top, columns: columns,
                mode: .normal, opacity: 1)
        }
        return buffer.freeze()
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Resizes: `.resize(.fit(400, 300))`.
    public static func resize(
        _ target: TargetSize, filter: ResampleFilter = .automatic, linearLight: Bool = false, background: PixelColor? = nil
    ) -> Self {
        Self(ResizeTransformer(target, filter: filter, usesLinearLight: linearLight, background: background))
    }

    /// Exactly this size (`stretch`), or the length of one side, up or down, with the other in proportion.
    public static func resize(
        width: Int? = nil, height: Int? = nil, mode: TargetSize.Mode = .stretch, filter: ResampleFilter = .automatic
    ) -> Self {
        let mode = width == nil || height == nil ? .fit : mode
        return Self(ResizeTransformer(TargetSize(mode, width: width, height: height, allowsUpscaling: true), filter: filter))
    }
}
