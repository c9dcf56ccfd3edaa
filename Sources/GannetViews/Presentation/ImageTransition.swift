package import GannetCore

/// A side of a view.
public enum Edge: String, Hashable, Sendable, CaseIterable {
    /// In all languages, including those written from right to left.
    case left
    /// In all languages.
    case right
    /// Where row 0 is.
    case top
    /// Where the last row is.
    case bottom
}

/// How an image replaces the previous content. It stays with the view; a call may override it.
/// - SDWebImage: SDWebImageTransition
public struct ImageTransition: Sendable {
    /// The kind of motion; ``ImageTransition/step(at:)`` computes the positions.
    public enum Kind: Sendable {
        /// Uses the view's transition. For a view itself: as ``none``.
        case inherited
        /// The new image is there at once.
        case none
        /// The new image appears over the old one.
        case fade
        /// The old one disappears while the new one appears.
        case crossfade
        /// The new image slides over the old one, from a side.
        case slide(from: Edge)
        /// The old one turns away and the new one turns in, about the middle axis parallel to the edge. Drawn without
        /// perspective, so opposite edges look the same.
        case flip(from: Edge)
        /// The closest to a page curl without bending pixels: the old image is rolled up and away.
        case curlUp
        /// The new image is rolled down over the old one.
        case curlDown
        /// Any function of progress, 0 … 1, which is eased already.
        case custom(@Sendable (Double) -> TransitionStep)
    }

    /// Which of the two images moves, and how.
    public var kind: Kind
    /// Measured from its first drawn frame; zero: no transition.
    public var duration: Duration
    /// `easeInOut` by default.
    public var easing: Easing

    /// Half a second, slow at both ends.
    public init(_ kind: Kind, duration: Duration = .milliseconds(500), easing: Easing = .easeInOut) {
        self.kind = kind
        self.duration = duration
        self.easing = easing
    }

    /// Uses the view's transition; the default of every call.
    public static let inherited = ImageTransition(.inherited, duration: .zero)
    /// The default of every view.
    public static let none = ImageTransition(.none, duration: .zero)
    /// A fade of half a second. - SDWebImage: fadeTransition - Kingfisher: fade(_:)
    public static let fade = ImageTransition(.fade)
    /// The new image appears over the old one in this time.
    public static func fade(_ duration: Duration) -> ImageTransition { ImageTransition(.fade, duration: duration) }
    /// The old image disappears while the new one appears; halfway, the background shows through.
    public static func crossfade(_ duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.crossfade, duration: duration)
    }
    /// The new image comes in from `edge`.
    public static func slide(from edge: Edge, _ duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.slide(from: edge), duration: duration)
    }
    /// `edge` only chooses the axis: vertical for left and right, horizontal for top and bottom.
    public static func flip(from edge: Edge, _ duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.flip(from: edge), duration: duration)
    }
    /// The old image is drawn up from the bottom, in half a second. - SDWebImage: curlUpTransition
    public static let curlUp = ImageTransition(.curlUp)
    /// The new image is drawn down from the top, in half a second. - SDWebImage: curlDownTransition
    public static let curlDown = ImageTransition(.curlDown)

    /// False for `.none`, for `.inherited`, and for anything without a duration.
    public var isVisible: Bool {
        switch kind {
        case .inherited, .none: false
        default: duration > .zero
        }
    }

    /// Where the old and the new image are `elapsed` after the start.
    public func step(at elapsed: Duration) -> TransitionStep {
        guard isVisible, elapsed < duration else { return .end }
        let progress = easing.apply(max(elapsed / duration, 0))
        switch kind {
        case .inherited, .none: return .end
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

    /// The easing of progress.
    public enum Easing: String, Hashable, Sendable, CaseIterable {
        /// Even; slow at the start; slow at the end; slow at both ends.
        case linear, easeIn, easeOut, easeInOut

        /// Maps the elapsed fraction of the time to the fraction of the way, both 0 … 1; values outside are clamped.
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

/// Where one of the two images of a transition is. Offsets and the clipping rectangle are in fractions of the view.
public struct Placement: Hashable, Sendable {
    /// 0 … 1.
    public var opacity: Double
    /// Moves to the right; 1 is the view's width.
    public var offsetX: Double
    /// Down; 1 is the view's height.
    public var offsetY: Double
    /// About the view's centre.
    public var scaleX: Double
    /// About the view's centre.
    public var scaleY: Double
    /// Nothing is drawn outside; the whole view is 0, 0, 1, 1.
    public var clip: LayoutRect

    /// By default the normal place: opaque, neither moved nor scaled nor clipped.
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

    /// Not drawn at all.
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
    /// The outgoing image.
    public var old: Placement
    /// The incoming image.
    public var new: Placement
    /// The old image is drawn over the new one; otherwise below it.
    public var oldOnTop: Bool

    /// By default the new image is on top.
    public init(old: Placement, new: Placement, oldOnTop: Bool = false) {
        self.old = old
        self.new = new
        self.oldOnTop = oldOnTop
    }

    /// Only the new image.
    public static let end = TransitionStep(old: .hidden, new: Placement())
}

/// When a transition runs: always for an image that was fetched; for one from the disk, a file or data unless it came
/// while the caller waited; never for one from memory; always if forced. Only for the final image.
package enum TransitionRule {
    /// `isSynchronous`: the image came during the call that requested it. With `isFinal` false (previews and stale images) it
    /// never runs.
    package static func runs(origin: LoadedImage.Origin, isSynchronous: Bool, isForced: Bool, isFinal: Bool) -> Bool {
        guard isFinal else { return false }
        if isForced { return true }
        switch origin {
        case .network, .revalidated: return true
        case .disk, .file, .data: return !isSynchronous
        case .memory: return false
        }
    }
}
