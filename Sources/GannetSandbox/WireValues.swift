import GannetCore

// The values of requests and replies, each written and read in one place.

extension WireWriter {
    mutating func put(_ format: ImageFormat) {
        put(format.identifier)
        put(format.mimeTypes.count)
        for type in format.mimeTypes { put(type) }
        put(format.fileExtensions.count)
        for name in format.fileExtensions { put(name) }
    }

    mutating func put(_ limits: DecodeLimits) {
        put(limits.maximumPixels)
        put(limits.maximumDecodedBytes)
        put(limits.maximumEncodedBytes)
        put(limits.maximumFrames)
        put(limits.maximumAnimationPixels)
        put(limits.maximumMetadataBytes)
        put(limits.maximumScans)
        put(limits.maximumDecodeTime)
    }

    /// Writes the options without the coder, which is sent as its type, and without previews, which are requested one by one.
    mutating func put(_ options: ResolvedDecodeOptions) {
        put(options.region) {
            for number in [$1.x, $1.y, $1.width, $1.height] { $0.put(number) }
        }
        put(options.target)
        put(options.otherTargets.count)
        for target in options.otherTargets { put(target) }
        put(options.scale)
        switch options.frames {
        case .all: put(0)
        case .preloaded: put(1)
        case .first: put(2)
        case .index(let index):
            put(3)
            put(index)
        }
        put(options.requireAnimated)
        put(options.color.rawValue)
        put(options.appliesOrientation)
        put(options.keeps16Bit)
        put(options.toneMapping.rawValue)
        put(Int(options.alpha.rawValue))
        put(options.scaleDownToBytes) { $0.put($1) }
        put(options.formatHint) { $0.put($1) }
        put(options.limits)
        put(options.allowsPartial)
    }

    mutating func put(_ target: DecodeTarget) {
        switch target {
        case .original: put(false)
        case .size(let target):
            put(true)
            put(target.mode.rawValue)
            put(target.width) { $0.put($1) }
            put(target.height) { $0.put($1) }
            put(target.allowsUpscaling)
            put(target.vectorScale) { $0.put($1) }
            switch target.focus {
            case .attention: put(true)
            case .point(let x, let y):
                put(false)
                put(x)
                put(y)
            }
        }
    }

    mutating func put(_ layout: PixelLayout) {
        put(layout.size.width)
        put(layout.size.height)
        put(Int(layout.format.rawValue))
        put(Int(layout.alpha.rawValue))
    }

    mutating func put(_ colors: ColorSpace) {
        put(colors.model.rawValue)
        put(colors.iccProfile)
        put(colors.cicp) {
            $0.put($1.primaries)
            $0.put($1.transfer)
            $0.put($1.matrix)
            $0.put($1.isFullRange)
        }
        put(colors.brightest) { $0.put($1) }
        put(colors.isLinear)
        put(colors.hasNarrowRange)
    }

    mutating func put(_ header: ImageHeader) {
        put(header.format)
        put(header.size.width)
        put(header.size.height)
        put(header.frameCount) { $0.put($1) }
        put(header.animation) {
            $0.put($1.loopCount) { $0.put($1) }
            $0.put($1.delays.count)
            for delay in $1.delays { $0.put(delay) }
        }
        put(header.pageCount)
        put(header.hasAlpha)
        put(header.orientation.rawValue)
        put(header.isProgressive)
        put(header.bitDepth)
        put(header.colorSpace)
        put(header.isVector)
    }

    mutating func put(_ error: ImageError) {
        put(error.code.name)
        put(String(error.message.prefix(1000)))
    }
}

extension WireReader {
    /// Counts of anything that a file repeats: far above every limit, and too small to run out of memory with.
    private static var many: ClosedRange<Int> { 0...10_000_000 }

    mutating func format() throws(Malformed) -> ImageFormat {
        let identifier = try text(upTo: 200)
        var lists: [[String]] = []
        for _ in 0..<2 {
            var list: [String] = []
            for _ in 0..<(try int(in: 0...100)) { list.append(try text(upTo: 200)) }
            lists.append(list)
        }
        return ImageFormat(identifier: identifier, mimeTypes: lists[0], fileExtensions: lists[1])
    }

    mutating func limits() throws(Malformed) -> DecodeLimits {
        var limits = DecodeLimits.standard
        limits.maximumPixels = try int()
        limits.maximumDecodedBytes = try int()
        limits.maximumEncodedBytes = try int()
        limits.maximumFrames = try int()
        limits.maximumAnimationPixels = try int()
        limits.maximumMetadataBytes = try int()
        limits.maximumScans = try int()
        limits.maximumDecodeTime = try duration()
        return limits
    }

    mutating func options() throws(Malformed) -> ResolvedDecodeOptions {
        var options = ResolvedDecodeOptions()
        options.region = try optional { reader throws(Malformed) in
            let (x, y) = (try reader.int(), try reader.int())
            return PixelRect(x: x, y: y, width: try reader.int(), height: try reader.int())
        }
        options.target = try target()
        for _ in 0..<(try int(in: 0...1000)) { options.otherTargets.append(try target()) }
        options.scale = try double()
        switch try int() {
        case 0: options.frames = .all
        case 1: options.frames = .preloaded
        case 2: options.frames = .first
        case 3: options.frames = .index(try int())
        default: throw Malformed()
        }
        options.requireAnimated = try bool()
        options.color = try value(ColorConversion.self)
        options.appliesOrientation = try bool()
        options.keeps16Bit = try bool()
        options.toneMapping = try value(ToneMapping.self)
        options.alpha = try small(AlphaMode.self)
        options.scaleDownToBytes = try optional { reader throws(Malformed) in try reader.int() }
        options.formatHint = try optional { reader throws(Malformed) in try reader.format() }
        options.limits = try limits()
        options.allowsPartial = try bool()
        return options
    }

    mutating func target() throws(Malformed) -> DecodeTarget {
        guard try bool() else { return .original }
        let mode = try value(TargetSize.Mode.self)
        let width = try optional { reader throws(Malformed) in try reader.int() }
        let height = try optional { reader throws(Malformed) in try reader.int() }
        var target = TargetSize(mode, width: width, height: height, allowsUpscaling: try bool())
        target.vectorScale = try optional { reader throws(Malformed) in try reader.double() }
        target.focus = try bool() ? .attention : .point(x: try double(), y: try double())
        return .size(target)
    }

    mutating func size() throws(Malformed) -> PixelSize {
        let width = try int()
        guard let size = PixelSize(width: width, height: try int()) else { throw Malformed() }
        return size
    }

    mutating func layout() throws(Malformed) -> PixelLayout {
        let size = try size()
        let format = try small(PixelFormat.self)
        return PixelLayout(size: size, format: format, alpha: try small(AlphaMode.self))
    }

    /// cd/m²
    mutating func brightest() throws(Malformed) -> Int? {
        try optional { reader throws(Malformed) in try reader.int(in: 0...Int(UInt32.max)) }
    }

    mutating func colorSpace(profile limit: Int) throws(Malformed) -> ColorSpace {
        let model = try value(ColorSpace.Model.self)
        let profile = try bytes(upTo: limit)
        let cicp = try optional { reader throws(Malformed) in
            let primaries = try reader.int(in: 0...65_535)
            let transfer = try reader.int(in: 0...65_535)
            let matrix = try reader.int(in: 0...65_535)
            return CICP(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: try reader.bool())
        }
        let brightest = try brightest()
        var colors = ColorSpace(model: model, iccProfile: profile, cicp: cicp, brightest: brightest)
        colors.isLinear = try bool()
        colors.hasNarrowRange = try bool()
        return colors
    }

    mutating func header(metadata limit: Int) throws(Malformed) -> ImageHeader {
        let format = try format()
        var header = ImageHeader(format: format, size: try size())
        header.frameCount = try optional { reader throws(Malformed) in try reader.int(in: Self.many) }
        header.animation = try optional { reader throws(Malformed) in
            let loops = try reader.optional { reader throws(Malformed) in try reader.int(in: 0...Int(UInt32.max)) }
            let count = try reader.int(in: Self.many)
            var delays: [Duration] = []
            for _ in 0..<count { delays.append(try reader.duration()) }
            return AnimationInfo(loopCount: loops, delays: delays)
        }
        header.pageCount = try int(in: Self.many)
        header.hasAlpha = try bool()
        guard let orientation = Orientation(rawValue: try int(in: 1...8)) else { throw Malformed() }
        header.orientation = orientation
        header.isProgressive = try bool()
        header.bitDepth = try int(in: 1...64)
        header.colorSpace = try colorSpace(profile: limit)
        header.isVector = try bool()
        return header
    }

    /// Only what a decoder may throw; anything else is `corrupt`.
    mutating func error() throws(Malformed) -> ImageError {
        let name = try text(upTo: 100)
        let codes: [ImageError.Code] = [.truncated, .notAnImage, .empty, .unsupported, .limitExceeded, .misuse, .cancelled]
        return ImageError(codes.first { $0.name == name } ?? .corrupt, stage: .decode, try text(upTo: 8000))
    }
}
