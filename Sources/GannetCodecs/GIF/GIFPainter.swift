#if GIF
    import CGannetKernels
    import GannetCore

    /// Decodes the pixel data of one frame and draws it over the existing image.
    struct GIFPainter {
        let file: GIFFile
        let options: ResolvedDecodeOptions
        let environment: DecodeEnvironment
        /// Missing rows of an interlaced image are copied from the row above; damage ends the image without an error.
        var isPreview = false

        init(file: GIFFile, options: ResolvedDecodeOptions, environment: DecodeEnvironment) {
            self.file = file
            self.options = options
            self.environment = environment
        }

        /// The result of painting a frame.
        struct Painted {
            /// This frame alone has made every pixel of the canvas opaque.
            var coversCanvas: Bool
            /// An invalid code ended it, which is allowed for partial images.
            var isDamaged: Bool
        }

        /// Draws a frame. If its data ends early, the remaining pixels stay: clear, if the frame is independent of earlier ones
        /// (``GIFFile/isKey(_:)``). An invalid code is `corrupt` unless partial images are allowed.
        func paint(
            _ index: Int, reader: inout RopeReader, into buffer: inout PixelBuffer, watch: DecodeWatch
        ) throws(ImageError) -> Painted {
            let frame = file.frames[index]
            let rect = PixelRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
            guard let visible = rect.clipped(to: buffer.size) else { return Painted(coversCanvas: false, isDamaged: false) }
            // Rows below the canvas come last, unless interlaced, and are not decoded.
            let rows = frame.isInterlaced ? frame.height : visible.y + visible.height - frame.y
            let area = frame.width * rows
            guard area <= environment.limits.maximumPixels else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "A frame has \(frame.width)×\(frame.height) pixels; the limit is \(environment.limits.maximumPixels). Raise maximumPixels to allow it."
                )
            }
            let palette = palette(of: frame, reader: &reader)
            let (written, isDamaged) = try withIndices(of: frame, rows, reader: &reader, watch) {
                (base, written, isDamaged) throws(ImageError) in
                try draw(frame, rows, visible, indices: base, written: written, palette: palette, into: &buffer, watch)
                return (written, isDamaged)
            }
            return Painted(
                coversCanvas: written >= area && frame.transparentIndex == nil
                    && frame.covers(width: file.width, height: file.height),
                isDamaged: isDamaged)
        }

        /// Whether the data of a frame are enough for all its pixels. Costs as much as ``paint(_:reader:into:watch:)`` without drawing.
        func hasAllPixels(_ index: Int, reader: inout RopeReader, watch: DecodeWatch) throws(ImageError) -> Bool {
            let frame = file.frames[index]
            let area = frame.width * frame.height
            guard area > 0, area <= environment.limits.maximumPixels else { return false }
            return try withIndices(of: frame, frame.height, reader: &reader, watch) { (_, written, isDamaged) in
                written >= area && !isDamaged
            }
        }

        /// Decodes the first rows of a frame. `body` gets its indices, which live as long as the call, their number, and whether an invalid
        /// code ended them.
        private func withIndices<R>(
            of frame: GIFFile.Frame, _ rows: Int, reader: inout RopeReader, _ watch: DecodeWatch,
            _ body: (UnsafeMutablePointer<UInt8>, Int, Bool) throws(ImageError) -> R
        ) throws(ImageError) -> R {
            let area = frame.width * rows
            // Four indices per pixel. Rows stay rows: one row with all indices could exceed the longest row.
            let layout = PixelLayout(size: PixelSize(clamping: (frame.width + 3) / 4, rows))
            precondition(layout.byteCount >= area, "the indices of a GIF frame need \(area) bytes")
            let reservation = try environment.reserve(layout.byteCount)
            defer { withExtendedLifetime(reservation) {} }
            var indices = try PixelBuffer(layout, pool: environment.pool)
            return try indices.withUnsafeRows { (base, _) throws(ImageError) -> R in
                let (written, isDamaged) = try decode(frame, area: area, reader: &reader, into: base, watch: watch)
                return try body(base, written, isDamaged)
            }
        }

        /// Returns the number of indices, and whether an invalid code ended them.
        private func decode(
            _ frame: GIFFile.Frame, area: Int, reader: inout RopeReader, into base: UnsafeMutablePointer<UInt8>,
            watch: DecodeWatch
        ) throws(ImageError) -> (written: Int, isDamaged: Bool) {
            guard let lzw = gannet_gif_lzw_create(UInt32(frame.codeBits)) else {
                if isPreview || options.allowsPartial { return (0, true) }
                throw ImageError(
                    .corrupt, stage: .decode, "A GIF frame has codes of \(frame.codeBits) bits; 1 to 11 are possible.")
            }
            defer { gannet_gif_lzw_destroy(lzw) }
            var offset = frame.dataOffset
            var status = GANNET_GIF_LZW_MORE
            var blocks = 0
            try watch.check()
            while status == GANNET_GIF_LZW_MORE, let length = reader.byte(at: offset), length > 0 {
                reader.withPieces(from: offset + 1, count: Int(length)) { piece in
                    guard let start = piece.baseAddress else { return true }
                    status = gannet_gif_lzw_feed(lzw, start, piece.count, base, area)
                    return status == GANNET_GIF_LZW_MORE
                }
                offset += 1 + Int(length)
                blocks += 1
                if blocks & 127 == 0 { try watch.check() }
            }
            if status == GANNET_GIF_LZW_CORRUPT, !isPreview, !options.allowsPartial {
                throw ImageError(.corrupt, stage: .decode, "The pixel data of a GIF frame has a code that is not in its table.")
            }
            return (gannet_gif_lzw_written(lzw), status == GANNET_GIF_LZW_CORRUPT)
        }

        private func palette(of frame: GIFFile.Frame, reader: inout RopeReader) -> [UInt32] {
            // Indices outside the palette are black; without a palette they are grey levels.
            var colours = [UInt32](repeating: 0xFF00_0000, count: 256)
            if let (offset, count) = frame.palette {
                let bytes = reader.bytes(from: offset, count: count * 3)
                for index in 0..<min(count, bytes.count / 3) {
                    colours[index] =
                        UInt32(bytes[index * 3]) | UInt32(bytes[index * 3 + 1]) << 8 | UInt32(bytes[index * 3 + 2]) << 16
                        | 0xFF00_0000
                }
            } else {
                for index in 0..<256 { colours[index] = UInt32(index) * 0x010101 | 0xFF00_0000 }
            }
            return colours
        }

        private func draw(
            _ frame: GIFFile.Frame, _ rows: Int, _ visible: PixelRect, indices: UnsafePointer<UInt8>, written: Int,
            palette: [UInt32], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) {
            let stride = buffer.bytesPerRow
            let skipped = visible.x - frame.x
            try buffer.withUnsafeRows { (base, _) throws(ImageError) in
                func drawRow(stored: Int, at row: Int) throws(ImageError) {
                    if stored & 31 == 0 { try watch.check() }
                    let start = stored * frame.width + skipped
                    let count = min(visible.width, written - start)
                    let y = frame.y + row
                    guard count > 0, y >= visible.y, y < visible.y + visible.height else { return }
                    let target = UnsafeMutableRawPointer(base + y * stride + visible.x * 4).assumingMemoryBound(to: UInt32.self)
                    if let transparent = frame.transparentIndex {
                        gannet_gif_blend(target, indices + start, count, palette, transparent)
                    } else {
                        gannet_gif_expand(target, indices + start, count, palette)
                    }
                }
                guard frame.isInterlaced else {
                    for row in 0..<rows { try drawRow(stored: row, at: row) }
                    return
                }
                var stored = 0
                for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
                    for row in Swift.stride(from: first, to: frame.height, by: step) {
                        if isPreview {
                            // Later passes overwrite the copies.
                            let copies = first == 0 ? 8 : step / 2
                            for copy in 0..<min(copies, frame.height - row) { try drawRow(stored: stored, at: row + copy) }
                        } else {
                            try drawRow(stored: stored, at: row)
                        }
                        stored += 1
                    }
                }
            }
        }
    }
#endif
