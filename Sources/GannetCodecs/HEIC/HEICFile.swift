#if HEIC
    import CHEIF
    import GannetCore

    /// One HEIC file, or the tiles of it that a region touches. The header is read as soon as the `meta` box is there, or the `moov` box of
    /// a sequence, and needs nothing after it.
    final class HEICFile: WholeFileFormat {
        static let headerBytes = Int.max

        private let environment: DecodeEnvironment
        private var source: any HEICSource
        private var byteCount: Int?
        /// The memory that the decoder of a sequence keeps from frame to frame.
        private var reservation: ResourceBudget.Reservation?
        private var part: HEIFPart<HEICFile>?
        private(set) var header: ImageHeader
        private(set) var exif: [UInt8]?

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            let source: any HEICSource
            if isComplete {
                source = try Self.source(head, environment)
            } else {
                // If the library cannot read this part, it may still be able to read the whole file.
                guard let early = try? Self.earlySource(head, environment) else { return nil }
                source = early
            }
            self.environment = environment
            self.source = source
            header = try Self.header(of: source, environment.limits, head)
            if isComplete { part = try HEIFPart(of: head, header, isTurned: true, options, environment) }
            try checkAreas()
        }

        var decodesRegion: Bool { part != nil }
        var outputSize: PixelSize { part?.size ?? header.size }

        /// A part of the image has limits of its own.
        private func checkAreas() throws(ImageError) {
            let most = environment.limits.maximumPixels
            guard part == nil, source.largestArea > most else { return }
            throw ImageError(
                .limitExceeded, stage: .decode,
                "A part of the HEIC file has \(source.largestArea) pixels; the limit is \(most). Raise maximumPixels to allow it."
            )
        }

        // MARK: - Image or sequence

        /// Decides like libavif: a file whose major brand is that of a sequence is shown as one, others as their primary image.
        private static func isSequence(_ boxes: ISOBoxes) -> Bool {
            guard gannet_heif_sequence_is_supported() == 1, let types = boxes.first("ftyp")?.content, types.count >= 4 else {
                return false
            }
            let major = String(decoding: boxes.bytes[types.lowerBound..<types.lowerBound + 4], as: UTF8.self)
            return ["msf1", "hevc", "hevx", "hevm", "hevs"].contains(major)
        }

        private static func source(
            _ bytes: [UInt8], _ environment: DecodeEnvironment
        ) throws(ImageError) -> any HEICSource {
            let (limits, threads) = (environment.limits, environment.threads)
            let whole = ISOBoxes.withLength(bytes) ?? bytes
            let boxes = ISOBoxes(bytes: whole)
            let hasItems = boxes.first("meta") != nil
            if isSequence(boxes) || !hasItems && gannet_heif_sequence_is_supported() == 1 {
                if let track = try HEICTrack(boxes, isComplete: true, limits: limits) {
                    return try HEICSequence(whole, track, limits: limits, threads: threads)
                }
                guard boxes.first("moov") != nil else {
                    throw ImageError(.truncated, stage: .decode, "The HEIC file ends before the tables of its sequence.")
                }
            }
            return try HEICHandle(whole, limits: limits, threads: threads)
        }

        /// The source of the bytes up to the end of the tables; the incomplete media data are hidden from the library.
        private static func earlySource(
            _ head: [UInt8], _ environment: DecodeEnvironment
        ) throws(ImageError) -> (any HEICSource)? {
            let (limits, threads) = (environment.limits, environment.threads)
            let boxes = ISOBoxes(bytes: head)
            let top = boxes.topLevel
            // A length of 0 means "to the end", which has not arrived.
            func end(of type: String) -> Int? {
                top.first { $0.type == type && boxes.number($0.start, 4) != 0 }?.content.upperBound
            }
            if isSequence(boxes) {
                guard let movieEnd = end(of: "moov") else { return nil }
                let part = ISOBoxes(bytes: Array(head[..<max(movieEnd, end(of: "meta") ?? 0)]))
                if let track = try HEICTrack(part, isComplete: false, limits: limits) {
                    return try HEICSequence(part.bytes, track, limits: limits, threads: threads)
                }
            }
            guard let end = end(of: "meta") else { return nil }
            return try HEICHandle(Array(head[..<end]), limits: limits, threads: threads)
        }

        func complete(_ bytes: ByteRope) throws(ImageError) {
            guard byteCount != bytes.count else { return }
            let all = bytes.contiguous()
            source = try Self.source(all, environment)
            byteCount = bytes.count
            let size = header.size
            header = try Self.header(of: source, environment.limits, all)
            try checkAreas()
            guard header.size == size else {
                throw HEICHandle.corrupt("The HEIC file has two sizes: \(size) and \(header.size).")
            }
            let limit = environment.limits.maximumMetadataBytes - header.colorSpace.iccProfile.count
            let block = source.exif(limit: limit)
            // Four bytes give the offset of the TIFF header after them.
            guard block.count > 4 else { return }
            let offset = block[0..<4].reduce(0) { $0 << 8 | Int($1) }
            if offset < block.count - 4 { exif = EXIF.strippingPrefix(Array(block[(4 + offset)...])) }
        }

        private static func header(
            of source: any HEICSource, _ limits: DecodeLimits, _ bytes: [UInt8]
        ) throws(ImageError) -> ImageHeader {
            guard let size = PixelSize(width: source.width, height: source.height) else {
                throw HEICHandle.corrupt("The HEIC file says it has \(source.width)×\(source.height) pixels.")
            }
            try limits.check(metadataBytes: source.iccByteCount)
            let profile = source.iccProfile
            let frames = source.track?.delays ?? []
            return ImageHeader(
                format: .heic, size: size, frameCount: max(frames.count, 1),
                animation: frames.count > 1 ? AnimationInfo(loopCount: source.track?.loopCount, delays: frames) : nil,
                hasAlpha: source.hasAlpha, bitDepth: source.depth > 0 ? source.depth : 8,
                colorSpace: ColorSpace(
                    model: ICCProfile.isGray(profile) ? .gray : .rgb, iccProfile: profile,
                    cicp: profile.isEmpty ? source.cicp : nil, brightest: LightLevel.ofHEIF(bytes)))
        }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            if part != nil { return try part?.decode(into: &buffer, watch) ?? false }
            if let track = source.track, reservation == nil {
                // One image more is being decoded.
                let samples = largestArea * (header.bitDepth > 8 ? 2 : 1) * (header.hasAlpha ? 4 : 3)
                reservation = try environment.reserve(samples * (track.keptPictures + 1) + 2 * track.largestSample)
            }
            let isDeep = header.bitDepth > 8
            if isDeep {
                try convertByLibrary(index, isDeep: true, into: &buffer, watch)
            } else if try !fill(index, &buffer, watch) {
                try convertByLibrary(index, isDeep: false, into: &buffer, watch)
            }
            try watch.check()
            if header.hasAlpha, source.isPremultiplied { buffer.setAlpha(.premultiplied) }
            return true
        }

        /// The area for which libheif allocates memory: that of the image, or of its largest part if that is larger.
        private var largestArea: Int { max(header.size.area, source.largestArea) }

        /// Converts the decoder's samples to pixels in one step. False if another method has to convert them.
        private func fill(_ index: Int, _ buffer: inout PixelBuffer, _ watch: DecodeWatch) throws(ImageError) -> Bool {
            // The planes of the decoder and of the library, counted with full-resolution chroma.
            let bytes = largestArea * (header.hasAlpha ? 9 : 7)
            let reservation = try environment.reserve(bytes)
            source.allow(bytes)
            defer { withExtendedLifetime(reservation) {} }
            guard let planes = try source.planes(of: index, watch) else { return false }
            let size = buffer.size
            try check(planes.width, planes.height)
            try watch.check()
            buffer.withUnsafeRows { base, stride in
                planes.write(to: base, stride: stride, width: size.width, height: size.height)
            }
            return true
        }

        /// libheif's encoder fills the frames of sequences up to 64 pixels, or to even sides, and no box says so.
        private func check(_ width: Int, _ height: Int) throws(ImageError) {
            let excess = source.track == nil ? 0 : 63
            let size = header.size
            guard (size.width...size.width + excess).contains(width), (size.height...size.height + excess).contains(height) else {
                throw HEICHandle.corrupt("The HEVC picture is \(width)×\(height), the HEIC file says \(size).")
            }
        }

        /// Converts deep samples, and those that are neither grey nor in a common matrix.
        private func convertByLibrary(
            _ index: Int, isDeep: Bool, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) {
            let layout = buffer.layout
            // The planes of the decoder and of the library, the interleaved copy, and the intermediate ones: measured by
            // scripts/memory.py.
            let bytes = largestArea * (isDeep ? 2 : 1) * (header.hasAlpha ? 13 : 12)
            let reservation = try environment.reserve(bytes)
            source.allow(bytes)
            defer { withExtendedLifetime(reservation) {} }
            var scale = DepthScale(bits: header.bitDepth)
            try source.withPixels(of: index, isDeep: isDeep, watch) { (rows, stride, width, height) throws(ImageError) in
                try check(width, height)
                try watch.check()
                buffer.withUnsafeRows { base, target in
                    let width = layout.size.width
                    for y in 0..<layout.size.height {
                        let row = UnsafeRawPointer(rows + y * stride)
                        let out = UnsafeMutableRawPointer(base + y * target)
                        if !isDeep {
                            out.copyMemory(from: row, byteCount: width * 4)
                        } else {
                            scale.convert(row, out, samples: width * 4, to: layout.format)
                        }
                    }
                }
            }
        }
    }

    /// Scales samples of 9 to 16 bits to 8 or 16, rounding to nearest.
    struct DepthScale {
        private let maximum: Int
        private var narrow: [UInt8] = []
        private var wide: [UInt16] = []

        init(bits: Int) { maximum = (1 << min(max(bits, 1), 16)) - 1 }

        mutating func convert(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, samples: Int, to format: PixelFormat)
        {
            let source = source.assumingMemoryBound(to: UInt16.self)
            switch format {
            case .rgba8:
                if narrow.isEmpty { narrow = (0...maximum).map { UInt8(($0 * 255 + maximum / 2) / maximum) } }
                let target = target.assumingMemoryBound(to: UInt8.self)
                for index in 0..<samples { target[index] = narrow[min(Int(source[index]), maximum)] }
            case .rgba16:
                if wide.isEmpty { wide = (0...maximum).map { UInt16(($0 * 65535 + maximum / 2) / maximum) } }
                let target = target.assumingMemoryBound(to: UInt16.self)
                for index in 0..<samples { target[index] = wide[min(Int(source[index]), maximum)] }
            }
        }
    }
#endif
