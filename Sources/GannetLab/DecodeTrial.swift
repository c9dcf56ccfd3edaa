#if CommandLine
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// One file and the ways of decoding it.
    struct DecodeTrial {
        enum Way: String, CaseIterable { case header, whole, frames, thumbnail, progressive }

        struct Result {
            var seconds: Double
            var milliseconds: Int { Int((seconds * 1000).rounded()) }
            var error: ImageError?
        }

        var bytes: [UInt8]
        var budget: ResourceBudget
        var places: DecodePlaces

        private static let limits = DecodeLimits.standard

        /// The file at `path`, if it is within the limits.
        init(
            path: String, budget: ResourceBudget = .unlimited, places: DecodePlaces = DecodePlaces()
        ) throws(ImageError) {
            bytes = try POSIXFileSystem().read(
                WorkingFolder.absolute(path), maximumBytes: Self.limits.maximumEncodedBytes, nofollow: false)
            self.budget = budget
            self.places = places
        }

        /// The number of an animation's frames that are examined.
        private static let frames = 64
        private static let pieces = 16

        func run(_ way: Way) -> Result {
            let clock = ContinuousClock()
            let start = clock.now
            var failure: ImageError?
            do throws(ImageError) { try decode(way) } catch { failure = error }
            return Result(seconds: (clock.now - start) / .seconds(1), error: failure)
        }

        private func decode(_ way: Way) throws(ImageError) {
            var decoding = ImageDecoding.builtIn(limits: Self.limits, budget: budget)
            decoding.environment.places = places
            let rope = ByteRope(bytes)
            switch way {
            case .header: _ = try decoding.header(of: rope, options: options { _ in })
            case .whole: _ = try decoding.decode(rope, options: options { $0.frames = .first })
            case .frames:
                guard case .animated(let animation) = try decoding.decode(rope, options: options { $0.frames = .all }) else {
                    return
                }
                for index in 0..<min(animation.frameCount, Self.frames) { _ = try animation.blockingFrame(at: index) }
            case .thumbnail:
                _ = try decoding.decode(rope, options: options { $0.target = .size(.fit(64, 64)) })
                _ = try decoding.decode(
                    rope,
                    options: options {
                        $0.target = .size(.fit(16, 16))
                        $0.allowsPartial = true
                    })
            case .progressive:
                let session = PreviewSession(decoding: decoding, options: options { $0.allowsPartial = true })
                var growing = ByteRope()
                let step = max(1, bytes.count / Self.pieces)
                for start in stride(from: 0, to: bytes.count, by: step) {
                    growing.append(Array(bytes[start..<min(start + step, bytes.count)]))
                    if case .animated(let clip)? = session.preview(from: growing) {
                        _ = try? clip.blockingFrame(at: min(clip.frameCount, Self.frames) - 1)
                    }
                }
                growing.isComplete = true
                _ = try decoding.decode(growing, options: options { $0.allowsPartial = true })
            }
        }

        private func options(_ change: (inout DecodeOptions) -> Void) -> ResolvedDecodeOptions {
            var options = DecodeOptions()
            options.limits = Self.limits
            change(&options)
            return ResolvedDecodeOptions(options)
        }
    }
#endif
