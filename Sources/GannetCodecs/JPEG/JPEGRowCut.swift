#if JPEG
    import GannetCore

    /// Rows of which some columns are wanted.
    struct JPEGRowCut: ~Copyable {
        private var band: PixelBuffer
        private let columns: Range<Int>

        init(_ columns: Range<Int>, of width: Int, rows: Int, _ pool: PixelPool) throws(ImageError) {
            precondition(columns.lowerBound >= 0 && columns.upperBound <= width)
            band = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, rows), alpha: .opaque), pool: pool)
            self.columns = columns
        }

        mutating func read(
            _ source: borrowing some JPEGRowSource & ~Copyable, _ wanted: Int, _ came: inout Int
        ) throws(ImageError) -> Bool {
            try source.readRows(into: &band, at: 0, count: wanted, done: &came)
        }

        /// The first rows of those that were read last.
        func copy(_ rows: Int, into buffer: inout PixelBuffer, at y: Int) {
            for row in 0..<rows {
                let source = band.row(row)
                var target = buffer.mutableRow(y + row)
                let first = columns.lowerBound * 4
                for index in target.indices { target[index] = source[first + index] }
            }
        }
    }
#endif
