#if AVIF
    import GannetCore

    /// One AVIF file, or the tiles of it that a region touches: boxes are read from as few bytes as possible, pixels when all bytes are there.
    final class AVIFFile: WholeFileFormat {
        static let headerBytes = Int.max

        private let environment: DecodeEnvironment
        private let crops: Bool
        /// Of the library, for the whole.
        private let limits: DecodeLimits
        private var handle: AVIFHandle
        private var byteCount: Int?
        private var reservation: ResourceBudget.Reservation?
        private var part: HEIFPart<AVIFFile>?
        private(set) var header: ImageHeader
        private(set) var exif: [UInt8]?

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard head.count >= 16 else { return nil }
            let repaired = AVIFRepair.repaired(head)
            // An incomplete file would be repaired wrongly: a box that extends to the end would end too early.
            guard repaired == nil || isComplete else { return nil }
            guard
                let handle = try AVIFHandle(
                    repaired ?? head, isComplete: isComplete, crops: options.appliesOrientation,
                    limits: Self.limits(environment, options), threads: environment.threads)
            else { return nil }
            self.environment = environment
            limits = Self.limits(environment, options)
            crops = options.appliesOrientation
            self.handle = handle
            header = try Self.header(of: handle, environment.limits, repaired ?? head)
            // The library does not turn pixels.
            if isComplete { part = try HEIFPart(of: repaired ?? head, header, isTurned: false, options, environment) }
            try checkArea()
        }

        /// A part of the image has limits of its own.
        private static func limits(_ environment: DecodeEnvironment, _ options: ResolvedDecodeOptions) -> DecodeLimits {
            var limits = environment.limits
            if options.region != nil { limits.maximumPixels = max(limits.maximumPixels, 1 << 28) }
            return limits
        }

        private func checkArea() throws(ImageError) {
            let most = environment.limits.maximumPixels
            guard part == nil, handle.codedArea > most else { return }
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The AVIF file has \(handle.codedArea) pixels; the limit is \(most). Raise maximumPixels to allow it.")
        }

        var decodesRegion: Bool { part != nil }
        var outputSize: PixelSize { part?.size ?? header.size }

        func complete(_ bytes: ByteRope) throws(ImageError) {
            guard byteCount != bytes.count else { return }
            let whole = bytes.contiguous()
            let all = AVIFRepair.repaired(whole) ?? whole
            guard
                let handle = try AVIFHandle(
                    all, isComplete: true, crops: crops, limits: limits, threads: environment.threads)
            else {
                throw ImageError(.truncated, stage: .decode, "The AVIF file ends before its header does.")
            }
            byteCount = bytes.count
            self.handle = handle
            let size = header.size
            header = try Self.header(of: handle, environment.limits, all)
            guard header.size == size else {
                throw ImageError(.corrupt, stage: .decode, "The AVIF file has two sizes: \(size) and \(header.size).")
            }
            let block = handle.exif
            try environment.limits.check(metadataBytes: block.count + header.colorSpace.iccProfile.count)
            exif = block.isEmpty ? nil : EXIF.strippingPrefix(block)
        }

        private static func header(
            of handle: AVIFHandle, _ limits: DecodeLimits, _ bytes: [UInt8]
        ) throws(ImageError) -> ImageHeader {
            let shown = handle.shown
            guard let size = PixelSize(width: shown.width, height: shown.height) else {
                throw ImageError(.corrupt, stage: .decode, "The AVIF file says it has \(shown.width)×\(shown.height) pixels.")
            }
            let frames = handle.frameCount
            guard frames > 0 else { throw ImageError(.corrupt, stage: .decode, "The AVIF file has no image in it.") }
            try limits.check(frames: frames)
            let profile = handle.iccProfile
            try limits.check(metadataBytes: profile.count)
            return ImageHeader(
                format: .avif, size: size, frameCount: frames,
                animation: frames > 1
                    ? AnimationInfo(
                        loopCount: AVIFLoop.count(in: bytes),
                        delays: AVIFTiming.delays(in: bytes, frames: frames) ?? [Duration](repeating: .zero, count: frames))
                    : nil,
                hasAlpha: handle.hasAlpha, orientation: handle.orientation, bitDepth: handle.depth,
                colorSpace: ColorSpace(
                    model: ICCProfile.isGray(profile) ? .gray : .rgb, iccProfile: profile,
                    cicp: profile.isEmpty ? handle.cicp : nil, brightest: LightLevel.ofHEIF(bytes)))
        }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            if part != nil { return try part?.decode(into: &buffer, watch) ?? false }
            if reservation == nil {
                // The planes of the frame, and of its reference frame.
                let planes = handle.codedArea * (header.bitDepth > 8 ? 2 : 1) * (header.hasAlpha ? 4 : 3)
                reservation = try environment.reserve(planes * (header.frameCount == 1 ? 1 : 2))
            }
            try handle.decode(index, into: &buffer, environment, watch)
            if header.hasAlpha, handle.isPremultiplied { buffer.setAlpha(.premultiplied) }
            try watch.check()
            return true
        }
    }
#endif
