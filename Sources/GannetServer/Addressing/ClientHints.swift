#if Server
    /// The client's words about its screen and layout: `Sec-CH-Width` is the width of the image there, in physical pixels, `Sec-CH-DPR`
    /// the pixels of the screen for each of the page (Responsive Image Client Hints). The fields without `Sec-CH-` are their older names.
    ///
    /// Each is rounded up to one of a few values: every value makes another response, which is rendered and stored.
    struct ClientHints: Hashable, Sendable {
        /// One of ``widths``; nil: not said, or not understood.
        let width: Int?
        /// One of ``pixelRatios``.
        let pixelRatio: Double?

        /// Neighbours differ by a third to a half: a response has at most twice the pixels that its client shows.
        static let widths = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840]
        static let pixelRatios = [1, 1.5, 2, 3]

        /// Responses depend on them: caches keep one for each of their values.
        static let names = ["Sec-CH-Width", "Sec-CH-DPR", "Width", "DPR"]

        static let none = ClientHints(width: nil, pixelRatio: nil)

        private init(width: Int?, pixelRatio: Double?) { (self.width, self.pixelRatio) = (width, pixelRatio) }

        init(_ request: ThumbnailService.Request) {
            let width = (request.header("sec-ch-width") ?? request.header("width")).flatMap { Int($0) }
            let ratio = (request.header("sec-ch-dpr") ?? request.header("dpr")).flatMap { Double($0) }
            self.width = width.flatMap { (1...16_777_215).contains($0) ? Self.next($0, of: Self.widths) : nil }
            pixelRatio = ratio.flatMap { (0.1...8).contains($0) ? Self.next($0, of: Self.pixelRatios) : nil }
        }

        /// The smallest that is not less, or the largest.
        private static func next<Number: Comparable>(_ wanted: Number, of values: [Number]) -> Number? {
            values.first { $0 >= wanted } ?? values.last
        }

        /// The address takes precedence: hints fill in only what it leaves open. A width in physical pixels needs no ratio.
        /// `maximumSide`: a client with a larger screen gets the largest image, and no refusal.
        func apply(to options: inout ProcessingOptions, maximumSide: Int) {
            if options.width == nil, options.height == nil {
                if let width { options.width = min(width, max(Int(Double(maximumSide) / options.pixelRatio), 1)) }
            } else if options.pixelRatio == 1, let pixelRatio {
                let largest = Double(maximumSide) / Double(max(options.width ?? 1, options.height ?? 1))
                options.pixelRatio = max(min(pixelRatio, largest), 1)
            }
        }
    }
#endif
