#if GIF
    import CGannetKernels
    import GannetCore

    /// Writes GIF89a. Alpha is cut at 128. Animations keep delays (in hundredths of a second) and loop count; of each frame,
    /// only the changed part is written.
    final class GIFEncoder: ImageEncoder {
        private let options: EncodeOptions
        private let dithers: Bool

        init(options: EncodeOptions, dithers: Bool) {
            self.options = options
            self.dithers = dithers
        }

        func encode(_ image: DecodedImage) throws(ImageError) -> [UInt8] {
            try EncodeSizing.encode(image, options: options) { (frames, quality) throws(ImageError) in
                // Quality sets the number of colours: 100 is all 256.
                var writer = GIFWriter(
                    colors: max(8, 256 * quality / 100), dithers: dithers, interlaces: options.progressive)
                return try writer.write(frames)
            }
        }
    }

    /// One file.
    private struct GIFWriter {
        /// Palette entries for opaque colours, at most.
        let colors: Int
        let dithers: Bool
        let interlaces: Bool
        private var out: [UInt8] = []

        init(colors: Int, dithers: Bool, interlaces: Bool) {
            self.colors = colors
            self.dithers = dithers
            self.interlaces = interlaces
        }

        mutating func write(_ frames: EncodeFrames) throws(ImageError) -> [UInt8] {
            let size = frames.size
            guard size.width <= 65535, size.height <= 65535 else {
                throw ImageError(
                    .encodeFailed, stage: .encode,
                    "A GIF cannot be larger than 65535×65535; the image is \(size). Set maximumPixelSize.")
            }
            out = Array("GIF89a".utf8)
            put16(size.width)
            put16(size.height)
            // No global palette: every frame has its own.
            out += [0x70, 0, 0]
            if frames.count > 1, frames.loopCount != 1 {
                out += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
                // Repetitions after it has played once; 0 is for ever.
                put16(min(max(frames.loopCount - 1, 0), 65535))
                out.append(0)
            }
            let blank = [UInt32](repeating: 0, count: size.area)
            var canvas = blank
            var current = try frames.pixels(0)
            for index in 0..<frames.count {
                try ImageError.checkCancellation(stage: .encode)
                let next = index + 1 < frames.count ? try frames.pixels(index + 1) : nil
                // Drawing can only add: if a pixel of this frame is clear in the next one, this frame must be cleared.
                let clears = next.map { next in zip(current, next).contains { $0 >> 31 == 1 && $1 >> 31 == 0 } } ?? false
                // The first frame covers the whole canvas. Around a smaller one without clear pixels, some decoders show a colour
                // instead of transparency.
                let rect =
                    clears || index == 0
                    ? (x: 0, y: 0, width: size.width, height: size.height) : changed(canvas, current, size)
                try writeFrame(current, over: canvas, rect: rect, size: size, delay: frames.delay(index), clears: clears)
                canvas = clears ? blank : current
                if let next { current = next }
            }
            out.append(0x3B)
            return out
        }

        /// The smallest rectangle around all differences; one pixel if there are none.
        private func changed(
            _ before: [UInt32], _ after: [UInt32], _ size: PixelSize
        ) -> (x: Int, y: Int, width: Int, height: Int) {
            var left = size.width
            var right = -1
            var top = size.height
            var bottom = -1
            for y in 0..<size.height {
                let row = y * size.width
                guard let first = (0..<size.width).first(where: { before[row + $0] != after[row + $0] }) else { continue }
                let last = (0..<size.width).last { before[row + $0] != after[row + $0] } ?? first
                left = min(left, first)
                right = max(right, last)
                top = min(top, y)
                bottom = y
            }
            return right < 0 ? (0, 0, 1, 1) : (left, top, right - left + 1, bottom - top + 1)
        }

        private mutating func writeFrame(
            _ pixels: [UInt32], over canvas: [UInt32], rect: (x: Int, y: Int, width: Int, height: Int), size: PixelSize,
            delay: Duration,
            clears: Bool
        ) throws(ImageError) {
            var part: [UInt32] = []
            part.reserveCapacity(rect.width * rect.height)
            var hasClear = false
            for y in rect.y..<rect.y + rect.height {
                for x in rect.x..<rect.x + rect.width {
                    let pixel = pixels[y * size.width + x]
                    // Unchanged and clear pixels are both left alone.
                    let isKept = pixel == canvas[y * size.width + x] || pixel >> 31 == 0
                    hasClear = hasClear || isKept
                    part.append(isKept ? 0 : pixel | 0xFF00_0000)
                }
            }
            var quantizer = ColorQuantizer(part, limit: min(colors, hasClear ? 255 : 256))
            let transparent = hasClear ? quantizer.palette.count : nil
            let used = quantizer.palette.count + (hasClear ? 1 : 0)
            var paletteBits = 1
            while 1 << paletteBits < used { paletteBits += 1 }
            var indices =
                dithers && !quantizer.hasAllColors
                ? Dithering.indices(part, width: rect.width, quantizer: &quantizer, transparent: UInt8(transparent ?? 0))
                : part.map { $0 == 0 ? UInt8(transparent ?? 0) : quantizer.index(of: $0) }

            out += [0x21, 0xF9, 4, (clears ? 2 : 1) << 2 | (hasClear ? 1 : 0)]
            put16(min(max(Int((delay.seconds * 100).rounded()), 0), 65535))
            out += [UInt8(transparent ?? 0), 0, 0x2C]
            put16(rect.x)
            put16(rect.y)
            put16(rect.width)
            put16(rect.height)
            out.append(0x80 | (interlaces ? 0x40 : 0) | UInt8(paletteBits - 1))
            if interlaces { indices = interlaced(indices, width: rect.width) }
            for index in 0..<1 << paletteBits {
                let color = index < quantizer.palette.count ? quantizer.palette[index] : 0
                out += [UInt8(color & 0xFF), UInt8(color >> 8 & 0xFF), UInt8(color >> 16 & 0xFF)]
            }
            let codeBits = max(2, paletteBits)
            out.append(UInt8(codeBits))
            let data = [UInt8](unsafeUninitializedCapacity: gannet_gif_lzw_bound(indices.count)) { target, count in
                count = indices.withUnsafeBufferPointer {
                    gannet_gif_lzw_encode($0.baseAddress!, $0.count, UInt32(codeBits), target.baseAddress!)
                }
            }
            guard !data.isEmpty else { throw ImageError(.encodeFailed, stage: .encode, "No memory for the LZW table.") }
            out += data
        }

        /// Rows in the order of GIF89a, appendix E: every eighth, those halfway between, every second of the rest, the rest.
        private func interlaced(_ indices: [UInt8], width: Int) -> [UInt8] {
            let height = indices.count / width
            return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
                stride(from: first, to: height, by: step).flatMap { indices[$0 * width..<($0 + 1) * width] }
            }
        }

        private mutating func put16(_ value: Int) { out += [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
    }
#endif
