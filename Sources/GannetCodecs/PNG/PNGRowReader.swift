#if PNG
    import CGannetKernels
    import GannetCore

    /// Reads the rows of one picture: unpacks, undoes the filters, and hands on raw rows in their order.
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

        /// Everything at once through `memory`, which has room for ``byteCount`` bytes. A row stays untouched until the row
        /// below it was handed on, but not the rows above it. False: nothing was handed on, and ``stream(_:)`` must say why.
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
            // As many rows as stay in the cache until they are handed on.
            let band = max(4, min(64, (128 << 10) / (count + 1))) & ~3
            var y = 0
            while y < pass.height {
                try watch.check()
                let rows = min(band, pass.height - y)
                let first = base + y * (count + 1)
                let distance = UInt32(layout.filterDistance)
                // The row above is handed on only after it has served as the row above.
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

        /// Row by row, with two rows of memory. Answers whether all rows came.
        func stream(_ sink: Sink) throws(ImageError) -> Bool {
            try data.checkSums(rope)
            let stream = PNGInflateStream(rope, data)
            let room = layout.rowBytes(passes.map(\.width).max() ?? 0) + 1
            var above = [UInt8](repeating: 0, count: room)
            var row = [UInt8](repeating: 0, count: room)
            var count = 0
            for pass in passes {
                let length = layout.rowBytes(pass.width)
                for index in above.indices { above[index] = 0 }
                for y in 0..<pass.height {
                    if count & 15 == 0 { try watch.check() }
                    count += 1
                    guard try stream.read(into: &row, count: length + 1) == length + 1 else { return false }
                    try Self.unfilter(&row, above, length, layout)
                    try row.withUnsafeBufferPointer { bytes throws(ImageError) in
                        if let base = bytes.baseAddress { try sink(pass, y, base + 1) }
                    }
                    swap(&above, &row)
                }
            }
            try stream.finish()
            return true
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
#endif
