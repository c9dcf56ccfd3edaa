#if Server
    /// The client's words about its screen and layout: `Sec-CH-Width` is the width of the image there, in physical pixels, `Sec-CH-DPR`
    /// the pixels of the screen for each of the page (Responsive Image Client Hints). The fields without `Sec-CH-` are their older names.
    struct ClientHints: Hashable, Sendable {
        /// 1 … 16,777,215; nil: not said, or not understood.
        let width: Int?
        /// 0.1 … 8.
        let pixelRatio: Double?

        /// Answers depend on them: caches keep one for each of their values.
        static let names = ["Sec-CH-Width", "Sec-CH-DPR", "Width", "DPR"]

        static let none = ClientHints(width: nil, pixelRatio: nil)

        private init(width: Int?, pixelRatio: Double?) { (self.width, self.pixelRatio) = (width, pixelRatio) }

        init(_ request: ThumbnailService.Request) {
            let width = (request.header("sec-ch-width") ?? request.header("width")).flatMap { Int($0) }
            let ratio = (request.header("sec-ch-dpr") ?? request.header("dpr")).flatMap { Double($0) }
            self.width = width.flatMap { (1...16_777_215).contains($0) ? $0 : nil }
            pixelRatio = ratio.flatMap { (0.1...8).contains($0) ? $0 : nil }
        }

        /// The address has the first word: hints fill in what it leaves open. A width in physical pixels needs no ratio.
        func apply(to options: inout ProcessingOptions) {
            if options.width == nil, options.height == nil {
                if let width { options.width = width }
            } else if options.pixelRatio == 1, let pixelRatio {
                options.pixelRatio = pixelRatio
            }
        }
    }
#endif
