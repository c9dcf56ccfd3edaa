#if PNG
    import CDeflate
    import GannetCore

    /// Walks the chunks of a growing rope. Reads only what it keeps: image data stays in place.
    struct PNGParser {
        static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

        let limits: DecodeLimits
        /// Nil until IHDR was read.
        private(set) var file: PNGFile?
        /// IEND was read.
        private(set) var isFinished = false
        /// The first IDAT was read: all information about the image is known.
        private(set) var sawImageData = false
        /// All bytes have arrived, without IEND.
        private(set) var isTruncated = false

        /// Offset of the next chunk.
        private var position = 0
        /// The chunk at `position` is incomplete image data that is already noted.
        private var isNoted = false
        private var sawPalette = false
        private var sawProfile = false
        private var metadataBytes = 0
        /// Only the first frame is wanted.
        private let wantsFirstFrameOnly: Bool

        init(limits: DecodeLimits, wantsFirstFrameOnly: Bool) {
            self.limits = limits
            self.wantsFirstFrameOnly = wantsFirstFrameOnly
        }

        /// Continues as far as the bytes go. Throws `corrupt`, `unsupported` or `limitExceeded`.
        mutating func read(_ rope: ByteRope) throws(ImageError) {
            if position == 0 {
                let head = rope.prefix(8)
                guard Self.signature.starts(with: head) else {
                    throw Self.corrupt("The file does not begin with the PNG signature.")
                }
                guard head.count == 8 else { return endEarly(rope) }
                position = 8
            }
            while !isFinished {
                let head = rope.prefix(8, from: position)
                guard head.count == 8 else { return endEarly(rope) }
                let length = Self.number(head, 0)
                let type = ChunkType(head, 4)
                guard length <= 0x7FFF_FFFF, type.isValid else { throw Self.corrupt("A chunk header is damaged.") }
                // The number before a frame's data is read together with the chunk's head.
                if type == .frameData, length >= 4, rope.count < position + 12 { return endEarly(rope, in: type) }
                if !isNoted {
                    try begin(type, length: length, rope)
                    isNoted = true
                }
                guard position + 12 + length <= rope.count else { return endEarly(rope, in: type) }
                try end(type, length: length, rope)
                position += 12 + length
                isNoted = false
            }
        }

        static func checksum(_ bytes: some Collection<UInt8>) -> Int {
            Int(bytes.withContiguousStorageIfAvailable { libdeflate_crc32(0, $0.baseAddress, $0.count) } ?? 0)
        }

        /// `type`: the chunk that is incomplete, if any. The last frame is complete if this is none of its chunks.
        private mutating func endEarly(_ rope: ByteRope, in type: ChunkType? = nil) {
            guard rope.isComplete, !isTruncated else { return }
            isTruncated = true
            if !sawImageData { file?.settleOrientation() }
            if type != .frameData { file?.endAnimation() }
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }

        static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
            Int(bytes[offset]) << 24 | Int(bytes[offset + 1]) << 16 | Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
        }

        // MARK: Chunks

        /// Handles a chunk's head: checks the order, and notes image data that is still arriving.
        private mutating func begin(_ type: ChunkType, length: Int, _ rope: ByteRope) throws(ImageError) {
            guard file != nil else {
                guard type != .apple else {
                    throw ImageError(
                        .unsupported, stage: .decode,
                        "The file is a PNG for Apple's devices (CgBI), which only they read. Convert it to a PNG there, or with pngcrush."
                    )
                }
                guard type == .header, length == 13 else { throw Self.corrupt("The first chunk is not a header of 13 bytes.") }
                return
            }
            if type != .imageData, !(file?.image.pieces.isEmpty ?? true) { file?.image.isComplete = true }
            switch type {
            case .imageData:
                if file?.layout.color == .palette, !sawPalette { throw Self.corrupt("The palette is missing.") }
                if !sawImageData { file?.settleOrientation() }
                sawImageData = true
                guard file?.image.isComplete == false else { return }
                file?.image.pieces.append(.init(chunk: position + 4, start: position + 8, end: position + 8 + length))
            case .frameData:
                noteFrameData(length: length, rope)
            default: break
            }
        }

        /// Handles a complete chunk.
        private mutating func end(_ type: ChunkType, length: Int, _ rope: ByteRope) throws(ImageError) {
            switch type {
            case .imageData, .frameData: return
            case .end: return try finish()
            case .header, .palette: break
            default:
                // Unknown critical chunks change how the image must be decoded.
                if type.isCritical {
                    throw ImageError(.unsupported, stage: .decode, "The file needs the unknown chunk \(type).")
                }
                guard type.isOfInterest else { return }
                if type.isText, !isTextOfInterest(rope.prefix(PNGText.longestKeyword + 1, from: position + 8)) { return }
            }
            if length > limits.maximumMetadataBytes - metadataBytes {
                if type.isCritical { throw Self.corrupt("The chunk \(type) is too long.") }
                try limits.check(metadataBytes: metadataBytes + length)
            }
            let bytes = rope.prefix(length + 8, from: position + 4)
            let body = Array(bytes[4..<4 + length])
            guard Self.checksum(bytes.prefix(4 + length)) == Self.number(bytes, 4 + length) else {
                if type.isCritical { throw Self.corrupt("The checksum of chunk \(type) is wrong.") }
                if type == .frameControl { file?.animation?.isBroken = true }
                return
            }
            try take(type, body)
        }

        private mutating func take(_ type: ChunkType, _ body: [UInt8]) throws(ImageError) {
            switch type {
            case .header:
                guard file == nil else { throw Self.corrupt("There are two headers.") }
                file = PNGFile(layout: try Self.layout(body))
            case .palette: try takePalette(body)
            case .transparency: takeTransparency(body)
            case .profile: try takeProfile(body)
            case .codePoints where !sawImageData && body.count == 4:
                file?.cicp = CICP(
                    primaries: Int(body[0]), transfer: Int(body[1]), matrix: Int(body[2]), isFullRange: body[3] != 0)
            case .lightLevel where !sawImageData: file?.light.takeLevel(body)
            case .masteringDisplay where !sawImageData: file?.light.takeMasteringDisplay(body)
            case .sRGB where !sawImageData: file?.hasSRGB = true
            case .gamma where !sawImageData: file?.light.takeGamma(body)
            case .chromaticities where !sawImageData: file?.light.takeChromaticities(body)
            case .exif where file?.exif == nil:
                metadataBytes += body.count
                file?.exif = EXIF.strippingPrefix(body)
            case .text, .compressedText:
                guard file?.exif == nil else { return }
                file?.exif = try PNGText.exif(
                    in: body, isCompressed: type == .compressedText, counted: &metadataBytes, limits)
            case .internationalText:
                metadataBytes += body.count
                file?.xmpOrientation = PNGText.orientation(inXMP: body)
            case .animationControl: takeAnimationControl(body)
            case .frameControl: try takeFrameControl(body)
            default: break
            }
        }

        private func isTextOfInterest(_ head: [UInt8]) -> Bool { PNGText.mayHoldEXIF(head) || PNGText.mayHoldXMP(head) }

        private static func layout(_ body: [UInt8]) throws(ImageError) -> PNGFile.Layout {
            let (width, height) = (number(body, 0), number(body, 4))
            guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
                throw corrupt("The header has no valid size.")
            }
            guard let color = PNGFile.ColorType(rawValue: Int(body[9])), color.depths.contains(Int(body[8])), body[10] == 0,
                body[11] == 0, body[12] <= 1
            else { throw corrupt("The header has an unknown colour type, depth, compression, filter or interlace method.") }
            guard let size = PixelSize(width: width, height: height) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The image has \(width)×\(height) pixels; sides above \(PixelSize.maximumSide) are not supported.")
            }
            return PNGFile.Layout(size: size, depth: Int(body[8]), color: color, isInterlaced: body[12] == 1)
        }

        private mutating func takePalette(_ body: [UInt8]) throws(ImageError) {
            guard let layout = file?.layout, !layout.color.isGray else { return }
            guard !sawPalette, !sawImageData else { throw Self.corrupt("The palette is at the wrong place.") }
            sawPalette = true
            guard layout.color == .palette else { return }
            guard !body.isEmpty, body.count % 3 == 0, body.count <= 768 else { throw Self.corrupt("The palette is damaged.") }
            file?.palette = Array(body.prefix(3 << layout.depth))
        }

        /// Ignores wrong lengths and places, as libpng does.
        private mutating func takeTransparency(_ body: [UInt8]) {
            guard let file, file.transparency.isEmpty, !sawImageData else { return }
            let fits: Bool
            switch file.layout.color {
            case .gray: fits = body.count == 2
            case .rgb: fits = body.count == 6
            case .palette: fits = sawPalette && !body.isEmpty && body.count <= file.palette.count / 3
            case .grayAlpha, .rgba: fits = false
            }
            if fits { self.file?.transparency = body }
        }

        /// Reads the first profile. Ignores one that cannot be decompressed; refuses one that decompresses to more than the
        /// limit.
        private mutating func takeProfile(_ body: [UInt8]) throws(ImageError) {
            guard let file, !sawProfile, !sawImageData, let zero = body.firstIndex(of: 0), zero + 2 <= body.count,
                body[zero + 1] == 0
            else { return }
            sawProfile = true
            let profile = try PNGInflate.metadata(body[(zero + 2)...], counted: &metadataBytes, limits)
            guard let profile, profile.count >= 128 else { return }
            // A profile of another colour model cannot belong to these pixels.
            let model = String(decoding: profile[16..<20], as: UTF8.self)
            guard model == (file.layout.color.isGray ? "GRAY" : "RGB ") else { return }
            self.file?.iccProfile = profile
        }

        private mutating func finish() throws(ImageError) {
            guard sawImageData else { throw Self.corrupt("The file has no image data.") }
            isFinished = true
            file?.endAnimation()
        }

        // MARK: Animation

        private mutating func takeAnimationControl(_ body: [UInt8]) {
            guard !sawImageData, file?.animation == nil, body.count == 8, Self.number(body, 0) > 0 else { return }
            file?.animation = PNGAnimation(promised: Self.number(body, 0), plays: Self.number(body, 4))
        }

        /// Changed in place: a copy for each chunk would make many small chunks cost their number squared.
        private mutating func takeFrameControl(_ body: [UInt8]) throws(ImageError) {
            guard let canvas = file?.layout.size else { return }
            let reading = reading
            try file?.animation?.takeControl(body, canvas: canvas, reading)
        }

        private mutating func noteFrameData(length: Int, _ rope: ByteRope) {
            let reading = reading
            let head = rope.prefix(4, from: position + 8)
            file?.animation?.noteData(
                .init(chunk: position + 4, start: position + 12, end: position + 8 + length),
                sequence: length >= 4 && head.count == 4 ? Self.number(head, 0) : nil, reading)
        }

        private var reading: PNGAnimation.Reading {
            .init(sawImageData: sawImageData, wantsFirstFrameOnly: wantsFirstFrameOnly, limits: limits)
        }
    }
#endif
