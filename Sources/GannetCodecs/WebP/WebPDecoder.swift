#if WebP
    import GannetCore
    import GannetKernels

    /// One session over one WebP file. Stills are decoded straight into the caller's rows, and shrunk by the library if a much
    /// smaller size is requested; animations are drawn by the library's compositor.
    final class WebPDecoder: ImageDecoder {
        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private var file: WebPFile
        private var rope = ByteRope()
        private var failure: ImageError?
        private var preview: Preview?
        private var previewsEnded = false
        private var animation: WebPAnimationHandle?
        private var animationReservation: ResourceBudget.Reservation?
        private(set) var isPartial = false
        private(set) var header: ImageHeader?

        /// An image that is decoded while bytes arrive, in the library's own memory.
        private final class Preview {
            var handle: WebPStillHandle
            let reservation: ResourceBudget.Reservation
            var shownRows = 0

            init(handle: consuming WebPStillHandle, reservation: ResourceBudget.Reservation) {
                self.handle = handle
                self.reservation = reservation
            }
        }

        init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
            self.options = options
            self.environment = environment
            file = WebPFile(limits: environment.limits)
        }

        var exif: [UInt8]? { file.exif }

        var outputLayout: PixelLayout? {
            guard let header else { return nil }
            return PixelLayout(size: scaled ?? header.size, alpha: header.hasAlpha ? options.alpha : .opaque)
        }

        /// libwebp shrinks by plain averaging, without regard to alpha. So it is only used for opaque stills, and only down to
        /// twice the requested size; the caller's filter does the rest.
        private var scaled: PixelSize? {
            guard let header, header.animation == nil, !header.hasAlpha else { return nil }
            let wanted = options.scaledSize(for: header)
            guard wanted.width * 3 <= header.size.width, wanted.height * 3 <= header.size.height else { return nil }
            return PixelSize(clamping: wanted.width * 2, wanted.height * 2)
        }

        /// Smoothed borders of blocks cannot be told from others where sixteen pixels and more become one.
        private var isFiltered: Bool {
            guard let header else { return true }
            let wanted = options.scaledSize(for: header)
            return wanted.width * 4 > header.size.width || wanted.height * 4 > header.size.height
        }

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            if let failure { throw failure }
            do { return try readChunks(bytes) } catch {
                failure = error
                throw error
            }
        }

        private func readChunks(_ bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            rope = bytes
            var reader = RopeReader(bytes)
            try file.parse(&reader)
            if bytes.isComplete, !file.isComplete {
                if bytes.isEmpty { throw ImageError(.empty, stage: .decode, "There are no bytes.") }
                guard options.allowsPartial, file.width > 0, file.hasImageData || !file.frames.isEmpty else {
                    throw ImageError(
                        .truncated, stage: .decode, "The WebP file ends early; load it again, or allow partial images.")
                }
                isPartial = true
            }
            updateHeader()
            guard header != nil else { return .needsMoreData }
            if file.isComplete || isPartial { return .finished }
            return file.isAnimated && !file.frames.isEmpty ? .frameAvailable : .needsMoreData
        }

        private func updateHeader() {
            guard file.hasHeader || isPartial, let size = PixelSize(width: file.width, height: file.height) else { return }
            let isWhole = file.isComplete || isPartial
            header = ImageHeader(
                format: .webp, size: size, frameCount: !file.isAnimated ? 1 : isWhole ? file.frames.count : nil,
                animation: file.isAnimated
                    ? AnimationInfo(loopCount: file.loopCount, delays: file.frames.map { .milliseconds($0.duration) }) : nil,
                hasAlpha: file.hasAlpha, orientation: file.exif.flatMap { EXIF.orientation(in: $0) } ?? .up,
                colorSpace: ColorSpace(model: .rgb, iccProfile: file.iccProfile))
        }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            if let failure { throw failure }
            do {
                try check(buffer)
                if file.isAnimated {
                    try drawAnimation(index, into: &buffer)
                } else {
                    try drawStill(index, into: &buffer)
                }
            } catch {
                failure = error
                throw error
            }
            // The header's alpha flag decides for a still (``deniesAlpha``). In an animation, pixels that no frame covers are clear
            // whatever it says, and so are missing rows.
            buffer.setAlpha(modeWithAlpha)
            if !file.hasAlpha, !(file.isAnimated || isPartial) || isOpaque(&buffer) { buffer.setAlpha(.opaque) }
            buffer.deliver(options.alpha)
        }

        /// The alpha mode to request from the library.
        private var modeWithAlpha: AlphaMode { options.alpha == .premultiplied ? .premultiplied : .straight }

        private var mode: AlphaMode { file.hasAlpha ? modeWithAlpha : .opaque }

        private func check(_ buffer: borrowing PixelBuffer) throws(ImageError) {
            guard let layout = outputLayout, buffer.layout.size == layout.size, buffer.layout.format == .rgba8 else {
                throw ImageError(.misuse, stage: .decode, "The buffer does not have the decoder's outputLayout.")
            }
        }

        // MARK: - Stills

        private func drawStill(_ index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            guard index == 0, file.isComplete || isPartial else {
                throw ImageError(
                    .misuse, stage: .decode, "There is no frame \(index) yet; the WebP file has one, when all bytes are there.")
            }
            let watch = DecodeWatch(environment.limits)
            try watch.check()
            let reservation = try environment.reserve(workBytes)
            defer { withExtendedLifetime(reservation) {} }
            let rows = try drawStill(shrinkingTo: scaled, watch, into: &buffer)
            guard deniesAlpha else { return }
            // With an opaque layout, `isOpaque` would not examine the pixels.
            buffer.setAlpha(modeWithAlpha)
            if scaled != nil, !isOpaque(&buffer) { return try shrinkOpaque(watch, into: &buffer) }
            buffer.makeOpaque(rows: rows)
        }

        /// A lossless image whose header says that it has no alpha. Alpha in its pixels is ignored, because other decoders draw
        /// it opaque.
        private var deniesAlpha: Bool { file.isLossless && !file.hasAlpha && !file.isAnimated }

        /// libwebp weights by alpha when it shrinks, and would lose colours with zero alpha. So this shrinks the opaque image.
        private func shrinkOpaque(_ watch: DecodeWatch, into buffer: inout PixelBuffer) throws(ImageError) {
            let layout = PixelLayout(size: PixelSize(clamping: file.width, file.height))
            let reservation = try environment.reserve(layout.byteCount)
            defer { withExtendedLifetime(reservation) {} }
            var whole = try PixelBuffer(layout, pool: environment.pool)
            let rows = try drawStill(shrinkingTo: nil, watch, into: &whole)
            whole.makeOpaque(rows: rows)
            whole.setAlpha(isPartial ? .premultiplied : .opaque)
            let small = try resample(whole.freeze(), to: buffer.layout.size, pool: environment.pool)
            let width = buffer.layout.size.width * 4
            let height = buffer.layout.size.height
            buffer.withUnsafeRows { target, stride in
                small.withUnsafeRows { source, sourceStride in
                    for y in 0..<height {
                        UnsafeMutableRawPointer(target + y * stride).copyMemory(from: source + y * sourceStride, byteCount: width)
                    }
                }
            }
        }

        /// Returns the number of rows that have arrived; the others are transparent.
        private func drawStill(
            shrinkingTo scaled: PixelSize?, _ watch: DecodeWatch, into buffer: inout PixelBuffer
        ) throws(ImageError) -> Int {
            let layout = buffer.layout
            let bytes = rope.contiguous()
            // Large files are passed in pieces, so that a cancelled task need not wait for the end.
            let step = max(1 << 18, bytes.count / 32)
            if isPartial { buffer.fill(0) }
            return try buffer.withUnsafeRows { (base, _) throws(ImageError) in
                var handle = try WebPStillHandle(
                    premultiplied: mode == .premultiplied, scaled: scaled, isFiltered: isFiltered, threads: environment.threads,
                    target: (base, layout))
                return try bytes.withUnsafeBufferPointer { (all) throws(ImageError) -> Int in
                    var end = 0
                    var isWhole = false
                    while !isWhole, end < all.count {
                        end = min(end + step, all.count)
                        try watch.check()
                        isWhole = try handle.update(UnsafeBufferPointer(rebasing: all[0..<end]))
                    }
                    guard isWhole || isPartial else { throw WebPFile.corrupt("The pixel data of the WebP file ends early.") }
                    if isWhole { return layout.size.height }
                    // Incomplete rows hold nothing that can be shown.
                    let rows = handle.rows?.count ?? 0
                    let rest = (layout.size.height - rows) * layout.bytesPerRow
                    UnsafeMutableRawPointer(base + rows * layout.bytesPerRow).initializeMemory(
                        as: UInt8.self, repeating: 0, count: rest)
                    return rows
                }
            }
        }

        /// Memory that libwebp holds besides the rows: all pixels of a lossless image, some rows and the alpha plane of a lossy
        /// one.
        private var workBytes: Int {
            file.isLossless ? file.width * file.height * 4 : file.width * 128 + (file.hasAlpha ? file.width * file.height : 0)
        }

        // MARK: - Animations

        private func drawAnimation(_ index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            guard file.frames.indices.contains(index) else {
                throw ImageError(
                    .misuse, stage: .decode,
                    "There is no frame \(index) yet; \(file.frames.count) frames of the WebP file are there.")
            }
            let watch = DecodeWatch(environment.limits)
            try watch.check()
            let handle = try animationHandle(showing: index)
            let rows = try handle.frame(index, watch: watch)
            let width = file.width * 4
            let height = file.height
            buffer.withUnsafeRows { base, stride in
                for y in 0..<height {
                    UnsafeMutableRawPointer(base + y * stride).copyMemory(from: rows + y * width, byteCount: width)
                }
            }
        }

        /// The library accepts no frames beyond those it started with, and always starts with the first one. So while frames
        /// arrive, they are announced in growing portions, each half as large as all before. This costs at most three times the
        /// work of the whole file.
        var availableFrameCount: Int {
            guard file.isAnimated else { return file.isComplete || isPartial ? 1 : 0 }
            let arrived = file.frames.count
            guard !file.isComplete, !isPartial else { return arrived }
            var told = min(arrived, 1)
            while told > 0, told + max(1, told / 2) <= arrived { told += max(1, told / 2) }
            return told
        }

        private func animationHandle(showing index: Int) throws(ImageError) -> WebPAnimationHandle {
            if let animation, index < animation.frameCount { return animation }
            animation = nil
            if animationReservation == nil {
                // Two canvases, and the pixels of a lossless frame.
                animationReservation = try environment.reserve(file.width * file.height * 12)
            }
            let made: WebPAnimationHandle
            if file.isComplete {
                made = try WebPAnimationHandle(
                    rope.contiguous(), premultiplied: modeWithAlpha == .premultiplied, threads: environment.threads)
            } else {
                // The library only accepts complete files: the length field is adjusted to the bytes so far.
                var prefix = rope.prefix(file.frames[file.frames.count - 1].end)
                let length = UInt32(prefix.count - 8)
                for byte in 0..<4 { prefix[4 + byte] = UInt8(truncatingIfNeeded: length >> (UInt32(byte) * 8)) }
                made = try WebPAnimationHandle(
                    prefix, premultiplied: modeWithAlpha == .premultiplied, threads: environment.threads)
            }
            guard made.frameCount == file.frames.count else {
                throw WebPFile.corrupt("libwebp finds \(made.frameCount) frames in the WebP animation, not \(file.frames.count).")
            }
            animation = made
            return made
        }

        // MARK: - Previews

        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            if let failure { throw failure }
            guard header != nil, !previewsEnded else { return false }
            do {
                try check(buffer)
                if file.isAnimated { return try previewAnimation(into: &buffer) }
                let preview = try currentPreview()
                let bytes = rope.contiguous()
                do throws(ImageError) {
                    _ = try bytes.withUnsafeBufferPointer { (all) throws(ImageError) in try preview.handle.update(all) }
                } catch {
                    // Damaged data ends the previews; the final decode reports what is wrong, or may accept it.
                    previewsEnded = true
                    self.preview = nil
                    return false
                }
                guard let rows = preview.handle.rows, rows.count > preview.shownRows else { return false }
                preview.shownRows = rows.count
                buffer.fill(0)
                let width = buffer.layout.size.width * 4
                buffer.withUnsafeRows { base, stride in
                    for y in 0..<rows.count {
                        UnsafeMutableRawPointer(base + y * stride).copyMemory(
                            from: rows.base + y * rows.bytesPerRow, byteCount: width)
                    }
                }
                if deniesAlpha { buffer.makeOpaque(rows: rows.count) }
                buffer.setAlpha(
                    rows.count == buffer.layout.size.height ? mode : modeWithAlpha)
                buffer.deliver(options.alpha)
                return true
            } catch {
                failure = error
                throw error
            }
        }

        /// Decodes the first frame, once. Its memory is then released, because frames are played by a separate session.
        private func previewAnimation(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            guard !file.frames.isEmpty else { return false }
            previewsEnded = true
            defer { (animation, animationReservation) = (nil, nil) }
            do throws(ImageError) { try decodeFrame(at: 0, into: &buffer) } catch {
                // Damage costs the preview; the final decode reports what is wrong.
                guard error.code == .corrupt else { throw error }
                failure = nil
                return false
            }
            return true
        }

        private func currentPreview() throws(ImageError) -> Preview {
            if let preview { return preview }
            let layout = outputLayout ?? PixelLayout(size: PixelSize(clamping: file.width, file.height))
            let reservation = try environment.reserve(layout.byteCount + workBytes)
            let handle = try WebPStillHandle(
                premultiplied: mode == .premultiplied, scaled: scaled, isFiltered: isFiltered, threads: environment.threads,
                target: nil)
            let made = Preview(handle: handle, reservation: reservation)
            preview = made
            return made
        }
    }

    extension PixelBuffer {
        /// Sets alpha to its maximum in the first `rows` rows. 8 bits for each channel.
        fileprivate mutating func makeOpaque(rows: Int) {
            for y in 0..<rows {
                var pixels = mutablePixels(y)
                for x in pixels.indices { pixels[x] |= UInt32(littleEndian: 0xFF00_0000) }
            }
        }
    }
#endif
