#if JPEG
    import GannetCore
    import GannetKernels

    /// Takes rows from their source, cuts them, converts four inks to RGB, shrinks the rows, and writes them into the caller's buffer.
    /// Without cutting and shrinking, the source writes directly into the buffer.
    struct JPEGRowSink: ~Copyable {
        /// Source rows so far.
        private(set) var rows = 0
        /// Finished rows at the top of the caller's buffer.
        private(set) var finishedRows = 0
        private let decoded: PixelSize
        private let isShrinking: Bool
        private var shrinker: Shrinker?
        private var cut: JPEGRowCut?
        private let inks: JPEGInks?

        private static let bandRows = 16

        /// Resamples source rows into a smaller buffer.
        private struct Shrinker: ~Copyable {
            var resampler: RowResampler
            var band: PixelBuffer
            /// The pixels of each row that are wanted.
            let columns: Range<Int>

            init(_ scaling: JPEGScaling, _ columns: Range<Int>, of width: Int, _ pool: PixelPool) throws(ImageError) {
                let size = PixelSize(clamping: width, bandRows)
                let band = try PixelBuffer(PixelLayout(size: size, alpha: .opaque), pool: pool)
                resampler = try RowResampler(
                    from: scaling.decoded, covered: scaling.covered, to: scaling.output, pool: pool)
                self.band = band
                self.columns = columns
            }

            mutating func read(
                _ source: borrowing some JPEGRowSource & ~Copyable, _ wanted: Int, _ came: inout Int
            ) throws(ImageError) -> Bool {
                try source.readRows(into: &band, at: 0, count: wanted, done: &came)
            }

            /// Finished rows of `buffer`.
            mutating func push(_ count: Int, _ inks: JPEGInks?, into buffer: inout PixelBuffer) -> Int {
                inks?.convert(&band, 0..<count)
                Self.push(band, count, columns, &resampler, &buffer)
                return resampler.rowsWritten
            }

            private static func push(
                _ band: borrowing PixelBuffer, _ count: Int, _ columns: Range<Int>, _ resampler: inout RowResampler,
                _ buffer: inout PixelBuffer
            ) {
                let bytes = columns.lowerBound * 4..<columns.upperBound * 4
                for y in 0..<count { resampler.push(band.row(y).extracting(bytes), into: &buffer) }
            }
        }

        /// `delivered`: the columns of the decoder's output that its rows have; nil: those wanted alone.
        init(
            _ header: ImageHeader, _ scaling: JPEGScaling, from delivered: Range<Int>? = nil, colors: (any ColorConverter)?,
            pool: PixelPool
        ) throws(ImageError) {
            let width = delivered?.count ?? scaling.decoded.width
            let first = delivered.map { (scaling.part?.x ?? 0) - $0.lowerBound } ?? 0
            let columns = first..<first + scaling.decoded.width
            decoded = scaling.decoded
            inks = header.colorSpace.isFourChannel ? JPEGInks(converter: colors) : nil
            isShrinking = scaling.decoded != scaling.output
            shrinker = isShrinking ? try Shrinker(scaling, columns, of: width, pool) : nil
            cut = !isShrinking && delivered != nil ? try JPEGRowCut(columns, of: width, rows: Self.bandRows, pool) : nil
        }

        /// Reads rows above those that are wanted. False: the bytes ran out.
        mutating func pass(
            _ count: Int, of source: borrowing some JPEGRowSource & ~Copyable, width: Int, pool: PixelPool
        ) throws(ImageError) -> Bool {
            var band = try JPEGRowCut(0..<width, of: width, rows: Self.bandRows, pool)
            var passed = 0
            while passed < count {
                guard try band.read(source, min(Self.bandRows, count - passed), &passed) else { return false }
            }
            return true
        }

        /// Reads rows until the image is complete (true), or until the bytes run out or row `end` is read (false).
        mutating func drain(
            _ source: borrowing some JPEGRowSource & ~Copyable, into buffer: inout PixelBuffer, until end: Int = .max
        ) throws(ImageError) -> Bool {
            while rows < decoded.height {
                if rows >= end { return false }
                let goesOn = isShrinking ? try shrink(source, end, &buffer) : try readDirectly(source, end, &buffer)
                if !goesOn { return false }
            }
            return true
        }

        private mutating func readDirectly(
            _ source: borrowing some JPEGRowSource & ~Copyable, _ end: Int, _ buffer: inout PixelBuffer
        ) throws(ImageError) -> Bool {
            let first = rows
            defer {
                inks?.convert(&buffer, first..<rows)
                finishedRows = rows
            }
            guard cut != nil else {
                return try source.readRows(into: &buffer, at: first, count: min(64, end - first), done: &rows)
            }
            let wanted = min(Self.bandRows, decoded.height - first, end - first)
            defer { cut?.copy(rows - first, into: &buffer, at: first) }
            return try cut?.read(source, wanted, &rows) ?? true
        }

        private mutating func shrink(
            _ source: borrowing some JPEGRowSource & ~Copyable, _ end: Int, _ buffer: inout PixelBuffer
        ) throws(ImageError) -> Bool {
            var came = 0
            defer {
                finishedRows = shrinker?.push(came, inks, into: &buffer) ?? 0
                rows += came
            }
            return try shrinker?.read(source, min(Self.bandRows, decoded.height - rows, end - rows), &came) ?? true
        }

        /// Fills the rows from `start` on with the mean colour of those above, or grey.
        static func fill(_ buffer: inout PixelBuffer, from start: Int) {
            guard start < buffer.size.height else { return }
            var sums = (red: 0, green: 0, blue: 0)
            var count = 0
            for y in max(0, start - bandRows)..<start {
                let row = buffer.row(y)
                var x = 0
                while x + 3 < row.count {
                    sums.red += Int(row[x])
                    sums.green += Int(row[x + 1])
                    sums.blue += Int(row[x + 2])
                    x += 4
                }
                count += row.count / 4
            }
            let mean: UInt32 =
                count == 0
                ? 0xFF80_8080
                : UInt32(sums.red / count) | UInt32(sums.green / count) << 8 | UInt32(sums.blue / count) << 16 | 0xFF00_0000
            for y in start..<buffer.size.height {
                var pixels = buffer.mutablePixels(y)
                for x in pixels.indices { pixels[x] = mean.littleEndian }
            }
        }
    }

    /// Converts four inks to RGB in place. JPEG files with four channels are Adobe's in practice, which store 255 minus the
    /// ink. Browsers and the IJG's own tools read them all so, with or without Adobe's marker.
    struct JPEGInks {
        /// Converts by the embedded profile; nil: the plain conversion.
        var converter: (any ColorConverter)?

        func convert(_ buffer: inout PixelBuffer, _ rows: Range<Int>) {
            for y in rows {
                var row = buffer.mutableRow(y)
                if let converter {
                    for index in row.indices { row[index] = 255 - row[index] }
                    converter.convertRow(&row, count: row.count / 4)
                } else {
                    Self.plain(&row)
                }
            }
        }

        /// Red is the light that cyan and black leave, and so on.
        private static func plain(_ row: inout MutableSpan<UInt8>) {
            var x = 0
            while x + 3 < row.count {
                let black = UInt32(row[x + 3])
                row[x] = through(row[x], black)
                row[x + 1] = through(row[x + 1], black)
                row[x + 2] = through(row[x + 2], black)
                row[x + 3] = 255
                x += 4
            }
        }

        /// a × b / 255, rounded.
        private static func through(_ ink: UInt8, _ black: UInt32) -> UInt8 {
            let product = UInt32(ink) * black + 128
            return UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
        }
    }
#endif
