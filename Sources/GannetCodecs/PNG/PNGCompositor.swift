#if PNG
    import CGannetKernels
    import GannetCore

    /// Composes the frames of an animation on a canvas with straight alpha (PNG 3rd edition, section 13.12).
    ///
    /// Keeps the canvas of the last requested frame, so that the next frame costs one step. Any other frame starts at the
    /// nearest earlier one that hides everything below. Without room in the budget no canvas is kept.
    final class PNGCompositor {
        private let file: PNGFile
        private let environment: DecodeEnvironment
        private let format: PixelFormat
        private let rounds: Bool
        private var allowsPartial = false
        /// No row of a painted frame is missing.
        private var isWhole = true
        private var kept: Kept?

        private struct Kept: ~Copyable {
            var canvas: PixelBuffer
            let reservation: ResourceBudget.Reservation
            /// The frame on the canvas, not yet disposed of; nil: none.
            var frame: Int?
            /// The pixels under the frame, if they have to be restored.
            var covered: Covered?
        }

        /// The pixels under a frame.
        private struct Covered {
            var area: PixelRect
            var rows: [UInt8]
            /// At most as large as a canvas.
            let reservation: ResourceBudget.Reservation
        }

        init(_ file: PNGFile, format: PixelFormat, rounds: Bool, _ environment: DecodeEnvironment) {
            self.file = file
            self.format = format
            self.rounds = rounds
            self.environment = environment
        }

        /// Draws frame `index` into `buffer` with the requested alpha. Returns whether all rows arrived: with `allowsPartial`, those of
        /// a frame that was cut off may be missing.
        func compose(
            _ shown: [PNGFile.Shown], upTo index: Int, _ rope: ByteRope, _ watch: DecodeWatch, allowsPartial: Bool,
            alpha: AlphaMode, into buffer: inout PixelBuffer
        ) throws(ImageError) -> Bool {
            precondition(buffer.size == file.layout.size, "frames are put together at their own size")
            self.allowsPartial = allowsPartial
            if kept == nil { kept = try makeCanvas() }
            if var kept = kept.take() {
                // Not kept if a step throws: a half-painted canvas is useless.
                var (frame, covered) = (kept.frame, kept.covered)
                try advance(&kept.canvas, &frame, &covered, shown, index, rope, watch)
                (kept.frame, kept.covered) = (frame, covered)
                copy(kept.canvas, into: &buffer)
                self.kept = consume kept
            } else {
                var frame: Int?
                var covered: Covered?
                try advance(&buffer, &frame, &covered, shown, index, rope, watch)
            }
            finish(&buffer, alpha)
            return isWhole
        }

        private func makeCanvas() throws(ImageError) -> Kept? {
            let layout = PixelLayout(size: file.layout.size, format: format, alpha: .straight)
            guard let reservation = try environment.budget.reserve(layout.byteCount) else { return nil }
            return Kept(canvas: try PixelBuffer(layout, pool: environment.pool), reservation: reservation)
        }

        private func advance(
            _ canvas: inout PixelBuffer, _ current: inout Int?, _ covered: inout Covered?, _ shown: [PNGFile.Shown],
            _ index: Int, _ rope: ByteRope, _ watch: DecodeWatch
        ) throws(ImageError) {
            let key = keyFrame(shown, index)
            if let frame = current, frame >= key, frame <= index {
                // The canvas is at an earlier frame of the same run.
            } else {
                canvas.fill(0)
                current = nil
                covered = nil
            }
            var next = current.map { $0 + 1 } ?? key
            while next <= index {
                if let frame = current { dispose(shown[frame].frame, &covered, on: &canvas) }
                current = nil
                let frame = shown[next].frame
                covered = nil
                if frame.disposal == .previous { covered = try cover(frame.area, of: canvas) }
                try paint(shown[next], on: &canvas, rope, watch)
                current = next
                next += 1
            }
        }

        /// The nearest frame at or before `index` with nothing visible below it.
        private func keyFrame(_ shown: [PNGFile.Shown], _ index: Int) -> Int {
            var frame = index
            while frame > 0 {
                if shown[frame - 1].isStill { return frame }
                let own = shown[frame].frame
                let before = shown[frame - 1].frame
                // A frame with disposal "previous" restores the pixels below it.
                if own.disposal != .previous, own.area.covers(file.layout.size), own.blending == .source || !file.hasAlpha {
                    return frame
                }
                if before.area.covers(file.layout.size), before.disposal == .background { return frame }
                frame -= 1
            }
            return 0
        }

        // MARK: One frame

        private func paint(
            _ shown: PNGFile.Shown, on canvas: inout PixelBuffer, _ rope: ByteRope, _ watch: DecodeWatch
        ) throws(ImageError) {
            let area = shown.frame.area
            let rows = try environment.reserveRows(PNGRowReader.rowBytes(file.layout, width: area.width, format))
            defer { withExtendedLifetime(rows) {} }
            let reader = PNGRowReader(file.layout, shown.data, rope, width: area.width, height: area.height, watch: watch)
            var expander = PNGExpander(file, format: format, alpha: .straight, rounds: rounds)
            let pixelBytes = format.bytesPerPixel
            var row8 = [UInt64](repeating: 0, count: (area.width * pixelBytes + 7) / 8)
            let blends = shown.frame.blending == .over && file.hasAlpha
            let isCut = !shown.data.isComplete
            let format = format
            let isWhole = try canvas.withUnsafeRows { base, bytesPerRow throws(ImageError) in
                let sink: PNGRowReader.Sink = { pass, y, row throws(ImageError) in
                    row8.withUnsafeMutableBytes { bytes in
                        guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                        expander.expand(row, to: pixels, pixels: pass.width)
                        let line = base + (area.y + pass.y + y * pass.stepY) * bytesPerRow + (area.x + pass.x) * pixelBytes
                        switch format {
                        case .rgba8: gannet_png_blend8(line, pixels, pass.width, pass.stepX, blends)
                        case .rgba16: gannet_png_blend16(line, pixels, pass.width, pass.stepX, blends)
                        }
                    }
                }
                if !isCut, let scratch = PNGScratch.reserve(reader.byteCount, environment),
                    try reader.whole(in: scratch.base, sink)
                {
                    return true
                }
                return try reader.stream(sink)
            }
            if isWhole { return }
            guard isCut else { throw PNGParser.corrupt("The data of a frame end before the frame does.") }
            guard allowsPartial else { throw PNGDecoder.truncated }
            self.isWhole = false
        }

        private func cover(_ area: PixelRect, of canvas: borrowing PixelBuffer) throws(ImageError) -> Covered {
            let length = area.width * format.bytesPerPixel
            let reservation = try environment.reserve(length * area.height)
            let start = canvas.memory.base + area.y * canvas.bytesPerRow + area.x * format.bytesPerPixel
            let rows = [UInt8](unsafeUninitializedCapacity: length * area.height) { target, count in
                for line in 0..<area.height {
                    let source = UnsafeRawBufferPointer(start: start + line * canvas.bytesPerRow, count: length)
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[(line * length)...])
                        .copyMemory(from: source)
                }
                count = length * area.height
            }
            return Covered(area: area, rows: rows, reservation: reservation)
        }

        private func dispose(_ frame: PNGAnimation.Frame, _ covered: inout Covered?, on canvas: inout PixelBuffer) {
            let pixelBytes = format.bytesPerPixel
            let start = frame.area.x * pixelBytes
            let length = frame.area.width * pixelBytes
            switch frame.disposal {
            case .none: break
            case .background:
                for y in frame.area.y..<frame.area.y + frame.area.height {
                    var row = canvas.mutableRow(y)
                    for index in start..<start + length { row[index] = 0 }
                }
            case .previous:
                guard let under = covered else { return }
                for line in 0..<frame.area.height {
                    var row = canvas.mutableRow(frame.area.y + line)
                    for index in 0..<length { row[start + index] = under.rows[line * length + index] }
                }
                covered = nil
            }
        }

        // MARK: Delivery

        private func copy(_ canvas: borrowing PixelBuffer, into buffer: inout PixelBuffer) {
            buffer.memory.base.copyMemory(from: canvas.memory.base, byteCount: canvas.layout.byteCount)
        }

        private func finish(_ buffer: inout PixelBuffer, _ alpha: AlphaMode) {
            let width = buffer.size.width
            let height = buffer.size.height
            let format = format
            buffer.withUnsafeRows { base, bytesPerRow in
                for y in 0..<height {
                    let row = base + y * bytesPerRow
                    switch (alpha, format) {
                    case (.straight, _): break
                    case (.premultiplied, .rgba8): gannet_png_premultiply8(row, row, width)
                    case (.premultiplied, .rgba16):
                        row.withMemoryRebound(to: UInt16.self, capacity: width * 4) { gannet_png_premultiply16($0, width) }
                    case (.opaque, .rgba8): for x in 0..<width { row[x * 4 + 3] = 255 }
                    case (.opaque, .rgba16):
                        row.withMemoryRebound(to: UInt16.self, capacity: width * 4) {
                            for x in 0..<width { $0[x * 4 + 3] = .max }
                        }
                    }
                }
            }
        }
    }
#endif
