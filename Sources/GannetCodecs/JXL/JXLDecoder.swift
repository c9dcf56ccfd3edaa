#if JXL
    import GannetCore
    import GannetKernels

    /// One session over one JPEG XL file. One library decoder finds the header and the frames, another one decodes pixels
    /// straight into the caller's rows, a third one makes previews while bytes arrive.
    final class JXLDecoder: ImageDecoder {
        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private var file: JXLFile?
        private var rope = ByteRope()
        /// The length of the rope that was read last; its boxes may have had longer length fields.
        private var readCount = 0
        private var failure: ImageError?
        private var pixels: JXLHandle?
        /// The frame that `pixels` decodes next.
        private var next = 0
        private var reservation: ResourceBudget.Reservation?
        private var preview: JXLPreview?
        /// Known with the last byte; nil: the image is decoded at its own size.
        private var small: JXLSmallImage?
        /// All frame headers were read, so the memory that libjxl needs is known.
        private var isKnown = false
        private var keptPixels = 0
        /// Number of frames that the worker process has decoded without harm.
        private var checkedFrames = 0
        private(set) var isPartial = false
        private(set) var header: ImageHeader?

        init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
            self.options = options
            self.environment = environment
        }

        var exif: [UInt8]? { file?.exif }

        /// Inks are converted to sRGB here, because no later stage gets the black channel.
        var outputColorSpace: ColorSpace { file?.blackChannel == nil ? header?.colorSpace ?? .sRGB : .sRGB }

        private var isDeep: Bool { header.map { options.decodesDeep($0) } ?? false && file?.blackChannel == nil }

        var outputLayout: PixelLayout? {
            if let small { return PixelLayout(size: small.output, alpha: .opaque) }
            return wholeLayout
        }

        private var wholeLayout: PixelLayout? {
            header.map {
                PixelLayout(size: $0.size, format: isDeep ? .rgba16 : .rgba8, alpha: $0.hasAlpha ? options.alpha : .opaque)
            }
        }

        // MARK: - Bytes

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            try sticking { () throws(ImageError) in
                if rope.isComplete, bytes.isComplete, readCount == bytes.count { return .finished }
                readCount = bytes.count
                rope = bytes.compacted()
                if let plain = JXLBoxes.plain(rope.contiguous()) { rope = ByteRope(plain, isComplete: bytes.isComplete) }
                return try readAll()
            }
        }

        private func readAll() throws(ImageError) -> DecodeStatus {
            var file: JXLFile
            if let known = self.file { file = known } else { file = try JXLFile(limits: environment.limits) }
            let bytes = rope.contiguous()
            try file.read(bytes)
            var frames: JXLFrames?
            if rope.isComplete {
                frames = try JXLFrames.check(bytes, environment.limits)
                isKnown = frames?.isKnown ?? false
                keptPixels = frames?.keptPixels ?? 0
                if !file.isComplete {
                    guard options.allowsPartial, !file.durations.isEmpty else {
                        throw ImageError(
                            rope.isEmpty ? .empty : .truncated, stage: .decode,
                            "The JPEG XL file ends before its image does. Load it again, or set allowsPartial to show what is there."
                        )
                    }
                    isPartial = true
                }
                try file.readEXIF(bytes)
            }
            self.file = file
            header = try file.header(isWhole: file.isComplete || isPartial)
            if file.isComplete, rope.isComplete, let header {
                small = JXLSmallImage(file, header, frames, options)
            }
            if file.isComplete || isPartial { return .finished }
            return .needsMoreData
        }

        // MARK: - Frames

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            if let failure { throw failure }
            guard let file, let header, file.isComplete || isPartial, (0..<(header.frameCount ?? 0)).contains(index) else {
                throw ImageError(.misuse, stage: .decode, "There is no frame \(index), or not all bytes of the JPEG XL came yet.")
            }
            try check(buffer)
            do throws(ImageError) {
                let watch = DecodeWatch(environment.limits)
                try watch.check()
                if let small {
                    try draw(small, of: file, header, into: &buffer, watch)
                } else {
                    try drawWhole(index, of: file, header, into: &buffer, watch)
                }
            } catch {
                failure = error
                pixels = nil
                throw error
            }
        }

        private func drawWhole(
            _ index: Int, of file: JXLFile, _ header: ImageHeader, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) {
            if reservation == nil {
                reservation = try environment.reserve(
                    (isKnown ? 1 : 2) * Self.workBytes(header, file) + keptPixels * 4 * max(file.channelCount, 4))
            }
            if !isKnown, index >= checkedFrames {
                // Each check starts at the first frame, so it covers twice as many frames: at most twice the work in total.
                let frames = 2 * index + 1
                let memory = 6 * Self.workBytes(header, file) + Self.checkedBytes
                try JXLWorker.check(rope.contiguous(), frames: frames, memory: memory, watch)
                checkedFrames = frames
            }
            let isWhole = try draw(index, of: file, into: &buffer, watch)
            finish(&buffer, isWhole: isWhole)
        }

        /// What ``JXLSmallImage`` does not read is decoded whole, and scaled as every image is.
        private func draw(
            _ small: JXLSmallImage, of file: JXLFile, _ header: ImageHeader, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) {
            // A container's codestream is copied.
            let reservation = try environment.reserve(small.workBytes + rope.count)
            defer { withExtendedLifetime(reservation) {} }
            if try small.draw(JXLBoxes.codestream(rope.contiguous()), into: &buffer, environment, watch) { return }
            guard let layout = wholeLayout else { return }
            try environment.limits.check(size: layout.size, allocating: layout)
            let whole = try environment.reserve(layout.byteCount)
            defer { withExtendedLifetime(whole) {} }
            var pixels = try PixelBuffer(layout, pool: environment.pool)
            try drawWhole(0, of: file, header, into: &pixels, watch)
            var resampler = try RowResampler(from: layout.size, to: small.output, pool: environment.pool)
            for y in 0..<layout.size.height {
                if y & 63 == 0 { try watch.check() }
                resampler.push(pixels.row(y), into: &buffer)
            }
            buffer.setAlpha(.opaque)
        }

        /// Memory that libjxl may use for tables and groups in addition, however small the image is.
        private static let checkedBytes = 64 << 20

        /// False: the bytes ended early.
        private func draw(
            _ index: Int, of file: JXLFile, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let handle: JXLHandle
            if let pixels, index >= next {
                handle = pixels
            } else {
                handle = try JXLHandle(.image, threads: environment.threads, isDeep: isDeep)
                next = 0
            }
            pixels = handle
            handle.skipFrames(index - next)
            next = index + 1
            let bytes = rope.contiguous()
            let byteCount = buffer.layout.byteCount
            let size = buffer.size
            if isPartial { buffer.fill(0) }
            var inks: JXLInks?
            if let channel = file.blackChannel {
                inks = try JXLInks(channel, size, profile: file.colorSpace?.iccProfile ?? [], environment)
            }
            // All bytes at once: libjxl 0.7 considers some files damaged when they arrive in two pieces.
            let isWhole = try buffer.withUnsafeRows { (base, _) throws(ImageError) in
                try bytes.withUnsafeBufferPointer { (all) throws(ImageError) in
                    while true {
                        switch try handle.advance(all) {
                        case .needsBuffer:
                            try handle.setTarget(base, byteCount: byteCount)
                            try inks?.setTarget(handle)
                        case .image: return true
                        case .finished: throw JXLHandle.corrupt("Frame \(index) is missing.")
                        case .info, .colors, .frame: break
                        case .needsMoreData:
                            try watch.check()
                            guard self.isPartial, handle.flush() else {
                                throw ImageError(
                                    .truncated, stage: .decode,
                                    "The JPEG XL file ends before its image does. Load it again, or set allowsPartial to show what is there."
                                )
                            }
                            return false
                        }
                    }
                }
            }
            if !isWhole { pixels = nil }
            try inks?.apply(&buffer)
            try watch.check()
            return isWhole
        }

        /// Marks the pixels as the library delivered them, and converts them as requested.
        private func finish(_ buffer: inout PixelBuffer, isWhole: Bool) {
            if header?.hasAlpha ?? false {
                buffer.setAlpha(file?.isPremultiplied ?? false ? .premultiplied : .straight)
            } else {
                // Missing groups are transparent.
                buffer.setAlpha(isWhole ? .opaque : .premultiplied)
            }
            buffer.deliver(options.alpha)
        }

        /// Memory that libjxl holds besides the rows: coefficients or four-byte channels, and a reference frame for animations.
        static func workBytes(_ header: ImageHeader, _ file: JXLFile) -> Int {
            header.size.area * 4 * max(file.channelCount, header.hasAlpha ? 4 : 3) * (header.animation == nil ? 1 : 2)
        }

        private func check(_ buffer: borrowing PixelBuffer) throws(ImageError) {
            guard let layout = outputLayout, buffer.layout.size == layout.size, buffer.layout.format == layout.format else {
                throw ImageError(.misuse, stage: .decode, "The buffer does not have the decoder's outputLayout.")
            }
        }

        private func sticking<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
            if let failure { throw failure }
            do throws(ImageError) { return try body() } catch {
                failure = error
                throw error
            }
        }

        // MARK: - Previews

        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            if let failure { throw failure }
            guard let file, let header, let layout = outputLayout, !file.isAnimated, file.blackChannel == nil, small == nil else {
                return false
            }
            try check(buffer)
            // With a permuted table of contents, the data after a frame cannot be found before all bytes are there.
            let hasOwnOrder = try sticking { () throws(ImageError) in
                try JXLFrames.check(rope.contiguous(), environment.limits)?.hasOwnOrder ?? false
            }
            if hasOwnOrder { return false }
            if preview == nil { preview = try JXLPreview(layout, header, file, isDeep: isDeep, environment) }
            // Damaged data ends the previews; the final decode reports what is wrong.
            guard try preview?.show(rope.contiguous(), DecodeWatch(environment.limits), into: &buffer) ?? false else {
                return false
            }
            finish(&buffer, isWhole: false)
            return true
        }
    }
#endif
