/// ``DecodeOptions`` in which every field has a value.
public struct ResolvedDecodeOptions: Sendable {
    /// Built-in: nil, all of the image.
    public var region: PixelRect?
    /// Built-in: the original's size.
    public var target: DecodeTarget
    /// Further sizes that a ``MultiSizeDecoder`` may make in the same pass. They change no pixel of ``target``.
    package var otherTargets: [DecodeTarget] = []
    /// Pixels for each point. Built-in: 1, or what the source's name says.
    public var scale: Double
    /// Built-in: all, decoded when they are shown.
    public var frames: FrameSelection
    /// Built-in: false.
    public var requireAnimated: Bool
    /// Whether colours are converted to sRGB by the embedded profile. Built-in: true.
    public var convertsColors: Bool { color == .sRGB }
    package var color: ColorConversion
    /// Built-in: true.
    public var appliesOrientation: Bool
    /// Built-in: false, 16 bits are cut to 8.
    public var keeps16Bit: Bool
    /// Built-in: standard.
    public var dynamicRange: DynamicRange
    /// Built-in: BT.2390.
    public var toneMapping: ToneMapping
    /// Built-in: false, stored numbers are averaged.
    public var usesLinearLight: Bool
    /// Built-in: premultiplied.
    public var alpha: AlphaMode
    /// Bytes of decoded pixels; nil, 0 or less: no bound except ``limits``.
    public var scaleDownToBytes: Int?
    /// For bytes that no coder recognises; nil: the content alone decides.
    public var formatHint: ImageFormat?
    /// Nil: the manager's coders.
    public var coder: (any ImageCoder)?
    /// Built-in: off.
    public var previews: PreviewPolicy
    /// Built-in: as a preview.
    public var usesEmbeddedThumbnail: EmbeddedThumbnailUse
    /// Built-in: ``DecodeLimits/standard``.
    public var limits: DecodeLimits
    /// Bytes that end early are decoded as far as they go. Built-in: false, they throw `truncated`.
    public var allowsPartial: Bool
    /// Nil: as the manager has it for the format.
    public var isolation: DecodeIsolation?

    /// `own` over `base` over the built-in values. ``ResolvedRequest`` applies the scale in the source's name.
    public init(_ own: DecodeOptions = DecodeOptions(), _ base: DecodeOptions = DecodeOptions()) {
        region = own.region ?? base.region
        target = own.target ?? base.target ?? .original
        scale = own.scale ?? base.scale ?? 1
        frames = own.frames ?? base.frames ?? .all
        requireAnimated = own.requireAnimated ?? base.requireAnimated ?? false
        color = own.color ?? base.color ?? .sRGB
        appliesOrientation = own.appliesOrientation ?? base.appliesOrientation ?? true
        keeps16Bit = own.keeps16Bit ?? base.keeps16Bit ?? false
        dynamicRange = own.dynamicRange ?? base.dynamicRange ?? .standard
        toneMapping = own.toneMapping ?? base.toneMapping ?? .bt2390
        usesLinearLight = own.usesLinearLight ?? base.usesLinearLight ?? false
        alpha = own.alpha ?? base.alpha ?? .premultiplied
        scaleDownToBytes = own.scaleDownToBytes ?? base.scaleDownToBytes
        formatHint = own.formatHint ?? base.formatHint
        coder = own.coder ?? base.coder
        previews = own.previews ?? base.previews ?? .off
        usesEmbeddedThumbnail = own.usesEmbeddedThumbnail ?? base.usesEmbeddedThumbnail ?? .asPreview
        limits = own.limits ?? base.limits ?? .standard
        allowsPartial = own.allowsPartial ?? base.allowsPartial ?? false
        isolation = own.isolation ?? base.isolation
    }

    /// The size to decode an image with this header to, or its ``region``, in stored pixels, before `fill` cuts; equal to the whole's
    /// unless the target is smaller. Larger only for vectors, and for targets that allow upscaling.
    public func scaledSize(for header: ImageHeader) -> PixelSize {
        var size = (try? storedRegion(of: header))?.size ?? header.size
        if case .size(let target) = target {
            let storedTarget = appliesOrientation ? target.stored(header.orientation) : target
            size = (header.isVector ? storedTarget.vectorPlan(for: size) : storedTarget.plan(for: size)).scaled
        }
        if let limit = scaleDownToBytes, limit > 0 {
            let held = frames == .preloaded ? max(header.frameCount ?? 1, 1) : 1
            let bytes = Double(size.area) * Double(isDeep(header) ? 8 : 4) * Double(held)
            if bytes > Double(limit) {
                let factor = (Double(limit) / bytes).squareRoot()
                size = PixelSize(clamping: Int(Double(size.width) * factor), Int(Double(size.height) * factor))
            }
        }
        return size
    }

    /// Whether the result may have 16 bits. Only the whole file tells whether it has a gain map.
    private func isDeep(_ header: ImageHeader) -> Bool {
        if keeps16Bit, header.bitDepth > 8 { return true }
        return wantsHighRange && (header.colorSpace.isHDR || ImageFormat.withGainMaps.contains(header.format))
    }

    /// Colours are converted, and light may be brighter than white.
    package var wantsHighRange: Bool { dynamicRange.isHigh && color == .sRGB }

    /// The same with another size.
    package func with(_ target: DecodeTarget) -> ResolvedDecodeOptions {
        var options = self
        (options.target, options.otherTargets) = (target, [])
        return options
    }

    /// With three times the sides: what a decoder makes of a target before the rest is reduced in linear light. Twice costs up to a point
    /// of SSIMULACRA2, and four times gain none (Benchmarks/quality.md).
    package var oversampled: ResolvedDecodeOptions {
        guard case .size(var target) = target else { return self }
        target.width = target.width.map { $0 * 3 }
        target.height = target.height.map { $0 * 3 }
        target.vectorScale = nil
        return with(.size(target))
    }

    /// Whether pixels are decoded with 16 bits: where they are kept, and where light brighter than white is mapped to sRGB, or a narrow
    /// range made full, because the steps of 8 bits would be seen.
    package func decodesDeep(_ header: ImageHeader) -> Bool {
        let colors = header.colorSpace
        return header.bitDepth > 8 && (keeps16Bit || color == .sRGB && (colors.isHDR || colors.hasNarrowRange))
    }

    /// True for all pixels of all frames, decoded without a chosen coder. Anything less is worth storing next to the source.
    package var isOfWhole: Bool {
        guard scaleDownToBytes == nil, coder == nil, region == nil, case .original = target else { return false }
        return frames == .all || frames == .preloaded
    }

    /// Stable text of everything that changes the pixels.
    public var keyText: String {
        var parts: [String] = []
        if let region { parts.append("r=\(region.x),\(region.y),\(region.width)x\(region.height)") }
        if case .size(let target) = target {
            parts.append(
                "t=\(target.mode.rawValue):\(target.width ?? 0)x\(target.height ?? 0)\(target.allowsUpscaling ? "+" : "")\(target.focusText)"
            )
            if let scale = target.vectorScale { parts.append("v=\(scale)") }
        }
        if scale != 1 { parts.append("s=\(scale)") }
        switch frames {
        case .all: break
        case .preloaded: parts.append("f=p")
        case .first: parts.append("f=0")
        case .index(let index): parts.append("f=i\(index)")
        }
        if requireAnimated { parts.append("a") }
        if color != .sRGB { parts.append("c=\(color.rawValue)") }
        if !appliesOrientation { parts.append("o=0") }
        if keeps16Bit { parts.append("16") }
        if dynamicRange.isHigh { parts.append(dynamicRange.headroom.isFinite ? "hdr=\(dynamicRange.headroom)" : "hdr") }
        if toneMapping != .bt2390 { parts.append("tm=\(toneMapping.rawValue)") }
        if usesLinearLight { parts.append("li") }
        if alpha != .premultiplied { parts.append("al=\(alpha.rawValue)") }
        if let scaleDownToBytes { parts.append("d=\(scaleDownToBytes)") }
        if let formatHint { parts.append("h=\(formatHint.identifier.keyPart(";"))") }
        if let coder { parts.append("x=\(coder.identifier.keyPart(";"))") }
        if allowsPartial { parts.append("p") }
        if usesEmbeddedThumbnail == .ifLargeEnough { parts.append("e") }
        if limits != .standard { parts.append("l=" + limits.keyText) }
        return parts.joined(separator: ";")
    }
}
