#if GIF
    import GannetCore

    /// The canvas of an animation with its frames drawn in order.
    final class GIFCanvas {
        private var buffer: PixelBuffer
        private let painter: Painting
        private let environment: DecodeEnvironment
        private let reservation: ResourceBudget.Reservation
        /// The pixels under the current frame, if its disposal restores them.
        private var saved: PixelBuffer?
        private var savedIsOpaque = false
        private var savedReservation: ResourceBudget.Reservation?
        /// The frame on the canvas; nil: none.
        private var current: Int?
        /// Every pixel has alpha 255.
        private(set) var isOpaque = false
        /// The data of a drawn frame ended early.
        private(set) var isDamaged = false

        private struct Painting {
            var options: ResolvedDecodeOptions
            var environment: DecodeEnvironment
        }

        init(file: GIFFile, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError) {
            let layout = PixelLayout(size: PixelSize(clamping: file.width, file.height))
            reservation = try environment.reserve(layout.byteCount)
            buffer = try PixelBuffer(layout, pool: environment.pool)
            painter = Painting(options: options, environment: environment)
            self.environment = environment
        }

        /// Draws the missing frames up to frame `index`.
        func show(_ index: Int, of file: GIFFile, reader: inout RopeReader) throws(ImageError) {
            if current == index { return }
            var key = index
            while !file.isKey(key) { key -= 1 }
            var next = key
            if let current, current < index, current >= key {
                next = current + 1
            } else {
                isOpaque = false
                buffer.fill(0)
                saved = nil
                current = nil
            }
            let watch = DecodeWatch(environment.limits)
            while next <= index {
                try watch.check()
                try advance(to: next, of: file, reader: &reader, watch: watch)
                next += 1
            }
        }

        private func advance(to index: Int, of file: GIFFile, reader: inout RopeReader, watch: DecodeWatch) throws(ImageError) {
            if let current { try dispose(file.frames[current]) }
            current = nil
            if file.frames[index].disposal == .previous {
                if savedReservation == nil { savedReservation = try environment.reserve(buffer.layout.byteCount) }
                saved = try buffer.copy(pool: environment.pool)
                savedIsOpaque = isOpaque
            }
            let painted = try GIFPainter(file: file, options: painter.options, environment: painter.environment)
                .paint(index, reader: &reader, into: &buffer, watch: watch)
            isOpaque = isOpaque || painted.coversCanvas
            if painted.isDamaged { isDamaged = true }
            current = index
        }

        private func dispose(_ frame: GIFFile.Frame) throws(ImageError) {
            switch frame.disposal {
            case .keep: break
            case .background:
                // Clear, whatever the background colour, as in browsers.
                let rect = PixelRect(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
                guard let rect = rect.clipped(to: buffer.size) else { return }
                for y in rect.y..<rect.y + rect.height {
                    var row = buffer.mutablePixels(y)
                    for x in rect.x..<rect.x + rect.width { row[x] = 0 }
                }
                isOpaque = false
            case .previous:
                guard let before = saved.take() else { return }
                buffer = before
                isOpaque = savedIsOpaque
            }
        }

        func copy(into target: inout PixelBuffer) {
            let bytes = buffer.layout.byteCount
            buffer.withUnsafeRows { source, _ in
                target.withUnsafeRows { rows, _ in UnsafeMutableRawPointer(rows).copyMemory(from: source, byteCount: bytes) }
            }
        }
    }
#endif
