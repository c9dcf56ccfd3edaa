public import GannetCore

/// A side of a view.
public enum Edge: String, Hashable, Sendable, CaseIterable { case left, right, top, bottom }

/// How a picture takes the place of what was there. It stays with the view; a call may override it.
/// - SDWebImage: SDWebImageTransition
public struct ImageTransition: Sendable {
    public enum Kind: Sendable {
        case none
        /// The new picture appears over the old one.
        case fade
        /// The old one disappears while the new one appears.
        case crossfade
        /// The new picture slides over the old one, from a side.
        case slide(from: Edge)
        /// The old one turns away and the new one turns in, about the middle axis along the edge. Drawn without depth: from both sides it
        /// looks alike, and so it does from above and below.
        case flip(from: Edge)
        /// The nearest to a page's curl without bending pixels: the old picture is rolled up and away.
        case curlUp
        /// The new picture is rolled down over the old one.
        case curlDown
        /// Any function of progress, 0 … 1, eased already.
        case custom(@Sendable (Double) -> TransitionStep)
    }

    public var kind: Kind
    public var duration: Duration
    public var easing: Easing

    public init(_ kind: Kind, duration: Duration = .milliseconds(500), easing: Easing = .easeInOut) {
        self.kind = kind
        self.duration = duration
        self.easing = easing
    }

    public static let none = ImageTransition(.none, duration: .zero)
    public static let fade = ImageTransition(.fade)
    public static func fade(_ duration: Duration) -> ImageTransition { ImageTransition(.fade, duration: duration) }
    public static func crossfade(_ duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.crossfade, duration: duration)
    }
    public static func slide(from edge: Edge, _ duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.slide(from: edge), duration: duration)
    }
    public static func flip(from edge: Edge, _ duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.flip(from: edge), duration: duration)
    }
    public static let curlUp = ImageTransition(.curlUp)
    public static let curlDown = ImageTransition(.curlDown)

    /// False for `.none` and for anything without a duration.
    public var isVisible: Bool { if case .none = kind { false } else { duration > .zero } }

    /// Where the old and the new picture are `elapsed` after the start.
    public func step(at elapsed: Duration) -> TransitionStep {
        guard isVisible, elapsed < duration else { return .end }
        let progress = easing.apply(max(elapsed / duration, 0))
        switch kind {
        case .none: return .end
        case .fade: return TransitionStep(old: Placement(), new: Placement(opacity: progress))
        case .crossfade: return TransitionStep(old: Placement(opacity: 1 - progress), new: Placement(opacity: progress))
        case .slide(let edge):
            let rest = 1 - progress
            let (x, y): (Double, Double) =
                switch edge {
                case .left: (-rest, 0)
                case .right: (rest, 0)
                case .top: (0, -rest)
                case .bottom: (0, rest)
                }
            return TransitionStep(old: Placement(), new: Placement(offsetX: x, offsetY: y))
        case .flip(let edge):
            let isFirstHalf = progress < 0.5
            let factor = abs(1 - 2 * progress)
            let turned =
                edge == .left || edge == .right ? Placement(scaleX: factor) : Placement(scaleY: factor)
            return TransitionStep(
                old: isFirstHalf ? turned : .hidden, new: isFirstHalf ? .hidden : turned)
        case .curlUp:
            return TransitionStep(
                old: Placement(clip: LayoutRect(x: 0, y: 0, width: 1, height: 1 - progress)), new: Placement(), oldOnTop: true)
        case .curlDown:
            return TransitionStep(
                old: Placement(), new: Placement(clip: LayoutRect(x: 0, y: 0, width: 1, height: progress)))
        case .custom(let function): return function(progress)
        }
    }

    /// How progress runs.
    public enum Easing: String, Hashable, Sendable, CaseIterable {
        case linear, easeIn, easeOut, easeInOut

        public func apply(_ x: Double) -> Double {
            let x = min(max(x, 0), 1)
            switch self {
            case .linear: return x
            case .easeIn: return x * x
            case .easeOut: return x * (2 - x)
            case .easeInOut: return x * x * (3 - 2 * x)
            }
        }
    }
}

/// Where one of the two pictures of a transition is. Offsets and the clip are in fractions of the view.
public struct Placement: Hashable, Sendable {
    public var opacity: Double
    public var offsetX: Double
    public var offsetY: Double
    /// About the view's centre.
    public var scaleX: Double
    public var scaleY: Double
    public var clip: LayoutRect

    public init(
        opacity: Double = 1, offsetX: Double = 0, offsetY: Double = 0, scaleX: Double = 1, scaleY: Double = 1,
        clip: LayoutRect = LayoutRect(x: 0, y: 0, width: 1, height: 1)
    ) {
        self.opacity = opacity
        self.offsetX = offsetX
        self.offsetY = offsetY
        self.scaleX = scaleX
        self.scaleY = scaleY
        self.clip = clip
    }

    public static let hidden = Placement(opacity: 0)

    /// `rect` of a view of this size, moved and scaled.
    func apply(to rect: LayoutRect, in view: LayoutSize) -> LayoutRect {
        let centerX = view.width / 2
        let centerY = view.height / 2
        return LayoutRect(
            x: centerX + (rect.x - centerX) * scaleX + offsetX * view.width,
            y: centerY + (rect.y - centerY) * scaleY + offsetY * view.height, width: rect.width * scaleX,
            height: rect.height * scaleY)
    }

    func clipRect(in view: LayoutSize) -> LayoutRect {
        LayoutRect(
            x: clip.x * view.width, y: clip.y * view.height, width: clip.width * view.width, height: clip.height * view.height)
    }
}

/// One moment of a transition.
public struct TransitionStep: Hashable, Sendable {
    public var old: Placement
    public var new: Placement
    public var oldOnTop: Bool

    public init(old: Placement, new: Placement, oldOnTop: Bool = false) {
        self.old = old
        self.new = new
        self.oldOnTop = oldOnTop
    }

    /// Only the new picture.
    public static let end = TransitionStep(old: .hidden, new: Placement())
}

/// When a transition runs (VW-33): a picture that had to be fetched always; one from the disk, a file or data unless it came
/// while the caller waited; one from memory never; forced: always. Only for the final picture.
public enum TransitionRule {
    public static func runs(origin: LoadedImage.Origin, isSynchronous: Bool, isForced: Bool, isFinal: Bool) -> Bool {
        guard isFinal else { return false }
        if isForced { return true }
        switch origin {
        case .network, .revalidated: return true
        case .disk, .file, .data: return !isSynchronous
        case .memory: return false
        }
    }
}
