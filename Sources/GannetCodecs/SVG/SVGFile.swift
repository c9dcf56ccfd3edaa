#if SVG
    import GannetCore
    import GannetPlatform

    /// One document, drawn once at the requested size.
    struct SVGFile: WholeFileFormat {
        static let headerBytes = Int.max
        static let needsAllBytes = true
        /// Cairo's longest side.
        static let maximumSide = 32_767

        private let handle: SVGHandle
        private let survey: SVGSurvey
        private let environment: DecodeEnvironment
        /// Memory of the document while it is open.
        private let reservation: ResourceBudget.Reservation
        let header: ImageHeader
        let outputSize: PixelSize

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard !head.isEmpty else { return nil }
            self.environment = environment
            let watch = DecodeWatch(environment.limits)
            try watch.check()
            let text = SVGPacked.isPacked(head) ? try SVGPacked.document(head, environment.limits) : head
            survey = SVGSurvey(text)
            try survey.check(environment.limits)
            reservation = try environment.reserve(survey.treeBytes)
            handle = try SVGHandle(
                SVGDropShadow.replaced(in: SVGSurvey.corrected(text)),
                memory: Self.workBytes + 2 * survey.treeBytes + survey.embeddedBytes, watch)
            header = ImageHeader(
                format: .svg, size: try Self.size(handle), hasAlpha: true, isVector: true)
            outputSize = options.scaledSize(for: header)
            guard max(outputSize.width, outputSize.height) <= Self.maximumSide else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The SVG would be drawn at \(outputSize); sides are at most \(Self.maximumSide). Ask for a smaller target size."
                )
            }
        }

        /// Fractions are rounded up, so that nothing is cut off.
        private static func size(_ handle: SVGHandle) throws(ImageError) -> PixelSize {
            guard handle.width > 0, handle.height > 0 else {
                throw ImageError(
                    .corrupt, stage: .decode, "The SVG says that it has no size. Give it a width and a height above 0.")
            }
            guard max(handle.width, handle.height) <= Double(PixelSize.maximumSide) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The SVG says that it is \(handle.width)×\(handle.height) pixels large; the limit is \(PixelSize.maximumSide)."
                )
            }
            return PixelSize(clamping: Int(handle.width.rounded(.up)), Int(handle.height.rounded(.up)))
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let pixels = buffer.layout.byteCount
            // Layers, and pixels in transit from the other process.
            let reservation = try environment.reserve((survey.hasLayers ? 3 * pixels : 0) + (handle.canBeStopped ? pixels : 0))
            defer { withExtendedLifetime(reservation) {} }
            if survey.hasLayers, !handle.canBeStopped { try estimate(buffer.size, watch) }
            buffer.setAlpha(.premultiplied)
            try handle.draw(into: &buffer, memory: memory(of: pixels), watch)
            return true
        }

        /// Memory that fonts, styles and libraries take for any document, with a margin.
        private static let workBytes = 128 << 20

        /// Memory that drawing may take in its process, for nested layers.
        private func memory(of pixels: Int) -> Int { Self.workBytes + 16 * pixels + survey.embeddedBytes }

        /// Checks the expected drawing time, because drawing into layers cannot be interrupted. Estimates it from two small
        /// drawings: a fixed part for each element and a part for each pixel.
        private func estimate(_ size: PixelSize, _ watch: DecodeWatch) throws(ImageError) {
            guard size.area > 65_536 else { return }
            var times: [(area: Double, seconds: Double)] = []
            for divisor in [16, 4] {
                let small = PixelSize(clamping: size.width / divisor, size.height / divisor)
                var trial = try PixelBuffer(PixelLayout(size: small), pool: environment.pool)
                let start = SystemTimeSource().uptime
                try handle.draw(into: &trial, memory: memory(of: trial.layout.byteCount), watch)
                times.append((Double(small.area), (SystemTimeSource().uptime - start).seconds))
                // Most documents are fast, and need no second trial.
                if times.count == 1, times[0].seconds * 256 < 1 { return }
            }
            let perPixel = max(0, times[1].seconds - times[0].seconds) / (times[1].area - times[0].area)
            let whole = times[1].seconds + perPixel * (Double(size.area) - times[1].area)
            guard whole <= environment.limits.maximumDecodeTime.seconds else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "Drawing the SVG at \(size) would take about \(Int(whole)) s. Ask for a smaller size or raise maximumDecodeTime."
                )
            }
        }
    }
#endif
