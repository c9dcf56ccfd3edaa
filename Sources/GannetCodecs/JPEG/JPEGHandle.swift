#if JPEG
    import CGannetShims
    import GannetCore

    /// The owner of one libjpeg-turbo decompressor; the only decoding file that uses its pointers.
    struct JPEGHandle: ~Copyable {
        private let decoder: OpaquePointer
        private let stop: StopSign

        /// `isStrict`: the first damage is an error. Throws `limitExceeded` if there is no memory.
        init(_ limits: DecodeLimits, isStrict: Bool) throws(ImageError) {
            // Called for each row or two; reading the clock costs more than a short row.
            stop = StopSign(DecodeWatch(limits), every: 16)
            let made = gannet_jpeg_decoder_new(
                Int32(clamping: limits.maximumScans), isStrict ? 1 : 0, StopSign.ask, stop.context)
            guard let made else {
                throw ImageError(.limitExceeded, stage: .decode, "The system has no memory left for a JPEG decoder.")
            }
            decoder = made
        }

        deinit { gannet_jpeg_decoder_free(decoder) }

        /// Restarts the time limit; waiting for bytes does not count as decoding.
        func renew(_ watch: DecodeWatch) { stop.renew(watch) }

        /// Gives the library the unread bytes of `input` while `body` runs, without a copy. Also throws `cancelled` and
        /// `limitExceeded` (time).
        func reading<R>(_ input: inout JPEGInput, _ body: () throws(ImageError) -> R) throws(ImageError) -> R {
            try stop.check()
            let position = input.position
            let isLast = input.isLast
            let decoder = decoder
            defer { input.position = input.bytes.count - gannet_jpeg_decoder_unread(decoder) }
            return try input.bytes.withUnsafeBufferPointer { (bytes) throws(ImageError) -> R in
                gannet_jpeg_decoder_feed(decoder, bytes.baseAddress.map { $0 + position }, bytes.count - position, isLast ? 1 : 0)
                return try body()
            }
        }

        // Each returns false if it needs more bytes.

        /// Treats the bytes read so far as the whole file.
        func endHere(_ input: inout JPEGInput) {
            gannet_jpeg_decoder_end_here(decoder)
            input.dropRest()
        }

        func readHeader() throws(ImageError) -> Bool { try check(gannet_jpeg_decoder_read_header(decoder)) }

        /// Decodes the scans of a whole file side by side, without memory for coefficients. Skips what a decode at `eighths`/8
        /// of the size does not need. False: impossible or useless for this file. `byKernel`: faster, but unusable for damaged
        /// files; see ``gaveUp``.
        func joinScans(eighths: Int, byKernel: Bool) throws(ImageError) -> Bool {
            try check(gannet_jpeg_decoder_join_scans(decoder, Int32(eighths), byKernel ? 1 : 0))
        }

        /// True after an error if the kernel met damage. The library alone can handle such a file.
        var gaveUp: Bool { gannet_jpeg_decoder_gave_up(decoder) != 0 }

        /// A new kernel for small images, owned by the caller: ``JPEGShrinker``. `eighths`: of each size, the largest first. Nil:
        /// unsuitable file. Throws `limitExceeded` for too many scans.
        func shrinker(eighths: [Int]) throws(ImageError) -> OpaquePointer? {
            var made: OpaquePointer?
            return try check(gannet_jpeg_decoder_shrink(decoder, Self.list(eighths), &made)) ? made : nil
        }

        /// A kernel for small images as well, which gets its coefficients from the decode of the whole image that starts next: after
        /// scans were joined by the kernel. Owned by the caller, who destroys it before this. Nil: unsuitable file.
        func shrinkerBeside(eighths: [Int]) -> OpaquePointer? {
            gannet_jpeg_decoder_shrink_beside(decoder, Self.list(eighths))
        }

        /// As the kernel wants them: those that are missing are 0.
        private static func list(_ eighths: [Int]) -> [Int32] {
            var list = [Int32](repeating: 0, count: Int(GANNET_JPEG_MOST_SCALES))
            for (index, size) in eighths.enumerated() { list[index] = Int32(size) }
            return list
        }

        /// Starts decoding at `eighths`/8 of the size, 1 … 8.
        func start(eighths: Int, byScan: Bool) throws(ImageError) -> Bool {
            try check(gannet_jpeg_decoder_start(decoder, Int32(eighths), byScan ? 1 : 0))
        }

        /// Reads at most `count` rows into `buffer` from row `y` on, and adds their number to `done`.
        func readRows(into buffer: inout PixelBuffer, at y: Int, count: Int, done: inout Int) throws(ImageError) -> Bool {
            var came: Int32 = 0
            let room = min(count, buffer.size.height - y)
            precondition(y >= 0 && room > 0 && outputSize.width == buffer.size.width && buffer.layout.format == .rgba8)
            let result = buffer.withUnsafeRows { base, stride in
                gannet_jpeg_decoder_read_rows(decoder, base + y * stride, stride, Int32(room), &came)
            }
            done += Int(came)
            return try check(result)
        }

        /// Delivers of each row only pixels from `columns` on, and as many more at both sides as the library needs to make them as it does
        /// in the whole image. Returns those that it delivers.
        func crop(to columns: Range<Int>) throws(ImageError) -> Range<Int> {
            // A row of blocks is smoothed with the samples of its neighbours.
            let margin = blockRows
            var left = Int32(max(0, columns.lowerBound - margin))
            var width = Int32(min(outputSize.width, columns.upperBound + margin)) - left
            _ = try check(gannet_jpeg_decoder_crop(decoder, &left, &width))
            return Int(left)..<Int(left) + Int(width)
        }

        /// Passes over rows, whose pixels are not made.
        func skip(rows: Int) throws(ImageError) -> Bool {
            try check(gannet_jpeg_decoder_skip_rows(decoder, Int32(clamping: rows)))
        }

        /// True: the end of the image was reached.
        func absorb() throws(ImageError) -> Bool { try check(gannet_jpeg_decoder_absorb(decoder)) }
        func startOutput(scan: Int) throws(ImageError) -> Bool {
            try check(gannet_jpeg_decoder_start_output(decoder, Int32(scan)))
        }
        func finishOutput() throws(ImageError) -> Bool { try check(gannet_jpeg_decoder_finish_output(decoder)) }

        var size: PixelSize {
            PixelSize(clamping: Int(gannet_jpeg_decoder_width(decoder)), Int(gannet_jpeg_decoder_height(decoder)))
        }
        var outputSize: PixelSize {
            PixelSize(clamping: Int(gannet_jpeg_decoder_output_width(decoder)), Int(gannet_jpeg_decoder_output_height(decoder)))
        }
        var hasManyScans: Bool { gannet_jpeg_decoder_has_many_scans(decoder) != 0 }
        /// Bytes for coefficients of multi-scan files: of the whole image, or of a row of blocks if scans are joined.
        var coefficientBytes: Int { gannet_jpeg_decoder_coefficient_bytes(decoder) }
        /// Rows of the whole image that are decoded at once: 8 … 32.
        var blockRows: Int { Int(gannet_jpeg_decoder_block_rows(decoder)) }
        var inputScan: Int { Int(gannet_jpeg_decoder_input_scan(decoder)) }
        /// The bytes ended before the end marker.
        var endedEarly: Bool { gannet_jpeg_decoder_ended_early(decoder) != 0 }
        /// Coefficients are missing; meaningful only after ``endedEarly``.
        var isIncomplete: Bool { gannet_jpeg_decoder_is_incomplete(decoder) != 0 }
        /// Some compressed data was invalid.
        var isDamaged: Bool { gannet_jpeg_decoder_damages(decoder) > 0 }

        private func check(_ result: gannet_jpeg_result) throws(ImageError) -> Bool {
            guard result == GANNET_JPEG_FAILED else { return result == GANNET_JPEG_OK }
            let words = String(cString: gannet_jpeg_decoder_message(decoder))
            switch gannet_jpeg_decoder_fault(decoder) {
            case GANNET_JPEG_FAULT_STOPPED: throw stop.error ?? .cancelled(stage: .decode)
            case GANNET_JPEG_FAULT_UNSUPPORTED: throw JPEGHeaderScanner.unsupported(words)
            case GANNET_JPEG_FAULT_MEMORY:
                throw ImageError(.limitExceeded, stage: .decode, "libjpeg has no memory left for this image: \(words).")
            case GANNET_JPEG_FAULT_SCANS:
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The JPEG has more scans than maximumScans allows; hostile files do that. Raise it to decode this one.")
            default: throw endedEarly ? Self.truncated : JPEGHeaderScanner.corrupt(words)
            }
        }

        static var truncated: ImageError {
            ImageError(
                .truncated, stage: .decode,
                "The JPEG ends before its image does. Load it again, or set allowsPartial to show what is there.")
        }
    }

    /// The bytes for one decompressor: a window of the stream that grows at its end.
    struct JPEGInput {
        fileprivate(set) var bytes: [UInt8] = []
        /// The first unread byte in ``bytes``.
        fileprivate(set) var position = 0
        var isLast = false
        private var end = 0

        init() {}

        /// The whole stream, without a copy if it is one chunk.
        init(whole rope: ByteRope) {
            bytes = rope.contiguous()
            end = rope.count
            isLast = true
        }

        /// Bytes of which the end is missing, as the library gets them.
        init(start: [UInt8]) { bytes = start }

        /// The stream from `position` on.
        init(whole rope: ByteRope, from position: Int) {
            self.init(whole: rope)
            self.position = position
        }

        /// Drops unread bytes and marks the stream as complete.
        fileprivate mutating func dropRest() {
            position = bytes.count
            isLast = true
        }

        /// Adds the new bytes of `rope` since the last call. Cost: one copy of them.
        mutating func append(_ rope: ByteRope) {
            isLast = rope.isComplete
            guard rope.count > end else { return }
            if position > 65_536, position > bytes.count / 2 {
                bytes.removeFirst(position)
                position = 0
            }
            while let (chunk, inside) = rope.locate(end) {
                bytes.append(contentsOf: rope.chunks[chunk][inside...])
                end += rope.chunks[chunk].count - inside
            }
        }
    }
#endif
