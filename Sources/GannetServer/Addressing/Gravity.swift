#if Server
    import GannetCore

    /// Where a smaller rectangle lies in a larger one: the part that is kept of an image, or the image on its canvas.
    struct Gravity: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// From the left and the upper edge: 0, 0.5 or 1 of the room that is left.
            case edge(x: Double, y: Double)
            /// This point of the larger rectangle, 0 … 1, is in the middle of the smaller one, or as close to it as the edges allow.
            case point(x: Double, y: Double)
            /// The part that catches the eye.
            case attention
        }

        var kind = Kind.edge(x: 0.5, y: 0.5)
        /// Away from the edge, or to the right and down from the middle: from 1 (or -1) on in pixels at a ratio of 1, else in fractions of the
        /// larger rectangle. 0 but for `edge`.
        var offsetX = 0.0
        var offsetY = 0.0

        static let center = Gravity()

        /// The words of addresses.
        static let directions: [String: Kind] = [
            "ce": .edge(x: 0.5, y: 0.5), "no": .edge(x: 0.5, y: 0), "so": .edge(x: 0.5, y: 1), "ea": .edge(x: 1, y: 0.5),
            "we": .edge(x: 0, y: 0.5), "noea": .edge(x: 1, y: 0), "nowe": .edge(x: 0, y: 0), "soea": .edge(x: 1, y: 1),
            "sowe": .edge(x: 0, y: 1),
        ]

        var hasOffset: Bool { offsetX != 0 || offsetY != 0 }

        /// Without the offsets.
        var focus: TargetSize.Focus {
            switch kind {
            case .edge(let x, let y), .point(let x, let y): .point(x: x, y: y)
            case .attention: .attention
            }
        }

        /// The upper left corner of `inner` in `outer`. `ratio` multiplies offsets in pixels. `allowsOutside`: an offset may move a part of
        /// `inner` out of `outer`. Of ``Kind/attention``, which depends on the pixels, it is the middle.
        func origin(
            of inner: PixelSize, in outer: PixelSize, ratio: Double = 1, allowsOutside: Bool = false
        ) -> (x: Int, y: Int) {
            let (x, y): (Double, Double)
            switch kind {
            case .edge(let edgeX, let edgeY):
                x = Self.start(edgeX, offsetX, inner.width, outer.width, ratio)
                y = Self.start(edgeY, offsetY, inner.height, outer.height, ratio)
            case .point(let pointX, let pointY):
                x = Self.even(pointX * Double(outer.width)) - Double(inner.width / 2)
                y = Self.even(pointY * Double(outer.height)) - Double(inner.height / 2)
            case .attention:
                return Gravity.center.origin(of: inner, in: outer)
            }
            func limited(_ start: Double, _ inner: Int, _ outer: Int) -> Int {
                let range = allowsOutside ? 1 - inner...outer - 1 : 0...max(outer - inner, 0)
                return Int(min(max(start, Double(range.lowerBound)), Double(range.upperBound)))
            }
            return (limited(x, inner.width, outer.width), limited(y, inner.height, outer.height))
        }

        /// A whole number. Halves go to the even one and a middle is that of one pixel more, as in imgproxy: so that addresses which move from
        /// there keep every pixel.
        private static func start(_ edge: Double, _ offset: Double, _ inner: Int, _ outer: Int, _ ratio: Double) -> Double {
            let shift = even(abs(offset) < 1 ? offset * Double(outer) : offset * ratio)
            if edge == 0 { return shift }
            let room = Double(outer - inner)
            return edge == 1 ? room - shift : even((room + 1) / 2) + shift
        }

        static func even(_ value: Double) -> Double { value.rounded(.toNearestOrEven) }
    }
#endif
