public import GannetCore
public import GannetImages

/// Shows that a load is running. It stays with the view; a call may override it. - SDWebImage: SDWebImageIndicator
public enum LoadIndicator: Sendable {
    /// Uses the view's indicator; the default of every call. For a view itself: as ``none``.
    case inherited
    /// Nothing is shown; the default of every view.
    case none
    /// Dots in a circle. The diameter is in points; it is drawn smaller in small views.
    case activity(diameter: Double, color: PixelColor)
    /// A bar that fills, and runs back and forth while the total is unknown.
    case bar(color: PixelColor)
    /// An image, which plays if it is animated.
    case image(DecodedImage)
    /// A widget over the view; toolkits that do not know its type show nothing. Its layer in the scene carries the load's
    /// progress (``Scene/Layer/progress``), which the toolkit passes on. - SDWebImage: updateIndicatorProgress
    case custom(any PresentableView)

    /// 32 points, middle grey. - SDWebImage: SDWebImageActivityIndicator.gray
    public static let activity = LoadIndicator.activity(diameter: 32, color: .middleGray)
    /// Middle grey. - SDWebImage: SDWebImageProgressIndicator.default
    public static let bar = LoadIndicator.bar(color: .middleGray)

    var isVisible: Bool {
        switch self {
        case .inherited, .none: false
        default: true
        }
    }
}

/// The shapes of the built-in indicators, as functions of time and progress: every toolkit draws the same.
package enum IndicatorDrawing {
    /// A filled circle of the activity indicator.
    package struct Dot: Hashable, Sendable {
        /// Points from the view's top left.
        package var x: Double
        /// Points from the view's top left; it and ``x`` are the centre.
        package var y: Double
        /// Points; a tenth of the indicator's diameter.
        package var radius: Double
        /// The indicator's colour; the older the dot, the more transparent.
        package var color: PixelColor
    }

    /// Dots of the activity indicator.
    package static let dotCount = 8
    /// How long each step of the activity indicator lasts; it turns once in `dotCount` steps.
    package static let dotStep = Duration.milliseconds(100)
    /// How often a bar of unknown total moves.
    package static let barStep = Duration.milliseconds(40)

    /// `phase` counts steps since the indicator appeared.
    package static func dots(phase: Int, diameter: Double, color: PixelColor, in view: LayoutSize) -> [Dot] {
        let diameter = min(diameter, view.width, view.height)
        guard diameter > 0 else { return [] }
        let radius = diameter / 10
        return (0..<dotCount).map { index in
            let (dx, dy) = directions[index]
            let age = ((phase - index) % dotCount + dotCount) % dotCount
            var faded = color
            faded.alpha = UInt8(Double(color.alpha) * (1 - 0.85 * Double(age) / Double(dotCount - 1)))
            let reach = diameter / 2 - radius
            return Dot(x: view.width / 2 + dx * reach, y: view.height / 2 + dy * reach, radius: radius, color: faded)
        }
    }

    private static let directions: [(Double, Double)] = {
        let d = 0.5.squareRoot()
        return [(0, -1), (d, -d), (1, 0), (d, d), (0, 1), (-d, d), (-1, 0), (-d, -d)]
    }()

    /// The bar's groove and its filled part.
    package static func bar(fraction: Double?, phase: Int, in view: LayoutSize) -> (groove: LayoutRect, filled: LayoutRect) {
        let width = min(max(view.width * 0.6, 0), 200)
        let height = min(6, view.height)
        let groove = LayoutRect(x: (view.width - width) / 2, y: (view.height - height) / 2, width: width, height: height)
        if let fraction {
            let filled = width * min(max(fraction, 0), 1)
            return (groove, LayoutRect(x: groove.x, y: groove.y, width: filled, height: height))
        }
        let period = 50
        let place = abs((phase % period) * 2 - period)
        let segment = width / 4
        let x = groove.x + (width - segment) * (1 - Double(place) / Double(period))
        return (groove, LayoutRect(x: x, y: groove.y, width: segment, height: height))
    }
}
