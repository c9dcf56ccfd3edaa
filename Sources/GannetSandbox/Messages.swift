import GannetCore

/// The requests that a worker knows.
enum RequestKind: Int {
    /// Makes a coder's session, for a new file or for another region of the same one, and reads the bytes that there are.
    case open = 1
    /// Reads more bytes of the file.
    case read
    /// Decodes a frame into the output memory.
    case frame
    /// Draws a preview into the output memory.
    case preview
    /// Decodes several sizes of the first frame into the output memory, one after the other.
    case sizes
    /// Frees the session and the file. There is no reply.
    case close
    /// Copies a piece of a large file.
    case bytes
}

/// A message of a worker.
enum ReplyKind: UInt8 {
    /// The decoder's error.
    case error
    case result
    /// Not the reply yet: the decoder requests so many bytes of the program's budget, which it may be able to do without. The response is
    /// one byte, 1 if they are granted.
    case reservation
}

/// The start of a file: all that a worker needs to make the coder's session.
struct OpenRequest {
    /// The coder's type as `_mangledTypeName` gives it: the worker is the same program, and finds the type by it.
    var coder: String
    /// Nil: no colour management.
    var colorManager: String?
    var format: ImageFormat
    var options: ResolvedDecodeOptions
    var threads: Int
    var videoTime: Duration?
    /// What decoders learn of the file is for those of its later regions.
    var keepsKnowledge: Bool

    func write(_ writer: inout WireWriter) {
        writer.put(coder)
        writer.put(colorManager) { $0.put($1) }
        writer.put(format)
        writer.put(options)
        writer.put(threads)
        writer.put(videoTime) { $0.put($1) }
        writer.put(keepsKnowledge)
    }

    init(
        coder: String, colorManager: String?, format: ImageFormat, options: ResolvedDecodeOptions, threads: Int,
        videoTime: Duration?, keepsKnowledge: Bool
    ) {
        self.coder = coder
        self.colorManager = colorManager
        self.format = format
        self.options = options
        self.threads = threads
        self.videoTime = videoTime
        self.keepsKnowledge = keepsKnowledge
    }

    init(_ reader: inout WireReader) throws(WireReader.Malformed) {
        coder = try reader.text()
        colorManager = try reader.optional { reader throws(WireReader.Malformed) in try reader.text() }
        format = try reader.format()
        options = try reader.options()
        threads = try reader.int(in: 1...1024)
        videoTime = try reader.optional { reader throws(WireReader.Malformed) in try reader.duration() }
        keepsKnowledge = try reader.bool()
    }
}

/// The knowledge of a session after it has read bytes.
struct SessionState {
    var status: DecodeStatus
    var header: ImageHeader?
    var layout: PixelLayout?
    var decodesRegion = false
    /// Of the further sizes that were asked for.
    var otherLayouts: [PixelLayout] = []
    var colorSpace = ColorSpace.sRGB
    var isPartial = false
    var availableFrames = 0
    var exif: [UInt8]?

    init(_ status: DecodeStatus) { self.status = status }

    /// The reply about a worker's own decoder.
    init(_ status: DecodeStatus, of decoder: any ImageDecoder) {
        self.status = status
        header = decoder.header
        layout = decoder.outputLayout
        decodesRegion = (decoder as? any RegionDecoder)?.decodesRegion ?? false
        otherLayouts = (decoder as? any MultiSizeDecoder)?.otherLayouts ?? []
        colorSpace = decoder.outputColorSpace
        isPartial = decoder.isPartial
        availableFrames = decoder.availableFrameCount
        exif = decoder.exif
    }

    func write(_ writer: inout WireWriter) {
        switch status {
        case .needsMoreData: writer.put(0)
        case .frameAvailable: writer.put(1)
        case .finished: writer.put(2)
        }
        writer.put(header) { $0.put($1) }
        writer.put(layout) { $0.put($1) }
        writer.put(decodesRegion)
        writer.put(otherLayouts.count)
        for layout in otherLayouts { writer.put(layout) }
        writer.put(colorSpace)
        writer.put(isPartial)
        writer.put(availableFrames)
        writer.put(exif) { $0.put($1) }
    }

    init(_ reader: inout WireReader, limits: DecodeLimits) throws(WireReader.Malformed) {
        switch try reader.int() {
        case 0: status = .needsMoreData
        case 1: status = .frameAvailable
        case 2: status = .finished
        default: throw WireReader.Malformed()
        }
        let metadata = limits.maximumMetadataBytes
        header = try reader.optional { reader throws(WireReader.Malformed) in try reader.header(metadata: metadata) }
        layout = try reader.optional { reader throws(WireReader.Malformed) in try reader.layout() }
        decodesRegion = try reader.bool()
        for _ in 0..<(try reader.int(in: 0...1000)) { otherLayouts.append(try reader.layout()) }
        colorSpace = try reader.colorSpace(profile: metadata)
        isPartial = try reader.bool()
        availableFrames = try reader.int(in: 0...10_000_000)
        exif = try reader.optional { reader throws(WireReader.Malformed) in try reader.bytes(upTo: metadata) }
    }
}
