#if PNG
    import GannetCore

    /// Paints one whole image into a buffer of the canvas's size, or shrinks it into a smaller one.
    struct PNGPainter {
        let reader: PNGRowReader
        var expander: PNGExpander
        let environment: DecodeEnvironment

        /// Returns whether all rows arrived. `isPartial`: missing pixels are transparent, or copied from the nearest pixel of
        /// an earlier pass.
        mutating func paint(into buffer: inout PixelBuffer, isPartial: Bool) throws(ImageError) -> Bool {
            let isInterlaced = reader.layout.isInterlaced
            if buffer.size != source { return try shrink(into: &buffer, isPartial: isPartial) }
            if !isPartial {
                if isInterlaced {
                    if try paintInterlaced(into: &buffer) { return true }
                } else if try paintWhole(into: &buffer) {
                    return true
                }
            } else {
                buffer.fill(0)
            }
            var scatter = PNGScatter(expander, buffer.size, fillsBlocks: isPartial)
            return try buffer.withUnsafeRows { base, bytesPerRow throws(ImageError) in
                try reader.stream { pass, y, row throws(ImageError) in
                    scatter.put(row, pass, y, base, bytesPerRow)
                }
            }
        }

        /// The unpacked rows are at the end of the buffer itself if they fit: written pixels overlap only rows already read.
        private mutating func paintWhole(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            let count = reader.byteCount
            let capacity = buffer.memory.capacity
            let rowBytes = reader.layout.rowBytes(buffer.size.width)
            let width = buffer.size.width
            var expander = expander
            let reader = reader
            if count <= capacity {
                let inPlace = expander.worksInPlace
                var copy = [UInt8](repeating: 0, count: rowBytes)
                return try buffer.withUnsafeRows { base, bytesPerRow throws(ImageError) in
                    try reader.whole(in: base + (capacity - count)) { _, y, row throws(ImageError) in
                        let target = base + y * bytesPerRow
                        // Near the end, a row's pixels overlap its own source, but never the next row's.
                        if !inPlace, UnsafePointer(target + bytesPerRow) > row {
                            copy.withUnsafeMutableBytes {
                                $0.copyMemory(from: UnsafeRawBufferPointer(start: row, count: rowBytes))
                            }
                            expander.expand(copy, to: target, pixels: width)
                        } else {
                            expander.expand(row, to: target, pixels: width)
                        }
                    }
                }
            }
            guard let scratch = PNGScratch.reserve(count, environment) else { return false }
            return try buffer.withUnsafeRows { base, bytesPerRow throws(ImageError) in
                try reader.whole(in: scratch.base) { _, y, row throws(ImageError) in
                    expander.expand(row, to: base + y * bytesPerRow, pixels: width)
                }
            }
        }

        /// The size of the image itself.
        private var source: PixelSize { reader.layout.size }

        private func shrink(into buffer: inout PixelBuffer, isPartial: Bool) throws(ImageError) -> Bool {
            if isPartial { buffer.fill(0) }
            var shrinker = try PNGShrinker(expander, from: source, to: buffer.size, pool: environment.pool)
            return try reader.stream { _, _, row throws(ImageError) in shrinker.put(row, into: &buffer) }
        }

        private mutating func paintInterlaced(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            guard let scratch = PNGScratch.reserve(reader.byteCount, environment) else { return false }
            var scatter = PNGScatter(expander, buffer.size, fillsBlocks: false)
            let reader = reader
            return try buffer.withUnsafeRows { base, bytesPerRow throws(ImageError) in
                try reader.whole(in: scratch.base) { pass, y, row throws(ImageError) in
                    scatter.put(row, pass, y, base, bytesPerRow)
                }
            }
        }
    }

    /// Temporary memory of about the image's size, reserved first; nil if there is no room now.
    struct PNGScratch: ~Copyable {
        private let memory: PixelMemory
        private let reservation: ResourceBudget.Reservation

        private init(_ memory: consuming PixelMemory, _ reservation: ResourceBudget.Reservation) {
            self.memory = memory
            self.reservation = reservation
        }

        static func reserve(_ count: Int, _ environment: DecodeEnvironment) -> PNGScratch? {
            guard count <= environment.limits.maximumDecodedBytes else { return nil }
            do throws(ImageError) {
                guard let reservation = try environment.budget.reserve(count) else { return nil }
                return PNGScratch(try environment.pool.allocate(count), reservation)
            } catch {
                return nil
            }
        }

        var base: UnsafeMutablePointer<UInt8> { memory.base.assumingMemoryBound(to: UInt8.self) }
    }
#endif
