#if Lottie
    import GannetCore

    /// One animation, drawn frame by frame at the requested size.
    struct LottieFile: WholeFileFormat {
        static let headerBytes = Int.max
        static let needsAllBytes = true
        /// rlottie counts pixels of a row in 16 bits.
        static let maximumSide = 32_767

        private let document: LottieDocument
        private let images: LottieImages
        private let environment: DecodeEnvironment
        private let maximumBytes: Int
        /// Memory of the document while it is open.
        private let reservation: ResourceBudget.Reservation
        /// Nil until the first frame: the header does not need rlottie.
        private var drawing: LottieDrawing?
        let header: ImageHeader
        let outputSize: PixelSize

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard isComplete, !head.isEmpty else { return nil }
            self.environment = environment
            let limits = environment.limits
            maximumBytes = limits.maximumDecodedBytes
            let watch = DecodeWatch(limits)
            try watch.check()
            var source = try LottieSource(head, limits, watch)
            document = try LottieDocument(source.text, watch)
            try limits.check(frames: document.frameCount)
            images = try LottieImages(document.assets, &source.archive, limits)
            let delays = document.delays
            header = ImageHeader(
                format: .lottie, size: PixelSize(clamping: Self.side(document.width), Self.side(document.height)),
                frameCount: document.frameCount,
                animation: delays.isEmpty ? nil : AnimationInfo(loopCount: source.loopCount, delays: delays), hasAlpha: true,
                isVector: true)
            outputSize = options.scaledSize(for: header)
            guard max(outputSize.width, outputSize.height) <= Self.maximumSide else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation would be drawn at \(outputSize); sides are at most \(Self.maximumSide). Ask for a smaller target size."
                )
            }
            try Self.check(document.work, limits)
            // The text twice, its model, what is drawn of it, and the layers that are completed.
            let bytes = 4 * document.text.count + 8 * document.work.bytes + 32 * document.silentCount
            reservation = try environment.reserve(bytes + 8 * images.area)
        }

        /// Fractions are rounded up, so that nothing is cut off.
        private static func side(_ stated: Double) -> Int { Int(stated.rounded(.up)) }

        private static func check(_ work: LottieWork, _ limits: DecodeLimits) throws(ImageError) {
            // Compositions in many places multiply.
            guard work.bytes <= max(limits.maximumEncodedBytes, 1 << 20) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation shows its layers so often that they are \(work.bytes) bytes of text. Raise maximumEncodedBytes."
                )
            }
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            let reservation = try environment.reserve(try matteBytes(buffer.layout.byteCount))
            defer { withExtendedLifetime(reservation) {} }
            let drawing: LottieDrawing
            if let open = self.drawing {
                drawing = open
            } else {
                drawing = try LottieDrawing(document.drawn(at: outputSize, images))
                self.drawing = drawing
            }
            try watch.check()
            buffer.setAlpha(.premultiplied)
            drawing.draw(index * document.step, into: &buffer)
            try watch.check()
            return true
        }

        /// Memory for layers that cut others out. Throws `limitExceeded`.
        private func matteBytes(_ pixels: Int) throws(ImageError) -> Int {
            let (bytes, overflow) = pixels.multipliedReportingOverflow(by: 2 * document.work.mattes)
            guard !overflow, bytes <= 2 * max(maximumBytes, 8 << 20) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "\(document.work.mattes) layers of the Lottie animation cut out others, each in an image of its own. Ask for a smaller target size, or raise maximumDecodedBytes."
                )
            }
            return bytes
        }
    }
#endif
