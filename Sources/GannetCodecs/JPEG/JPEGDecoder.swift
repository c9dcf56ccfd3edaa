#if JPEG
    import GannetCore

    /// One session over one JPEG file.
    ///
    /// The header is read in Swift as bytes arrive; pixels are decoded on demand.
    final class JPEGDecoder: ImageDecoder {
        private(set) var header: ImageHeader?
        private(set) var isPartial = false
        var exif: [UInt8]? { scanner.exif }

        let options: ResolvedDecodeOptions
        let environment: DecodeEnvironment
        var limits: DecodeLimits { environment.limits }
        private var scanner: JPEGHeaderScanner
        private(set) var rope = ByteRope()
        private var failure: ImageError?
        /// Created by the first preview.
        private var incremental: JPEGIncremental?
        private var firstScanBytes = 0

        init(options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
            self.options = options
            self.environment = environment
            scanner = JPEGHeaderScanner(environment.limits)
        }

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            try sticking { () throws(ImageError) in
                try limits.check(encodedBytes: bytes.count)
                rope = bytes
                if header == nil {
                    guard try scanner.advance(bytes), let frame = scanner.frame else {
                        guard !bytes.isComplete else { throw JPEGHandle.truncated }
                        return .needsMoreData
                    }
                    header = makeHeader(frame)
                }
                return bytes.isComplete ? .finished : .needsMoreData
            }
        }

        private func makeHeader(_ frame: JPEGHeaderScanner.Frame) -> ImageHeader {
            let model: ColorSpace.Model =
                switch frame.components {
                case 1: .gray
                case 3: .rgb
                default: scanner.adobeTransform == 2 ? .ycck : .cmyk
                }
            return ImageHeader(
                format: .jpeg, size: frame.size,
                orientation: scanner.exif.flatMap { EXIF.orientation(in: $0) } ?? .up,
                isProgressive: frame.isProgressive, colorSpace: ColorSpace(model: model, iccProfile: scanner.iccProfile))
        }

        var outputLayout: PixelLayout? {
            header.map { PixelLayout(size: JPEGScaling(for: $0, options: options).output, alpha: .opaque) }
        }

        /// Four channels are converted here; others are delivered in the file's colours.
        var outputColorSpace: ColorSpace {
            guard let header else { return .sRGB }
            return header.colorSpace.isFourChannel ? .sRGB : header.colorSpace
        }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            let header = try check(buffer, index)
            guard rope.isComplete else {
                throw ImageError(.misuse, stage: .decode, "Hand the decoder the complete bytes before asking for the frame.")
            }
            if let failure { throw failure }
            do throws(ImageError) {
                // Previews must not change the result: the same bytes give the same image.
                if decodesRegion {
                    try decodeRegion(header, into: &buffer)
                    return
                }
                if try decodeShrunk(header, into: &buffer) { return }
                if let incremental {
                    try finish(incremental, into: &buffer)
                } else if options.allowsPartial {
                    isPartial = try decodePartly(header, into: &buffer)
                } else {
                    try decodeWhole(header, into: &buffer)
                }
            } catch {
                failure = error
                throw error
            }
        }

        /// The direct path: the library writes into the caller's buffer, and any damage is an error.
        private func decodeWhole(_ header: ImageHeader, into buffer: inout PixelBuffer) throws(ImageError) {
            let scaling = JPEGScaling(for: header, options: options)
            try readWhole(header, scaling) { handle throws(ImageError) in
                var sink = try JPEGRowSink(header, scaling, colors: colorConverter(header), pool: environment.pool)
                _ = try sink.drain(handle, into: &buffer)
            }
            buffer.setAlpha(.opaque)
        }

        /// Hands the library, ready for its first row, to `drain`: once more where the kernel that joins scans met data that the library
        /// must judge.
        func readWhole(
            _ header: ImageHeader, _ scaling: JPEGScaling, from entry: JPEGEntry? = nil,
            _ drain: (borrowing JPEGHandle) throws(ImageError) -> Void
        ) throws(ImageError) {
            if try !readWhole(header, scaling, entry, byKernel: true, drain) {
                _ = try readWhole(header, scaling, entry, byKernel: false, drain)
            }
        }

        /// Lets the library read the header, and then `body` the rest, which begins at the entry if there is one.
        func reading<R>(
            _ handle: borrowing JPEGHandle, _ header: ImageHeader, from entry: JPEGEntry?, _ body: () throws(ImageError) -> R
        ) throws(ImageError) -> R {
            func readHeader(_ size: PixelSize) throws(ImageError) {
                guard try handle.readHeader(), handle.size == size else {
                    throw JPEGHeaderScanner.corrupt("its header contradicts itself")
                }
            }
            guard let entry else {
                var input = JPEGInput(whole: rope)
                return try handle.reading(&input) { () throws(ImageError) in
                    try readHeader(header.size)
                    return try body()
                }
            }
            if let cut = entry.cut {
                var input = JPEGInput(whole: cut)
                return try handle.reading(&input) { () throws(ImageError) in
                    try readHeader(entry.decodedSize)
                    return try body()
                }
            }
            var start = JPEGInput(start: entry.header)
            try handle.reading(&start) { () throws(ImageError) in try readHeader(entry.decodedSize) }
            var rest = JPEGInput(whole: rope, from: entry.position)
            return try handle.reading(&rest, body)
        }

        private func readWhole(
            _ header: ImageHeader, _ scaling: JPEGScaling, _ entry: JPEGEntry?, byKernel: Bool,
            _ drain: (borrowing JPEGHandle) throws(ImageError) -> Void
        ) throws(ImageError) -> Bool {
            let handle = try JPEGHandle(limits, isStrict: true)
            var reservation: ResourceBudget.Reservation?
            defer { withExtendedLifetime(reservation) {} }
            do throws(ImageError) {
                try reading(handle, header, from: entry) { () throws(ImageError) in
                    if handle.hasManyScans {
                        _ = try handle.joinScans(eighths: scaling.eighths, byKernel: byKernel)
                        reservation = try Self.reserve(handle.coefficientBytes, of: handle.size, environment)
                    }
                    _ = try handle.start(eighths: scaling.eighths, byScan: false)
                    try drain(handle)
                    if handle.endedEarly, handle.isIncomplete { throw JPEGHandle.truncated }
                }
            } catch {
                guard byKernel, handle.gaveUp else { throw error }
                return false
            }
            return true
        }

        /// Decodes small images with the kernel. False: the file is unsuitable or damaged; only time is lost.
        private func decodeShrunk(_ header: ImageHeader, into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            let scaling = JPEGScaling(for: header, options: options)
            let isWhole = try readShrunk(header, [scaling]) { shrinker throws(ImageError) in
                var sink = try JPEGRowSink(header, scaling, colors: nil, pool: environment.pool)
                return try sink.drain(shrinker, into: &buffer)
            }
            if isWhole { buffer.setAlpha(.opaque) }
            return isWhole
        }

        /// Hands the kernel to `drain`, which says whether all rows came. `scalings`: as for ``JPEGShrinker``.
        func readShrunk(
            _ header: ImageHeader, _ scalings: [JPEGScaling], from entry: JPEGEntry? = nil,
            _ drain: (borrowing JPEGShrinker) throws(ImageError) -> Bool
        ) throws(ImageError) -> Bool {
            guard scalings.allSatisfy(\.isForShrinker) else { return false }
            let handle = try JPEGHandle(limits, isStrict: true)
            var (reservation, threads): (ResourceBudget.Reservation?, ResourceBudget.Reservation?)
            defer { withExtendedLifetime((reservation, threads)) {} }
            return try reading(handle, header, from: entry) { () throws(ImageError) in
                guard let shrinker = try JPEGShrinker(handle, scalings, DecodeWatch(limits)) else { return false }
                if handle.hasManyScans {
                    do throws(ImageError) {
                        reservation = try Self.reserve(shrinker.bytes, of: handle.size, environment)
                    } catch {
                        // Fewer sizes at once may still fit.
                        guard scalings.count > 1 else { throw error }
                        return false
                    }
                }
                if scalings[0].part == nil {
                    threads = shrinker.divide(among: environment.threads, of: limits, environment.budget)?.room
                }
                return try drain(shrinker)
            }
        }

        /// Decodes as far as the bytes go. True: some are missing or damaged.
        private func decodePartly(_ header: ImageHeader, into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            let session = try makeIncremental(header, isStrict: false)
            do throws(ImageError) {
                try session.advance(rope, holdsEnd: canPause)
                if !session.isWhole { try session.endHere() }
            } catch {
                // Show the rows before the damage.
                guard error.code == .corrupt || error.code == .truncated, session.hasRows else { throw error }
                try session.finish(into: &buffer)
                return true
            }
            try session.finish(into: &buffer)
            return session.isDamaged
        }

        /// The library's arithmetic decoder cannot wait for bytes inside a scan.
        private var canPause: Bool { !(scanner.frame?.isArithmetic ?? false) }

        private func makeIncremental(_ header: ImageHeader, isStrict: Bool) throws(ImageError) -> JPEGIncremental {
            try JPEGIncremental(
                header, JPEGScaling(for: header, options: options), environment, colors: colorConverter(header),
                isStrict: isStrict)
        }

        /// Reserves the memory of a session beyond the caller's buffer: coefficients of multi-scan files (up to 6 bytes a
        /// pixel), or a canvas. The limit is the largest decoded image, but at least 1 MiB.
        static func reserve(
            _ bytes: Int, of size: PixelSize, _ environment: DecodeEnvironment
        ) throws(ImageError) -> ResourceBudget.Reservation {
            let maximum = max(environment.limits.maximumDecodedBytes, 1 << 20)
            guard bytes <= maximum else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "This JPEG of \(size) needs \(bytes) bytes beside its pixels; the limit is \(maximum). Raise maximumDecodedBytes."
                )
            }
            guard let reservation = try environment.budget.reserve(bytes) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "All decodes together use their budget now, and this JPEG needs \(bytes) bytes more. Try again.")
            }
            return reservation
        }

        func colorConverter(_ header: ImageHeader) -> (any ColorConverter)? {
            guard header.colorSpace.isFourChannel, options.color == .sRGB, !header.colorSpace.iccProfile.isEmpty else {
                return nil
            }
            // A broken profile does not break the image: use the plain conversion.
            return try? environment.colorManager?.cmykConverter(iccProfile: header.colorSpace.iccProfile)
        }

        /// Finishes an image that had previews: decodes only the rest.
        private func finish(_ session: JPEGIncremental, into buffer: inout PixelBuffer) throws(ImageError) {
            session.begin()
            try session.advance(rope, holdsEnd: options.allowsPartial && canPause)
            if options.allowsPartial {
                if !session.isWhole { try session.endHere() }
                isPartial = session.isDamaged
            } else if session.lacksData {
                throw JPEGHandle.truncated
            }
            try session.finish(into: &buffer)
        }

        func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            if let failure { throw failure }
            guard header != nil, !decodesRegion, canPause || rope.isComplete else { return false }
            let header = try check(buffer, 0)
            do throws(ImageError) {
                if incremental == nil { incremental = try makeIncremental(header, isStrict: !options.allowsPartial) }
                guard let session = incremental else { return false }
                session.begin()
                try session.advance(rope, holdsEnd: options.allowsPartial && canPause)
                if try session.preview(into: &buffer) { return true }
                guard session.hasManyScans, session.completeScans == 0 else { return false }
                return try previewFirstScan(header, into: &buffer)
            } catch {
                failure = error
                throw error
            }
        }

        /// Previews an incomplete first scan, for which the library makes no image. Decodes its start again each time the bytes
        /// have doubled: at most two decodes in total.
        private func previewFirstScan(_ header: ImageHeader, into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            guard rope.count >= 2 * firstScanBytes, rope.count > 4096 else { return false }
            firstScanBytes = rope.count
            let session = try makeIncremental(header, isStrict: false)
            try session.advance(rope, holdsEnd: true)
            try session.endHere()
            try session.finish(into: &buffer)
            return true
        }

        private func check(_ buffer: borrowing PixelBuffer, _ index: Int) throws(ImageError) -> ImageHeader {
            if let failure { throw failure }
            guard let header, let layout = outputLayout else {
                throw ImageError(.misuse, stage: .decode, "Read until the header is there before asking for pixels.")
            }
            guard index == 0 else {
                throw ImageError(.misuse, stage: .decode, "A JPEG has one frame; there is no frame \(index).")
            }
            guard buffer.size == layout.size, buffer.layout.format == layout.format else {
                throw ImageError(.misuse, stage: .decode, "The buffer must have the layout that outputLayout says.")
            }
            return header
        }

        /// Makes errors stick: every later call throws the first one again.
        func sticking<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
            if let failure { throw failure }
            do throws(ImageError) { return try body() } catch {
                failure = error
                throw error
            }
        }
    }

    extension ColorSpace {
        var isFourChannel: Bool { model == .cmyk || model == .ycck }
    }
#endif
