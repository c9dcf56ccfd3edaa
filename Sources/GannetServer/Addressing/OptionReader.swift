#if Server
    import GannetCore
    import GannetImages

    /// Reads the options of a path, as `rs:fill:300:400`, `q:80`: the names and meanings are imgproxy's. An option that is not
    /// known, or has a part that is not supported, is refused instead of ignored.
    struct OptionReader {
        private let presets: Presets
        /// Presets that are being read: one that names itself would not end.
        private var depth = 0

        var options = ProcessingOptions()
        /// Seconds since 1970.
        var expires: Int64?
        /// An option outside presets needs a signature. Options in presets are the operator's choice.
        private(set) var isCostly = false

        init(presets: Presets) { self.presets = presets }

        /// One part of the path.
        mutating func read(_ part: String) throws(ImageError) {
            let option = PathOption(parsing: part)
            if depth > 0 || option.isPreset { return try read(option) }
            let granted = options.costs
            try read(option)
            noteCosts(beyond: granted)
        }

        /// After the source.
        mutating func read(format: String) throws(ImageError) {
            let granted = options.costs
            options.isBest = format == Self.best
            options.format = ImageFormat.named(format)
            guard options.isBest || options.format != nil else { throw wrong("There is no format \(format.prefix(32)) here.") }
            noteCosts(beyond: granted)
        }

        /// In place of a format.
        static let best = "best"

        private mutating func noteCosts(beyond granted: Set<String>) {
            if !options.costs.isSubset(of: granted) { isCostly = true }
        }

        /// The options of a preset; throws `misuse` if there is none.
        mutating func apply(preset name: String) throws(ImageError) {
            guard let parts = presets.named[name] else { throw wrong("There is no preset \(name.prefix(64)).") }
            guard depth < 8 else { throw wrong("The preset \(name.prefix(64)) names itself.") }
            depth += 1
            defer { depth -= 1 }
            for part in parts { try read(part) }
        }

        private mutating func read(_ option: PathOption) throws(ImageError) {
            if option.isPreset {
                guard !option.values.isEmpty else { throw option.wrong("a preset's name is missing") }
                for name in option.values { try apply(preset: name) }
                return
            }
            if try readSize(option) { return }
            if try readPart(option) { return }
            if try readPixels(option) { return }
            if try readFile(option) { return }
            guard try readLimit(option) else { throw wrong("There is no option \(option.name.prefix(64)) here.") }
        }

        /// How large the result is. False: another option.
        private mutating func readSize(_ option: PathOption) throws(ImageError) -> Bool {
            switch option.name {
            case "resize", "rs":
                if let mode = option.value(0) { options.mode = try option.mode(mode) }
                try readBox(option, from: 1)
            case "size", "s": try readBox(option, from: 0)
            case "resizing_type", "rt": options.mode = try option.mode(try option.only())
            case "width", "w": options.width = try option.side()
            case "height", "h": options.height = try option.side()
            case "min-width", "mw": options.minimumWidth = try option.side()
            case "min-height", "mh": options.minimumHeight = try option.side()
            case "zoom", "z": (options.zoomX, options.zoomY) = try option.zoom()
            case "dpr": options.pixelRatio = try option.number(try option.only(), 0.1...8)
            case "enlarge", "el": options.enlarges = try option.flag()
            default: return false
            }
            return true
        }

        /// Which part of the source is kept, and what is put around it.
        private mutating func readPart(_ option: PathOption) throws(ImageError) -> Bool {
            switch option.name {
            case "extend", "ex": options.extended = try option.extended(from: 0)
            case "extend_aspect_ratio", "extend_ar", "exar": options.extendedRatio = try option.extended(from: 0)
            case "padding", "pd": options.padding = try option.padding(over: options.padding)
            case "gravity", "g": options.gravity = try option.gravity()
            case "crop", "c": options.crop = try option.crop()
            case "trim", "t": options.trim = try option.trimming()
            case "auto_rotate", "ar": options.isUpright = try option.flag()
            case "rotate", "rot":
                let degrees = try option.whole(try option.only(), -36_000...36_000)
                guard degrees.isMultiple(of: 90) else { throw option.wrong("quarter turns are 0, 90, 180 and 270") }
                options.rotation = (degrees % 360 + 360) % 360
            case "flip", "fl":
                try option.atMost(2)
                options.flipsHorizontally = try option.flag(at: 0) ?? false
                options.flipsVertically = try option.flag(at: 1) ?? false
            default: return false
            }
            return true
        }

        /// Changes of pixels, after resizing.
        private mutating func readPixels(_ option: PathOption) throws(ImageError) -> Bool {
            switch option.name {
            case "page", "pg": options.page = try option.whole(try option.only(), 0...65_535)
            case "disable_animation", "da": options.animates = try !option.flag()
            case "blur", "bl": change("blur", try option.number(try option.only(), 0...100))
            case "sharpen", "sh": change("sharpen", try option.number(try option.only(), 0...100))
            case "pixelate", "pix":
                let side = try option.side()
                options.change("pixelate", to: side.map { "pixelate:\($0)" })
            case "brightness", "br":
                change("color:brightness=", Double(try option.whole(try option.only(), -255...255)) / 255, unchanged: 0)
            case "contrast", "co":
                change("color:contrast=", try option.number(try option.only(), 0...100), unchanged: 1)
            case "saturation", "sa":
                change("color:saturation=", try option.number(try option.only(), 0...100), unchanged: 1)
            case "background", "bg": options.background = try option.color()
            case "watermark", "wm": options.watermark = try option.watermark()
            case "watermark_url", "wmu": options.watermarkURL = try option.encodedText()
            case "watermark_text", "wmt": options.watermarkText = try TextMark.checked(try option.encodedText(), option)
            case "video_thumbnail_second", "vts": options.videoSecond = try option.whole(try option.only(), 0...86_400)
            case "preserve_hdr", "ph": options.keepsDepth = try option.flag()
            case "transform":
                guard !option.values.isEmpty else { throw option.wrong("transform:NAME:ARGUMENTS is expected") }
                let text = option.values.joined(separator: ":")
                _ = try StandardTransformer(parsing: text)
                options.transform(text)
            default: return false
            }
            return true
        }

        /// How the result is written and named.
        private mutating func readFile(_ option: PathOption) throws(ImageError) -> Bool {
            switch option.name {
            case "quality", "q":
                let quality = try option.whole(try option.only(), 0...100)
                options.quality = quality == 0 ? nil : quality
            case "format_quality", "fq": try readQualities(option)
            case "max_bytes", "mb": options.maximumBytes = try option.limit()
            case "format", "f", "ext":
                let name = try option.only()
                options.isBest = name == Self.best
                options.format = options.isBest ? nil : try option.format(name)
            case "autoquality", "aq": try readQualityTarget(option)
            case "strip_metadata", "sm": options.keepsMetadata = try !option.flag()
            case "keep_copyright", "kcr": options.keepsCopyright = try option.flag()
            case "strip_color_profile", "scp":
                guard try option.flag() else { throw option.wrong("images are always written in sRGB; only 1 is supported") }
            case "enforce_thumbnail", "eth": options.usesThumbnail = try option.flag()
            case "skip_processing", "skp": options.unprocessed = try option.formats()
            case "raw": options.isRaw = try option.flag()
            case "filename", "fn": try readFileName(option)
            case "return_attachment", "att": options.isAttachment = try option.flag()
            case "fallback_image_url", "fiu": options.fallbackURL = try option.encodedText()
            case "cachebuster", "cb":
                try option.atMost(1)
                options.cacheBuster = option.value(0) ?? ""
            case "expires", "exp": expires = Int64(try option.whole(try option.only(), 0...Int.max))
            default: return false
            }
            return true
        }

        /// Limits, which an address can lower.
        private mutating func readLimit(_ option: PathOption) throws(ImageError) -> Bool {
            switch option.name {
            case "max_src_resolution", "msr": options.maximumPixels = try option.megapixels()
            case "max_src_file_size", "msfs": options.maximumFileBytes = try option.limit()
            case "max_animation_frames", "maf": options.maximumFrames = try option.whole(try option.only(), 1...Int.max)
            case "max_animation_frame_resolution", "mafr": options.maximumFramePixels = try option.megapixels()
            case "max_result_dimension", "mrd": options.maximumSide = try option.side()
            default: return false
            }
            return true
        }

        private mutating func change(_ name: String, _ value: Double, unchanged: Double = 0) {
            let text = name.hasSuffix("=") ? name : name + ":"
            options.change(name, to: value == unchanged ? nil : "\(text)\(value)")
        }

        /// `WIDTH:HEIGHT:ENLARGE:EXTEND:GRAVITY`; what is missing stays as it was.
        private mutating func readBox(_ option: PathOption, from index: Int) throws(ImageError) {
            if let width = option.value(index) { options.width = try option.side(width) }
            if let height = option.value(index + 1) { options.height = try option.side(height) }
            if let enlarges = try option.flag(at: index + 2) { options.enlarges = enlarges }
            if option.values.count > index + 3 {
                let extended = try option.extended(from: index + 3)
                if option.value(index + 3) != nil { options.extended = extended }
            }
        }

        private mutating func readQualities(_ option: PathOption) throws(ImageError) {
            guard !option.values.isEmpty, option.values.count.isMultiple(of: 2) else {
                throw option.wrong("format_quality:FORMAT:QUALITY is expected")
            }
            for index in stride(from: 0, to: option.values.count, by: 2) {
                options.qualityOfFormat[try option.format(option.values[index])] =
                    try option.whole(option.values[index + 1], 1...100)
            }
        }

        /// `none`, `size:BYTES`, or `dssim:TARGET:MIN:MAX:ERROR`, of which the last three may be missing.
        private mutating func readQualityTarget(_ option: PathOption) throws(ImageError) {
            switch option.value(0) {
            case "none" where option.values.count == 1: options.qualityTarget = nil
            case "size" where option.values.count == 2:
                options.maximumBytes = try option.whole(option.values[1], 1...Int.max)
                options.qualityTarget = nil
            case "dssim":
                try option.atMost(5)
                guard let text = option.value(1) else { throw option.wrong("dssim:TARGET:MIN:MAX:ERROR is expected") }
                var target = QualityTarget(difference: try option.number(text, 0...1))
                let lowest =
                    try option.value(2).map { text throws(ImageError) in try option.whole(text, 1...100) } ?? target.lowest
                let highest = try option.value(3).map { text throws(ImageError) in try option.whole(text, 1...100) }
                target.lowest = lowest
                target.highest = highest ?? max(lowest, target.highest)
                guard target.lowest <= target.highest else { throw option.wrong("the lowest quality is above the highest") }
                if let text = option.value(4) { target.error = try option.number(text, 0...1) }
                options.qualityTarget = target
            default: throw option.wrong("the methods are none, size:BYTES and dssim:TARGET:MIN:MAX:ERROR")
            }
        }

        private mutating func readFileName(_ option: PathOption) throws(ImageError) {
            try option.atMost(2)
            guard var name = option.value(0) else { throw option.wrong("a name is missing") }
            if let isEncoded = option.value(1), try option.flag(isEncoded) {
                guard let bytes = Base64.bytes(ofURLText: name, allowsPadding: true) else {
                    throw option.wrong("the name is no base64url")
                }
                name = String(decoding: bytes, as: UTF8.self)
            } else if let decoded = ThumbnailAddress.percentDecoded(name) {
                name = decoded
            }
            options.fileName = name
        }

        private func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }
#endif
