#if CommandLine
    import Gannet
    import GannetCore
    import GannetImages
    import GannetSupport

    /// Decodes one file and measures its pixels. Blocking.
    struct PixelJob: Sendable {
        var options: ResolvedDecodeOptions
        var allFrames: Bool
        var places = DecodePlaces()

        /// Passes each frame to `keep`, without padding, as soon as it is decoded: all frames together may not fit into memory.
        func run(
            _ bytes: [UInt8], keep: ([UInt8]) throws(ImageError) -> Void = { _ in }
        ) throws(ImageError) -> DecodedPixels {
            let rope = ByteRope(bytes)
            let decoding = Assembly.decoding(limits: options.limits, places)
            let clock = ContinuousClock()
            let start = clock.now
            let header = try decoding.header(of: rope, options: options)
            let image = try decoding.decode(rope, options: options)
            var elapsed = clock.now - start

            var first = image.bitmap.packedBytes()
            Self.clearTransparent(&first)
            var result = DecodedPixels(
                format: header.format.identifier, width: image.size.width, height: image.size.height,
                frames: header.frameCount ?? image.frameCount, hash: try LibcryptoSHA256.hex(first), means: Self.means(first),
                isPartial: image.metadata.isPartial)
            try keep(first)
            if allFrames {
                var hash = try LibcryptoSHA256.begin()
                try hash.update(first)
                if case .animated(let animation) = image {
                    for index in 1..<max(animation.frameCount, 1) {
                        let begin = clock.now
                        let bitmap = try animation.blockingFrame(at: index)
                        elapsed += clock.now - begin
                        var pixels = bitmap.packedBytes()
                        Self.clearTransparent(&pixels)
                        try hash.update(pixels)
                        try keep(pixels)
                    }
                }
                result.hashOfAll = try hash.finish()
            }
            result.milliseconds = Readable.milliseconds(elapsed)
            return result
        }

        /// Sets red, green and blue to 0 where alpha is 0, because programs leave different values there.
        private static func clearTransparent(_ pixels: inout [UInt8]) {
            for index in stride(from: 3, to: pixels.count, by: 4) where pixels[index] == 0 {
                pixels[index - 3] = 0
                pixels[index - 2] = 0
                pixels[index - 1] = 0
            }
        }

        /// The means of R·A, G·A, B·A and A, each 0 … 255.
        private static func means(_ pixels: [UInt8]) -> [Double] {
            var sums = (0, 0, 0, 0)
            for index in stride(from: 0, to: pixels.count & ~3, by: 4) {
                let alpha = Int(pixels[index + 3])
                sums.0 += Int(pixels[index]) * alpha
                sums.1 += Int(pixels[index + 1]) * alpha
                sums.2 += Int(pixels[index + 2]) * alpha
                sums.3 += alpha
            }
            let count = Double(max(pixels.count / 4, 1))
            return [sums.0, sums.1, sums.2].map { Double($0) / 255 / count } + [Double(sums.3) / count]
        }
    }

    /// The result that `gannet decode` prints.
    struct DecodedPixels: Sendable {
        var format: String
        var width: Int
        var height: Int
        var frames: Int
        var hash: String
        var hashOfAll: String?
        var means: [Double]
        /// The file ends early or is damaged; the missing pixels are transparent.
        var isPartial: Bool
        var milliseconds = 0.0

        func json(source: String, frame: Int?) -> JSON {
            var fields: [(String, JSON)] = [
                ("source", .string(source)), ("ok", .bool(true)), ("format", .string(format)), ("width", .integer(width)),
                ("height", .integer(height)), ("frames", .integer(frames)),
            ]
            if let frame, frame > 0 {
                fields += [("frame", .integer(frame)), ("sha256", .string(hash))]
            } else {
                fields.append(("sha256Frame0", .string(hash)))
            }
            if isPartial { fields.append(("partial", .bool(true))) }
            if let hashOfAll { fields.append(("sha256AllFrames", .string(hashOfAll))) }
            return .object(
                fields + [
                    ("meanPremultipliedRGBA", .array(means.map { .number($0) })), ("milliseconds", .number(milliseconds)),
                ])
        }

        func lines(frame: Int?) -> [String] {
            var lines = [
                "\(format), \(width)×\(height), \(frames) frame\(frames == 1 ? "" : "s"), decoded in \(milliseconds.fixed(1)) ms\(isPartial ? PartialOptions.remark : "")",
                "frame \(frame ?? 0)     sha256 \(hash)",
            ]
            if let hashOfAll { lines.append("all frames  sha256 \(hashOfAll)") }
            return lines + ["mean R·A, G·A, B·A, A: " + means.map { $0.fixed(2) }.joined(separator: ", ")]
        }
    }
#endif
