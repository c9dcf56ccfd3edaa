#if Server
    import GannetCore
    import GannetImages
    import GannetKernels

    /// Which pixels of a source an address means, and how many are made of them.
    extension IIIFOptions {
        struct Plan: Equatable {
            var region: PixelRect
            var size: PixelSize
        }

        /// `whole`: of the upright source. `limit`: of each side of the result. Throws `misuse`.
        func plan(for whole: PixelSize, limit: Int) throws(ImageError) -> Plan {
            guard let part = rectangle(in: whole).clipped(to: whole) else {
                throw Self.wrong("The region has no pixel of the image, whose size is \(whole.width),\(whole.height).")
            }
            let size = try size(of: part, limit: Double(limit))
            guard enlarges || size.width <= part.width && size.height <= part.height else {
                throw Self.wrong("The size is larger than the region; with ^ before it that is allowed.")
            }
            guard size.width <= limit, size.height <= limit else {
                throw Self.wrong("The size is larger than this service makes: \(limit) pixels on a side at most.")
            }
            return Plan(region: part, size: size)
        }

        private func rectangle(in whole: PixelSize) -> PixelRect {
            switch region {
            case .full: return PixelRect(x: 0, y: 0, width: whole.width, height: whole.height)
            case .square:
                let side = min(whole.width, whole.height)
                return PixelRect(x: (whole.width - side) / 2, y: (whole.height - side) / 2, width: side, height: side)
            case .pixels(let rectangle): return rectangle
            case .percent(let x, let y, let width, let height):
                func pixels(_ percent: Double, _ side: Int) -> Int { Int(min(percent * Double(side) / 100, 1e9).rounded()) }
                return PixelRect(
                    x: pixels(x, whole.width), y: pixels(y, whole.height), width: max(pixels(width, whole.width), 1),
                    height: max(pixels(height, whole.height), 1))
            }
        }

        private func size(of part: PixelRect, limit: Double) throws(ImageError) -> PixelSize {
            let (width, height) = (Double(part.width), Double(part.height))
            func scaled(_ factor: Double) -> PixelSize {
                PixelSize(clamping: Self.pixels(width * factor), Self.pixels(height * factor))
            }
            let largest = min(limit / width, limit / height)
            switch size {
            case .largest: return scaled(enlarges ? largest : min(largest, 1))
            case .percent(let percent): return scaled(percent / 100)
            case .within(let boxWidth, let boxHeight):
                let factor = min(Double(boxWidth) / width, Double(boxHeight) / height, largest)
                return scaled(enlarges ? factor : min(factor, 1))
            case .sides(let wantedWidth?, let wantedHeight?):
                return PixelSize(clamping: wantedWidth, wantedHeight)
            case .sides(let wanted?, nil): return PixelSize(clamping: wanted, Self.pixels(height * Double(wanted) / width))
            case .sides(nil, let wanted?): return PixelSize(clamping: Self.pixels(width * Double(wanted) / height), wanted)
            case .sides(nil, nil): throw Self.wrong("A size has a side.")
            }
        }

        private static func pixels(_ value: Double) -> Int { Int(min(max(value.rounded(), 1), Double(PixelSize.maximumSide))) }

        /// The request that makes the image. `header` nil: only the request's key is of interest, which needs no source.
        func request(
            for source: ImageSource, header: ImageHeader?, maximumSide: Int, limits: DecodeLimits
        ) throws(ImageError) -> ImageRequest {
            var request = ImageRequest(source: source)
            if let header {
                let whole = header.displayedSize
                let plan = try plan(for: whole, limit: maximumSide)
                if plan.region.size != whole { request.decode.region = plan.region }
                request.decode.target = .size(
                    TargetSize(.stretch, width: plan.size.width, height: plan.size.height, allowsUpscaling: true))
            }
            request.decode.frames = .first
            request.decode.limits = limits
            (request.cache.read, request.cache.write) = (.disk, .disk)
            (request.cache.readOriginal, request.cache.writeOriginal) = (.disk, .disk)
            request.cache.sharesSizes = false
            request.transform.transformers = [IIIFTransformer(options: self, limit: maximumSide)]
            request.transform.appliesTo = [.animated, .vector]
            return request
        }
    }

    /// Turns the scaled part, and makes it gray or black and white.
    private struct IIIFTransformer: ImageTransformer {
        let options: IIIFOptions
        let limit: Int

        var identifier: String? { "iiif(\(options.text)|\(limit))" }
        var needsWholeImage: Bool { true }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            let turned = try oriented(bitmap, options.turn, pool: context.pool)
            guard options.quality != .color else { return turned }
            let gray = try StandardTransformer.grayscale.transform(turned, context: context)
            return options.quality == .gray ? gray : try bitonal(gray, context.pool)
        }

        /// White from half of the light on.
        private func bitonal(_ gray: Bitmap, _ pool: PixelPool) throws(ImageError) -> Bitmap {
            var buffer = try gray.mutableCopy(pool: pool)
            for y in 0..<buffer.size.height {
                try ImageError.checkCancellation(stage: .transform)
                var row = buffer.mutablePixels(y)
                for x in row.indices {
                    let (light, alpha) = (row[x] & 0xFF, row[x] >> 24)
                    row[x] = (2 * light > alpha ? alpha * 0x1_0101 : 0) | alpha << 24
                }
            }
            return buffer.freeze()
        }
    }
#endif
