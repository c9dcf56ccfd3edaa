#if AVIF
    import GannetCore

    /// One AVIF file: boxes are read from as few bytes as possible, pixels when all bytes are there.
    final class AVIFFile: WholeFileFormat {
        static let headerBytes = Int.max

        private let environment: DecodeEnvironment
        private let crops: Bool
        private var handle: AVIFHandle
        private var byteCount: Int?
        private var reservation: ResourceBudget.Reservation?
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
                    repaired ?? head, isComplete: isComplete, crops: options.appliesOrientation, limits: environment.limits,
                    threads: environment.threads)
            else { return nil }
            self.environment = environment
            crops = options.appliesOrientation
            self.handle = handle
            header = try Self.header(of: handle, environment.limits, repaired ?? head)
        }

        func complete(_ bytes: ByteRope) throws(ImageError) {
            guard byteCount != bytes.count else { return }
            let whole = bytes.contiguous()
            let all = AVIFRepair.repaired(whole) ?? whole
            guard
                let handle = try AVIFHandle(
                    all, isComplete: true, crops: crops, limits: environment.limits, threads: environment.threads)
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
