#if PNG
    import GannetCore

    /// Previews of an arriving image: rows are decompressed as their bytes arrive, and kept on a canvas.
    ///
    /// Independent of the final decode: a preview never changes the final result. The final decode verifies chunk checksums.
    final class PNGPreview {
        private let layout: PNGFile.Layout
        private let passes: [PNGPass]
        private let stream: PNGInflateStream
        private var canvas: PixelBuffer
        private let reservation: ResourceBudget.Reservation
        private var scatter: PNGScatter
        private var shrinker: PNGShrinker?

        private var pass = 0
        private var y = 0
        private var above: [UInt8]
        private var row: [UInt8]
        /// Bytes of `row` so far.
        private var filled = 0
        /// Rows arrived since the canvas was last shown.
        private var hasNews = false
        private var failure: ImageError?

        /// Size of the buffers for the preview.
        var outputSize: PixelSize { canvas.size }

        /// Nil if the budget has no room for the canvas now. `output` is smaller than the image if it is to be shrunk.
        init?(
            _ file: PNGFile, _ data: PNGData, _ rope: ByteRope, _ expander: PNGExpander, output: PixelLayout,
            _ environment: DecodeEnvironment
        ) throws(ImageError) {
            let size = file.layout.size
            let rows = DecodeEnvironment.countedRows(PNGRowReader.rowBytes(file.layout, width: size.width, output.format))
            guard let reservation = try environment.budget.reserve(output.byteCount + rows) else { return nil }
            self.reservation = reservation
            layout = file.layout
            passes = PNGPass.all(file.layout, width: size.width, height: size.height)
            stream = PNGInflateStream(rope, data)
            canvas = try PixelBuffer(output, pool: environment.pool)
            canvas.fill(0)
            scatter = PNGScatter(expander, size, fillsBlocks: true)
            if output.size != size {
                shrinker = try PNGShrinker(expander, from: size, to: output.size, pool: environment.pool)
            }
            above = [UInt8](repeating: 0, count: file.layout.rowBytes(size.width) + 1)
            row = above
        }

        /// Copies the canvas into `buffer` if rows arrived since the last call. Damaged data stops the preview: the final
        /// decode reports the error.
        func show(_ rope: ByteRope, _ data: PNGData, _ watch: DecodeWatch, into buffer: inout PixelBuffer) throws(ImageError)
            -> Bool
        {
            precondition(buffer.layout.byteCount == canvas.layout.byteCount, "the preview was begun for another size")
            stream.extend(rope, data)
            if failure == nil {
                do throws(ImageError) { try advance(watch) } catch {
                    if error.code != .corrupt { throw error }
                    failure = error
                }
            }
            guard hasNews else { return false }
            hasNews = false
            buffer.memory.base.copyMemory(from: canvas.memory.base, byteCount: canvas.layout.byteCount)
            buffer.setAlpha(canvas.layout.alpha)
            return true
        }

        private func advance(_ watch: DecodeWatch) throws(ImageError) {
            while pass < passes.count {
                if y & 15 == 0 { try watch.check() }
                let wanted = layout.rowBytes(passes[pass].width) + 1
                filled += try row.withUnsafeMutableBufferPointer { bytes throws(ImageError) in
                    guard let base = bytes.baseAddress else { return 0 }
                    return try stream.read(into: base + filled, count: wanted - filled)
                }
                guard filled == wanted else { return }
                filled = 0
                try PNGRowReader.unfilter(&row, above, wanted - 1, layout)
                put()
                hasNews = true
                swap(&above, &row)
                y += 1
                if y == passes[pass].height {
                    y = 0
                    pass += 1
                    for index in above.indices { above[index] = 0 }
                }
            }
        }

        private func put() {
            row.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                if shrinker != nil {
                    shrinker?.put(base + 1, into: &canvas)
                } else {
                    canvas.withUnsafeRows { target, bytesPerRow in
                        scatter.put(base + 1, passes[pass], y, target, bytesPerRow)
                    }
                }
            }
        }
    }
#endif
