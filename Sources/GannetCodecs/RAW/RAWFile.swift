#if RAW
    import CGannetShims
    import GannetCore

    /// One raw file.
    struct RAWFile: WholeFileFormat {
        static let headerBytes = Int.max
        static let needsAllBytes = true

        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private let facts: gannet_raw_facts
        /// Four of the sensor's pixels become one, which takes a fraction of the time and of the memory.
        private let isHalf: Bool
        let header: ImageHeader
        let outputSize: PixelSize
        let exif: [UInt8]?
        let leastBytes: Int

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard isComplete else { return nil }
            self.options = options
            self.environment = environment
            facts = try RAWImage.facts(head, DecodeWatch(environment.limits))
            guard let size = PixelSize(width: Int(facts.width), height: Int(facts.height)),
                let half = PixelSize(width: Int(facts.half_width), height: Int(facts.half_height))
            else { throw RAWImage.corrupt("its size cannot be") }
            let orientation = Orientation(rawValue: Int(facts.orientation)) ?? .up
            header = ImageHeader(format: .raw, size: size, orientation: orientation, bitDepth: Int(facts.bits), colorSpace: .sRGB)
            let wanted = options.scaledSize(for: header)
            isHalf = half != size && half.width >= wanted.width && half.height >= wanted.height
            outputSize = isHalf ? half : size
            let structure = RAWStructure(head)
            exif = structure.exif(orientation, limit: environment.limits.maximumMetadataBytes)
            // LibRaw shows many a short file as if it were whole.
            leastBytes = structure.missesPixels ? head.count + 1 : 0
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            let needed = Int(clamping: isHalf ? facts.half_work_bytes : facts.work_bytes)
            // The sensor's samples, and all pixels with four channels of 16 bits: more than the finished image by nature.
            let (most, isOver) = max(environment.limits.maximumDecodedBytes, 8 << 20).multipliedReportingOverflow(by: 2)
            guard isOver || needed <= most else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "This raw file of \(header.size) needs \(needed) bytes beside its pixels, and may have twice maximumDecodedBytes. Raise it, or ask for a target of half the size."
                )
            }
            let reservation = try environment.reserve(needed)
            defer { withExtendedLifetime(reservation) {} }
            let image = try RAWImage(
                bytes, isHalf: isHalf, maximumBytes: needed, isTolerant: options.allowsPartial, watch)
            try watch.check()
            guard image.write(isDeep: buffer.layout.format == .rgba16, into: &buffer) else {
                throw RAWImage.corrupt("its pixels have another size than its header says")
            }
            return !image.isDamaged
        }
    }
#endif
