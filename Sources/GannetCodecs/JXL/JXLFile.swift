#if JXL
    import CJXL
    import GannetCore

    /// Facts about a JPEG XL file, found without decoding pixels, as far as its bytes have arrived.
    struct JXLFile {
        private let handle: JXLHandle
        private let limits: DecodeLimits
        private(set) var info: JxlBasicInfo?
        private(set) var colorSpace: ColorSpace?
        /// Ticks of the frames whose headers have arrived.
        private(set) var durations: [Int] = []
        private(set) var blackChannel: Int?
        /// Each channel costs libjxl as much as a colour. The format's profiles allow 4, and 256 at the highest level.
        private static let maximumExtraChannels = 32
        private var sawLast = false
        /// All frames have arrived completely.
        private(set) var isComplete = false
        private(set) var exif: [UInt8]?

        init(limits: DecodeLimits) throws(ImageError) {
            handle = try JXLHandle([.info, .frame], threads: 1)
            self.limits = limits
        }

        mutating func read(_ bytes: [UInt8]) throws(ImageError) {
            try bytes.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                while !isComplete {
                    switch try handle.advance(bytes) {
                    case .info:
                        let info = try handle.info
                        guard info.num_extra_channels <= Self.maximumExtraChannels else {
                            throw ImageError(
                                .limitExceeded, stage: .decode,
                                "The JPEG XL file has \(info.num_extra_channels) channels beside its colours, of which at most \(Self.maximumExtraChannels) are read."
                            )
                        }
                        blackChannel = handle.blackChannel(info)
                        self.info = info
                    case .colors: colorSpace = try handle.colorSpace(limits: limits)
                    case .frame:
                        let frame = try handle.frame
                        durations.append(frame.duration)
                        sawLast = frame.isLast
                        try limits.check(frames: durations.count)
                    case .finished: isComplete = true
                    case .needsMoreData: return
                    case .needsBuffer, .image: break
                    }
                }
            }
        }

        /// Looks for a container's EXIF box; compressed ones are ignored.
        mutating func readEXIF(_ bytes: [UInt8]) throws(ImageError) {
            guard bytes.first == 0 else { return }
            let boxes = ISOBoxes(bytes: bytes)
            guard let box = boxes.topLevel.first(where: { $0.type == "Exif" }), box.content.count > 4 else { return }
            try limits.check(metadataBytes: box.content.count + (colorSpace?.iccProfile.count ?? 0))
            let offset = boxes.number(box.content.lowerBound, 4)
            guard offset < box.content.count - 4 else { return }
            exif = EXIF.strippingPrefix(Array(bytes[box.content.dropFirst(4 + offset)]))
        }

        /// Colours, alpha and all extra channels.
        var channelCount: Int { 3 + Int(info?.num_extra_channels ?? 0) }
        var isPremultiplied: Bool { info?.alpha_premultiplied ?? 0 != 0 }
        var isAnimated: Bool { info?.have_animation ?? 0 != 0 }

        /// Nil until size and colours are known. `isWhole`: no more frames will arrive.
        func header(isWhole: Bool) throws(ImageError) -> ImageHeader? {
            guard let info, let colorSpace else { return nil }
            guard let size = PixelSize(width: Int(info.xsize), height: Int(info.ysize)) else {
                throw ImageError(
                    .limitExceeded, stage: .decode, "The JPEG XL has \(info.xsize)×\(info.ysize) pixels; that is too much.")
            }
            let bits = Int(info.bits_per_sample)
            let rate = Double(info.animation.tps_numerator) / Double(max(1, info.animation.tps_denominator))
            let animates = isAnimated && !(isWhole && durations.count == 1)
            return ImageHeader(
                format: .jxl, size: size, frameCount: !isAnimated ? 1 : isWhole ? durations.count : nil,
                animation: animates
                    ? AnimationInfo(
                        loopCount: Int(info.animation.num_loops),
                        delays: durations.map { .nanoseconds(Int64(rate > 0 ? min(Double($0) / rate * 1e9, 1e15) : 0)) }) : nil,
                hasAlpha: info.alpha_bits > 0, orientation: Orientation(rawValue: Int(info.orientation.rawValue)) ?? .up,
                bitDepth: info.exponent_bits_per_sample > 0 ? max(16, bits) : bits, colorSpace: colorSpace)
        }
    }
#endif
