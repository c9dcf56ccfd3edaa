#if PNG
    import CDeflate
    import CGannetKernels
    import GannetCore

    /// Writes the chunks of one file.
    struct PNGWriter {
        private(set) var bytes: [UInt8] = PNGParser.signature

        mutating func chunk(_ type: StaticString, _ body: [UInt8]) {
            number(body.count)
            let start = bytes.count
            bytes.append(contentsOf: UnsafeBufferPointer(start: type.utf8Start, count: 4))
            bytes.append(contentsOf: body)
            number(PNGParser.checksum(bytes[start...]))
        }

        /// The code points of high range, and its brightest light if that is known, in ten-thousandths of cd/m²; the mean is not.
        mutating func highRange(_ range: DynamicRange) {
            chunk("cICP", [9, 16, 0, 1])
            if let brightest = range.brightest { chunk("cLLI", Self.bytes(brightest * 10_000) + Self.bytes(0)) }
        }

        private mutating func number(_ value: Int) { bytes.append(contentsOf: Self.bytes(value)) }

        static func bytes(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }

    /// The stored pixel format; the same for all frames of an animation.
    struct PNGPixelFormat {
        /// 8 or 16.
        var depth: Int
        var hasAlpha: Bool
        var isInterlaced: Bool

        var channels: Int { hasAlpha ? 4 : 3 }
        var bytesPerPixel: Int { channels * depth / 8 }

        func layout(_ size: PixelSize) -> PNGFile.Layout {
            PNGFile.Layout(size: size, depth: depth, color: hasAlpha ? .rgba : .rgb, isInterlaced: isInterlaced)
        }

        func header(_ size: PixelSize) -> [UInt8] {
            PNGWriter.bytes(size.width) + PNGWriter.bytes(size.height)
                + [UInt8(depth), UInt8(layout(size).color.rawValue), 0, 0, isInterlaced ? 1 : 0]
        }
    }

    /// Filters and compresses the pixels of one image or frame.
    struct PNGPacker {
        let format: PNGPixelFormat
        /// Compression effort, 0 … 9.
        let effort: Int

        /// libdeflate's levels are 1 … 12.
        private var level: Int32 { [1, 2, 3, 5, 6, 7, 8, 9, 10, 12][min(max(effort, 0), 9)] }
        /// Only "up" for the least effort, all five for the most.
        private var filters: UInt32 { effort <= 0 ? 0b00100 : effort <= 2 ? 0b10110 : 0b11111 }

        /// A zlib stream of the pixels in `area` of an image with straight or no alpha.
        func pack(_ bitmap: Bitmap, _ area: PixelRect) throws(ImageError) -> [UInt8] {
            let size = PixelSize(clamping: area.width, area.height)
            let layout = format.layout(size)
            let passes = PNGPass.all(layout, width: area.width, height: area.height)
            var filtered: [UInt8] = []
            filtered.reserveCapacity(passes.reduce(0) { $0 + $1.byteCount(layout) })
            for pass in passes { try filter(bitmap, area, pass, layout, into: &filtered) }
            return try deflated(filtered)
        }

        private func filter(
            _ bitmap: Bitmap, _ area: PixelRect, _ pass: PNGPass, _ layout: PNGFile.Layout, into filtered: inout [UInt8]
        ) throws(ImageError) {
            let count = layout.rowBytes(pass.width)
            var above = [UInt8](repeating: 0, count: count)
            var row = above
            var scratch = [UInt8](repeating: 0, count: count * 2)
            var result = [UInt8](repeating: 0, count: count + 1)
            for y in 0..<pass.height {
                if y & 15 == 0 { try ImageError.checkCancellation(stage: .encode) }
                gather(bitmap, x: area.x + pass.x, y: area.y + pass.y + y * pass.stepY, pass, into: &row)
                gannet_png_filter_row(&result, row, above, count, UInt32(layout.filterDistance), filters, &scratch)
                filtered += result
                swap(&above, &row)
            }
        }

        /// The samples of one row of a pass, as stored before filtering.
        private func gather(_ bitmap: Bitmap, x: Int, y: Int, _ pass: PNGPass, into row: inout [UInt8]) {
            let source = bitmap.row(y)
            let step = pass.stepX * bitmap.layout.format.bytesPerPixel
            var from = x * bitmap.layout.format.bytesPerPixel
            var to = 0
            if format.depth == 8 {
                for _ in 0..<pass.width {
                    for channel in 0..<format.channels { row[to + channel] = source[from + channel] }
                    to += format.channels
                    from += step
                }
                return
            }
            for _ in 0..<pass.width {
                for channel in 0..<format.channels {
                    // Native words are little-endian on every machine that runs Swift on Linux; the file's are not.
                    row[to + channel * 2] = source[from + channel * 2 + 1]
                    row[to + channel * 2 + 1] = source[from + channel * 2]
                }
                to += format.channels * 2
                from += step
            }
        }

        private func deflated(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
            guard let compressor = libdeflate_alloc_compressor(level) else {
                throw ImageError(.encodeFailed, stage: .encode, "The system has no memory left to pack the image.")
            }
            defer { libdeflate_free_compressor(compressor) }
            let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
            let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                count = libdeflate_zlib_compress(compressor, bytes, bytes.count, target.baseAddress, bound)
            }
            guard !packed.isEmpty else { throw ImageError(.encodeFailed, stage: .encode, "The image could not be packed.") }
            return packed
        }
    }
#endif
