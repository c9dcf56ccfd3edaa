#if TIFF
    import CGannetShims
    import GannetCore

    /// The owner of one open TIFF file and its bytes; the only decoding file that uses libtiff's pointers.
    final class TIFFHandle {
        private let file: OpaquePointer
        private let bytes: [UInt8]
        private let stop: StopSign

        /// The directory of one page.
        struct Page {
            var size: PixelSize
            var bits: Int
            var orientation: Orientation
            var model: gannet_tiff_model
            var wasLab: Bool
            var hasAlpha: Bool
            /// Delivered as PQ.
            var isLight: Bool
            var isPremultiplied: Bool
            /// Parts can be read without the rest.
            var hasParts: Bool
            /// Memory for reading, in addition to the pixels.
            var workBytes: Int
            var profile: [UInt8]
        }

        /// `maximumAllocation` limits each allocation of the library. The bytes are not copied.
        init(_ bytes: [UInt8], maximumAllocation: Int, _ watch: DecodeWatch) throws(ImageError) {
            self.bytes = bytes
            stop = StopSign(watch)
            guard let made = gannet_tiff_new(maximumAllocation, StopSign.ask, stop.context) else {
                throw ImageError(.limitExceeded, stage: .decode, "The system has no memory left for a TIFF decoder.")
            }
            file = made
        }

        deinit { gannet_tiff_free(file) }

        /// Restarts the time limit.
        func renew(_ watch: DecodeWatch) { stop.renew(watch) }

        /// Lends the bytes to the library while `body` runs.
        private func lending(_ body: () -> gannet_tiff_result) -> gannet_tiff_result {
            bytes.withUnsafeBufferPointer { bytes in
                gannet_tiff_lend(file, bytes.baseAddress, bytes.count)
                defer { gannet_tiff_lend(file, nil, 0) }
                return body()
            }
        }

        /// Reads the directory at `offset`.
        func select(_ offset: UInt64, _ limits: DecodeLimits) throws(ImageError) -> Page {
            try stop.check()
            var page = gannet_tiff_page()
            guard lending({ gannet_tiff_select(file, offset, &page) }) == GANNET_TIFF_OK else { throw failure }
            guard let size = PixelSize(width: Int(page.width), height: Int(page.height)) else {
                throw Self.corrupt("its size of \(page.width)×\(page.height) cannot be")
            }
            try limits.check(metadataBytes: Int(page.profile_bytes))
            let profile = page.profile.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(page.profile_bytes))) } ?? []
            return Page(
                size: size, bits: Int(page.bits), orientation: Orientation(rawValue: Int(page.orientation)) ?? .up,
                model: page.model, wasLab: page.was_lab != 0, hasAlpha: page.has_alpha != 0, isLight: page.is_light != 0,
                isPremultiplied: page.is_premultiplied != 0, hasParts: page.has_parts != 0,
                workBytes: Int(clamping: page.work_bytes), profile: profile)
        }

        /// Fills the buffer with the last selected page, or a part of it, which lies inside. Returns the number of complete rows from the top; fewer than all only
        /// if `isTolerant`, otherwise damage throws.
        func read(
            _ part: PixelRect?, into buffer: inout PixelBuffer, isRaw: Bool, isTolerant: Bool
        ) throws(ImageError) -> Int {
            try stop.check()
            var rows: UInt32 = 0
            let isDeep = buffer.layout.format == .rgba16
            var area = gannet_tiff_area(
                x: UInt32(clamping: part?.x ?? 0), y: UInt32(clamping: part?.y ?? 0), width: UInt32(clamping: buffer.size.width),
                height: UInt32(clamping: buffer.size.height))
            let isPart = part != nil
            let result = buffer.withUnsafeRows { base, stride in
                lending {
                    // The area and the table outlive the call.
                    SceneLight.signals.withUnsafeBufferPointer { signals in
                        gannet_tiff_lend_signals(file, signals.baseAddress)
                        defer { gannet_tiff_lend_signals(file, nil) }
                        return withUnsafePointer(to: &area) {
                            gannet_tiff_read(file, base, stride, isPart ? $0 : nil, isDeep ? 1 : 0, isRaw ? 1 : 0, &rows)
                        }
                    }
                }
            }
            guard result == GANNET_TIFF_OK else {
                guard isTolerant, gannet_tiff_fault_of(file) == GANNET_TIFF_FAULT_CORRUPT else { throw failure }
                return Int(rows)
            }
            return buffer.size.height
        }

        /// The brightest light of the last read.
        var peak: Float { gannet_tiff_peak(file) }

        private var failure: ImageError {
            let words = String(cString: gannet_tiff_message(file))
            switch gannet_tiff_fault_of(file) {
            case GANNET_TIFF_FAULT_STOPPED: return stop.error ?? .cancelled(stage: .decode)
            case GANNET_TIFF_FAULT_UNSUPPORTED:
                return ImageError(
                    .unsupported, stage: .decode,
                    "This TIFF cannot be decoded: \(words). Save it as RGB, grey or CMYK of 8 or 16 bits.")
            case GANNET_TIFF_FAULT_MEMORY:
                return ImageError(
                    .limitExceeded, stage: .decode,
                    "This TIFF needs more memory than it may have: \(words). Raise maximumDecodedBytes."
                )
            default: return Self.corrupt(words)
            }
        }

        static func corrupt(_ what: String) -> ImageError {
            ImageError(.corrupt, stage: .decode, "The TIFF is damaged: \(what). Fetch or save it again.")
        }
    }
#endif
