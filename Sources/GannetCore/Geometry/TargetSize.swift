/// The requested size of an image, in pixels of the upright image.
public struct TargetSize: Hashable, Sendable {
    /// How the image is fitted to the box.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// The whole image inside the box, proportions kept.
        case fit
        /// The box filled, proportions kept, the excess cropped around the ``Focus``.
        case fill
        /// Exactly the box; proportions change.
        case stretch
    }

    /// The part that `fill` keeps.
    public enum Focus: Hashable, Sendable {
        /// A point of the upright image that stays as close to the middle as the edges allow: 0, 0 is the upper left corner, 1, 1
        /// the lower right one.
        case point(x: Double, y: Double)
        /// The part that catches the eye: edges, colours of skin, and strong colours. Costs a small copy of the scaled image.
        case attention

        /// The middle.
        public static let center = Focus.point(x: 0.5, y: 0.5)
    }

    /// The fit if the proportions of image and box differ.
    public var mode: Mode
    /// The part that `fill` keeps; other modes ignore it. Default: the middle.
    public var focus = Focus.center { didSet { focus = Self.limited(focus) } }
    /// Nil: in proportion to the other side.
    public var width: Int? { didSet { width = Self.side(width) } }
    /// Nil: in proportion to the other side.
    public var height: Int? { didSet { height = Self.side(height) } }
    /// Whether an image smaller than the box may be enlarged. Off by default.
    public var allowsUpscaling: Bool
    /// Vectors are drawn at their own size times this, and no larger than the box. Nil, the default: they fill the box.
    package var vectorScale: Double?

    /// Sides are clamped to 1 … 16,777,215. Both nil: the image's own size.
    public init(_ mode: Mode, width: Int?, height: Int?, allowsUpscaling: Bool = false) {
        self.mode = mode
        self.width = Self.side(width)
        self.height = Self.side(height)
        self.allowsUpscaling = allowsUpscaling
    }

    /// The same target, cropped around this focus.
    public func focused(on focus: Focus) -> TargetSize {
        var copy = self
        copy.focus = focus
        return copy
    }

    /// For keys: empty where the focus is the middle or changes nothing.
    package var focusText: String {
        guard mode == .fill, focus != .center else { return "" }
        switch focus {
        case .point(let x, let y): return "@\(x),\(y)"
        case .attention: return "@attention"
        }
    }

    private static func limited(_ focus: Focus) -> Focus {
        guard case .point(let x, let y) = focus else { return focus }
        // Not a number: the middle.
        func unit(_ value: Double) -> Double { value.isNaN ? 0.5 : min(max(value, 0), 1) }
        return .point(x: unit(x), y: unit(y))
    }

    private static func side(_ wanted: Int?) -> Int? { wanted.map { min(max($0, 1), PixelSize.maximumSide) } }

    /// Both sides in pixels; smaller images stay unchanged.
    public static func fit(_ width: Int, _ height: Int) -> TargetSize { TargetSize(.fit, width: width, height: height) }
    /// Both sides in pixels; images smaller than the box are not enlarged, and then do not fill it.
    public static func fill(_ width: Int, _ height: Int) -> TargetSize { TargetSize(.fill, width: width, height: height) }
    /// Both sides in pixels; a side shorter than the box's stays unchanged.
    public static func stretch(_ width: Int, _ height: Int) -> TargetSize { TargetSize(.stretch, width: width, height: height) }

    /// The plan for a vector of upright `size`, which loses nothing when it is drawn larger.
    package func vectorPlan(for size: PixelSize) -> Plan {
        guard let vectorScale else {
            var target = self
            target.allowsUpscaling = true
            return target.plan(for: size)
        }
        let drawn = PixelSize(
            clamping: Self.round(Double(size.width) * vectorScale), Self.round(Double(size.height) * vectorScale))
        return plan(for: drawn)
    }

    /// The plan for an image of upright `size`: the size to scale to, and the part to keep (`fill` crops).
    package struct Plan: Hashable, Sendable {
        /// The whole image, before cropping.
        package var scaled: PixelSize
        /// Inside ``scaled``; all of it unless the mode is `fill`.
        package var crop: PixelRect
        /// The size of the kept part.
        package var output: PixelSize { PixelSize(clamping: crop.width, crop.height) }
    }

    /// The size of the result for an image of upright `size`: pure arithmetic, no pixels.
    public func outputSize(for size: PixelSize) -> PixelSize { plan(for: size).output }

    /// Scaled sides are rounded to the nearest pixel and are at least 1.
    package func plan(for size: PixelSize) -> Plan {
        let scaledSize = scaled(size)
        var crop = PixelRect(x: 0, y: 0, width: scaledSize.width, height: scaledSize.height)
        if mode == .fill {
            crop.width = min(width ?? scaledSize.width, scaledSize.width)
            crop.height = min(height ?? scaledSize.height, scaledSize.height)
            place(&crop, in: scaledSize, around: (0.5, 0.5))
            if case .point(let x, let y) = focus { place(&crop, in: scaledSize, around: (x, y)) }
        }
        return Plan(scaled: scaledSize, crop: crop)
    }

    /// Moves a crop of `size` so that `point`, in fractions of both sides, is in its middle or as close to it as the edges allow.
    package func place(_ crop: inout PixelRect, in size: PixelSize, around point: (x: Double, y: Double)) {
        func start(_ point: Double, _ whole: Int, _ part: Int) -> Int {
            min(max(Int((point * Double(whole) - Double(part) / 2).rounded(.down)), 0), whole - part)
        }
        crop.x = start(point.x, size.width, crop.width)
        crop.y = start(point.y, size.height, crop.height)
    }

    private func scaled(_ size: PixelSize) -> PixelSize {
        let horizontal = width.map { Double($0) / Double(size.width) }
        let vertical = height.map { Double($0) / Double(size.height) }
        guard let first = horizontal ?? vertical else { return size }
        let x = horizontal ?? first
        let y = vertical ?? first
        switch mode {
        case .stretch:
            let scaledX = allowsUpscaling ? x : min(x, 1)
            let scaledY = allowsUpscaling ? y : min(y, 1)
            return PixelSize(clamping: Self.round(Double(size.width) * scaledX), Self.round(Double(size.height) * scaledY))
        case .fit, .fill:
            var factor = mode == .fit ? min(x, y) : max(x, y)
            if !allowsUpscaling { factor = min(factor, 1) }
            var result = PixelSize(
                clamping: Self.round(Double(size.width) * factor), Self.round(Double(size.height) * factor))
            // The box side that decides the factor is exact; rounding must not push the other side beyond its box.
            if mode == .fit, let width, let height {
                result = PixelSize(clamping: min(result.width, width), min(result.height, height))
            }
            return result
        }
    }

    private static func round(_ value: Double) -> Int {
        Int(min(value.rounded(), Double(PixelSize.maximumSide)))
    }

    /// The same target in stored (not yet upright) pixels.
    public func stored(_ orientation: Orientation) -> TargetSize {
        var result = self
        if orientation.swapsSides { (result.width, result.height) = (height, width) }
        if case .point(let x, let y) = focus, focus != .center {
            let point = orientation.stored(x: x, y: y)
            result.focus = .point(x: point.x, y: point.y)
        }
        return result
    }
}
