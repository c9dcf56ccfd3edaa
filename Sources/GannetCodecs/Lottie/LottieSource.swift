#if Lottie
    import GannetCore

    /// The text of an animation, from whatever it is packed in.
    struct LottieSource {
        let text: [UInt8]
        /// With the animation's images; nil for a file without.
        var archive: LottieArchive?
        /// How often it is shown; 0 is for ever.
        var loopCount = 0

        /// Throws `limitExceeded`, `truncated`, `corrupt`, `unsupported` and `cancelled`.
        init(_ file: [UInt8], _ limits: DecodeLimits, _ watch: DecodeWatch) throws(ImageError) {
            let mostBytes = limits.maximumEncodedBytes
            if LottieGzip.isPacked(file) {
                text = try LottieGzip.text(file, mostBytes: mostBytes, watch)
                return
            }
            guard LottieArchive.isArchive(file) else {
                text = file
                return
            }
            var archive = try LottieArchive(file, mostBytes: mostBytes, watch)
            guard let content = try archive.content(LottieArchive.manifestName) else {
                throw LottieError.corrupt("its archive has no \(LottieArchive.manifestName)")
            }
            let manifest = try LottieManifest(content)
            guard let shown = manifest.shown else { throw LottieError.corrupt("its manifest names no animation") }
            for name in ["animations/\(shown.name).json", "a/\(shown.name).json"] {
                guard let text = try archive.content(name) else { continue }
                (self.text, self.archive) = (text, archive)
                loopCount = shown.loops ? 0 : 1
                return
            }
            throw LottieError.corrupt("its archive lacks the animation that the manifest names")
        }
    }

    /// The table of contents of a dotLottie file, version 1 or 2.
    private struct LottieManifest {
        struct Animation {
            var name = ""
            var loops = true
        }

        private var animations: [Animation] = []
        /// The one to begin with; nil: the first.
        private var first: String?

        init(_ text: [UInt8]) throws(ImageError) {
            self.init()
            do throws(JSONReader.Fault) {
                var reader = JSONReader(text)
                try reader.members { reader, name throws(JSONReader.Fault) in try take(name, &reader) }
                try reader.finish()
            } catch { throw LottieError.error(error) }
        }

        private init() {}

        var shown: Animation? { animations.first { $0.name == first } ?? animations.first }

        private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONReader.Fault) {
            let kind = try reader.next()
            switch name {
            case "activeAnimationId" where kind == .string: first = try reader.string()
            case "initial" where kind == .object:
                var named: String?
                try reader.members { reader, name throws(JSONReader.Fault) in
                    if name == "animation" { named = try reader.string() } else { try reader.skip() }
                }
                first = named
            case "animations" where kind == .array:
                var found: [Animation] = []
                try reader.elements { reader throws(JSONReader.Fault) in
                    guard try reader.next() == .object else { return try reader.skip() }
                    var animation = Animation()
                    try reader.members { reader, name throws(JSONReader.Fault) in
                        switch name {
                        case "id": animation.name = try reader.string() ?? ""
                        case "loop":
                            let place = try reader.place()
                            animation.loops = !reader.bytes[place].elementsEqual("false".utf8)
                        default: try reader.skip()
                        }
                    }
                    found.append(animation)
                }
                animations = found
            default: try reader.skip()
            }
        }
    }
#endif
