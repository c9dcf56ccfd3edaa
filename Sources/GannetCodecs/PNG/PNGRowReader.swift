#if PNG
    import CGannetKernels
    import GannetCore

    /// Reads the rows of one image: decompresses, undoes the filters, and passes on raw rows in order.
    struct PNGRowReader {
        typealias Sink = (_ pass: PNGPass, _ y: Int, _ row: UnsafePointer<UInt8>) throws(ImageError) -> Void

        let layout: PNGFile.Layout
        let data: PNGData
        let rope: ByteRope
        let passes: [PNGPass]
        let watch: DecodeWatch

        init(_ layout: PNGFile.Layout, _ data: PNGData, _ rope: ByteRope, width: Int, height: Int, watch: DecodeWatch) {
            self.layout = layout
            self.data = data
            self.rope = rope
            self.watch = watch
            passes = PNGPass.all(layout, width: width, height: height)
        }

        /// Bytes of all unpacked rows with their filter bytes.
        var byteCount: Int { passes.reduce(0) { $0 + $1.byteCount(layout) } }

        /// Reads everything at once through `memory`, which has room for ``byteCount`` bytes. A row stays valid until the row
        /// below it was passed on; the rows above it do not. False: nothing was passed on, and ``stream(_:)`` must find the
        /// reason.
        func whole(in memory: UnsafeMutablePointer<UInt8>, _ sink: Sink) throws(ImageError) -> Bool {
            guard try PNGInflate.whole(data, rope, into: memory, count: byteCount) else { return false }
            var base = memory
            for pass in passes {
                try unfilter(pass, at: base, sink)
                base += pass.byteCount(layout)
            }
            return true
        }

        private func unfilter(_ pass: PNGPass, at base: UnsafeMutablePointer<UInt8>, _ sink: Sink) throws(ImageError) {
            let count = layout.rowBytes(pass.width)
            let zeros = [UInt8](repeating: 0, count: count)
            let band = Self.bandRows(count + 1)
            var y = 0
            while y < pass.height {
                try watch.check()
                let rows = min(band, pass.height - y)
                let first = base + y * (count + 1)
                let distance = UInt32(layout.filterDistance)
                // A row is passed on only after it was used to unfilter the next.
                let done =
                    y == 0
                    ? gannet_png_unfilter_rows(first, zeros, count, rows, distance)
                    : gannet_png_unfilter_rows(first, first - count, count, rows, distance)
                guard done == rows else { throw Self.unknownFilter }
                for row in max(0, y - 1)..<y + rows - 1 { try sink(pass, row, base + row * (count + 1) + 1) }
                y += rows
            }
            try sink(pass, y - 1, base + (y - 1) * (count + 1) + 1)
        }

        /// Reads a few rows at a time, with memory for only these. Returns whether all rows arrived. `end`: nothing is read below this row;
        /// not for interlaced images.
        func stream(until end: Int = .max, _ sink: Sink) throws(ImageError) -> Bool {
            try data.checkSums(rope)
            let stream = PNGInflateStream(rope, data)
            for var pass in passes {
                let isCut = end < pass.height
                pass.height = min(pass.height, end)
                guard try self.stream(pass, stream, nil, nil, sink) else { return false }
                if isCut { return true }
            }
            try stream.finish()
            return true
        }

        /// Reads the rows of a region and all above it; with a memory, whose index gets more states, only those below the last known one. Of
        /// rows nothing is right of the region that need not be. Not for interlaced images.
        func stream(_ region: PixelRect, with memory: RegionMemory?, _ sink: Sink) throws(ImageError) -> Bool {
            guard var pass = passes.first else { return false }
            guard let memory, let index = index(of: pass, in: memory) else {
                return try stream(until: region.y + region.height, sink)
            }
            if !index.areSumsChecked {
                try data.checkSums(rope)
                index.areSumsChecked = data.isComplete
            }
            let isCut = region.y + region.height < pass.height
            pass.height = min(pass.height, region.y + region.height)
            let state = index.state(above: region.y)
            let stream = state.map { PNGInflateStream(rope, data, from: $0) } ?? PNGInflateStream(rope, data)
            // A state has a whole row, and the checksum at the end is of all. No byte depends on one to its right.
            let isGrowing = index.lacksStates(above: pass.height)
            let used = isGrowing || !isCut ? nil : layout.rowBytes(region.x + region.width)
            guard try self.stream(pass, stream, state, isGrowing ? (index, memory) : nil, used: used, sink) else { return false }
            if !isCut { try stream.finish() }
            return true
        }

        private func index(of pass: PNGPass, in memory: RegionMemory) -> PNGIndex? {
            let rowBytes = layout.rowBytes(pass.width) + 1
            return memory.value { PNGIndex(rows: pass.height, rowBytes: rowBytes, limit: memory.limit / 2) }
        }

        private func stream(
            _ pass: PNGPass, _ stream: PNGInflateStream, _ state: PNGRowState?, _ kept: (index: PNGIndex, memory: RegionMemory)?,
            used: Int? = nil, _ sink: Sink
        ) throws(ImageError) -> Bool {
            let stored = layout.rowBytes(pass.width) + 1
            let length = used.map { $0 + 1 } ?? stored
            let rows = min(Self.bandRows(length), pass.height)
            // The first row is the one above the band.
            var band = [UInt8](repeating: 0, count: (rows + 1) * length)
            if let state { band.replaceSubrange(..<length, with: state.above[..<length]) }
            var y = state?.row ?? 0
            while y < pass.height {
                try watch.check()
                if let (index, memory) = kept, index.lacks(y),
                    let state = PNGRowState(stream, row: y, above: band[..<length], in: memory)
                {
                    index.add(state)
                }
                let untilState = kept?.index.distance(from: y) ?? rows
                let wanted = min(rows, pass.height - y, untilState)
                let first = y
                let came = try band.withUnsafeMutableBufferPointer { bytes throws(ImageError) in
                    guard let base = bytes.baseAddress else { return 0 }
                    let came = try Self.read(wanted, into: base + length, length, of: stored, from: stream)
                    let done = gannet_png_unfilter_rows(base + length, base + 1, length - 1, came, UInt32(layout.filterDistance))
                    for row in 0..<done { try sink(pass, first + row, base + (row + 1) * length + 1) }
                    guard done == came else { throw Self.unknownFilter }
                    base.update(from: base + came * length, count: length)
                    return came
                }
                guard came == wanted else { return false }
                y += came
            }
            return true
        }

        /// The first `length` bytes of each row, which has `stored`. Returns how many rows came.
        private static func read(
            _ rows: Int, into target: UnsafeMutablePointer<UInt8>, _ length: Int, of stored: Int, from stream: PNGInflateStream
        ) throws(ImageError) -> Int {
            if length == stored { return try stream.read(into: target, count: rows * stored) / stored }
            for row in 0..<rows {
                guard try stream.read(into: target + row * length, count: length) == length,
                    try stream.read(into: nil, count: stored - length) == stored - length
                else { return row }
            }
            return rows
        }

        /// The number of rows that stay in the CPU cache until they are passed on: a multiple of 4, or one if a row alone is
        /// large.
        private static func bandRows(_ length: Int) -> Int {
            length > 1 << 20 ? 1 : max(4, min(64, (128 << 10) / length)) & ~3
        }

        /// Bytes of the rows held while reading: as stored, and as pixels.
        static func rowBytes(_ layout: PNGFile.Layout, width: Int, _ format: PixelFormat) -> Int {
            let stored = layout.rowBytes(width) + 1
            return (bandRows(stored) + 2) * stored + width * (format.bytesPerPixel + (layout.depth == 16 ? 8 : 0))
        }

        /// Both rows begin with their filter bytes.
        static func unfilter(
            _ row: inout [UInt8], _ above: [UInt8], _ length: Int, _ layout: PNGFile.Layout
        ) throws(ImageError) {
            let isDone = row.withUnsafeMutableBufferPointer { row in
                above.withUnsafeBufferPointer { above in
                    guard let row = row.baseAddress, let above = above.baseAddress else { return false }
                    return gannet_png_unfilter_row(
                        row + 1, above + 1, length, UInt32(layout.filterDistance), UInt32(row[0]))
                }
            }
            guard isDone else { throw unknownFilter }
        }

        private static var unknownFilter: ImageError { PNGParser.corrupt("A row has an unknown filter.") }
    }

    extension DecodeEnvironment {
        /// Bytes of a few rows to count; 0 for the row length of nearly all images, which decode even if nothing is free.
        static func countedRows(_ bytes: Int) -> Int { bytes > 4 << 20 ? bytes : 0 }

        func reserveRows(_ bytes: Int) throws(ImageError) -> ResourceBudget.Reservation? {
            let counted = Self.countedRows(bytes)
            return counted > 0 ? try reserve(counted) : nil
        }
    }
#endif
