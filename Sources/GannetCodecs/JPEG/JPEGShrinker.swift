#if JPEG
    import CGannetKernels
    import GannetCore

    /// The source of decoded rows: the library, or the kernel for small images.
    protocol JPEGRowSource: ~Copyable {
        /// Reads at most `count` rows into `buffer` from row `y` on, and adds their number to `done`. False: it cannot
        /// continue.
        func readRows(into buffer: inout PixelBuffer, at y: Int, count: Int, done: inout Int) throws(ImageError) -> Bool
    }

    extension JPEGHandle: JPEGRowSource {}

    /// The owner of a kernel that decodes at an eighth, a quarter or half of the size, faster than the library and sharper. At
    /// the first invalid code it gives up, and the library handles the damaged file.
    struct JPEGShrinker: ~Copyable, JPEGRowSource {
        /// Reads the bytes of ``JPEGHandle/reading(_:_:)``, so it must not leave that call's closure.
        private let shrink: OpaquePointer
        private let watch: DecodeWatch
        private let widths: [Int]

        /// `scalings`: all sizes that it makes in one pass, the largest first, none twice. Nil: only the library supports the file.
        /// Throws `limitExceeded` for too many scans.
        init?(_ handle: borrowing JPEGHandle, _ scalings: [JPEGScaling], _ watch: DecodeWatch) throws(ImageError) {
            guard scalings.allSatisfy({ $0.eighths < 8 }), let made = try handle.shrinker(eighths: scalings.map(\.eighths))
            else { return nil }
            shrink = made
            self.watch = watch
            widths = scalings.map(\.decoded.width)
        }

        /// Its rows come while `handle` decodes the whole image. Nil: see above.
        init?(beside handle: borrowing JPEGHandle, _ scalings: [JPEGScaling], _ watch: DecodeWatch) {
            guard let made = handle.shrinkerBeside(eighths: scalings.map(\.eighths)) else { return nil }
            shrink = made
            self.watch = watch
            widths = scalings.map(\.decoded.width)
        }

        /// Passes over `rows` rows, then delivers `columns` of each: as many as the scaling says. False: it gave up.
        func keep(_ columns: Range<Int>, after rows: Int) throws(ImageError) -> Bool {
            precondition(columns.count == widths[0] && columns.lowerBound >= 0)
            guard gannet_jpeg_shrink_keep(shrink, columns.lowerBound, columns.count) else {
                throw JPEGHeaderScanner.corrupt("its rows are shorter than its header says")
            }
            // A row at a time is decoded with its neighbours, and nothing else looks at the clock.
            for row in stride(from: 0, to: rows, by: 64) {
                try watch.check()
                guard gannet_jpeg_shrink_skip(shrink, min(64, rows - row)) else { return false }
            }
            return true
        }

        /// What several threads may keep. It grows with the image: up to 0.25 bytes for each of its pixels at an eighth of the size, 0.72 at
        /// a quarter, 2.6 at half, and 0.3 more for all three. Larger images than some 400, 145 and 40 megapixels are decoded by one, row by row.
        private static let most = 100 << 20

        /// Lets up to `threads` threads decode the whole image, before its first row, and says how many do. Nil: one decodes, because the
        /// image is small, or there is no room for what they keep, or the system has no threads. `room` is for what they keep, until the
        /// last row.
        func divide(
            among threads: Int, of limits: DecodeLimits, _ budget: ResourceBudget
        ) -> (room: ResourceBudget.Reservation, threads: Int)? {
            guard threads > 1 else { return nil }
            let bytes = gannet_jpeg_shrink_dividing(shrink, Int32(clamping: threads))
            guard bytes > 0, bytes <= min(limits.maximumDecodedBytes, Self.most), let room = budget.reserveSpare(bytes) else {
                return nil
            }
            let started = Int(gannet_jpeg_shrink_divide(shrink))
            return started > 1 ? (room, started) : nil
        }

        /// Whether the other threads have read what comes next.
        var follows: Bool { gannet_jpeg_shrink_follows(shrink) }

        /// Memory in addition to the delivered rows.
        var bytes: Int { gannet_jpeg_shrink_bytes(shrink) }

        deinit { gannet_jpeg_shrink_destroy(shrink) }

        /// Rows of a size that come together: each size takes them before any takes the next ones.
        func bandRows(of size: Int) -> Int { Int(gannet_jpeg_shrink_band(shrink, size)) }

        /// Beside a handle: how many times the rows of a band can be taken now, of each size.
        var waitingBands: Int { Int(gannet_jpeg_shrink_waiting(shrink)) }

        /// Of the first size.
        func readRows(into buffer: inout PixelBuffer, at y: Int, count: Int, done: inout Int) throws(ImageError) -> Bool {
            try readRows(of: 0, into: &buffer, at: y, count: count, done: &done)
        }

        /// False: it gave up.
        func readRows(
            of size: Int, into buffer: inout PixelBuffer, at y: Int, count: Int, done: inout Int
        ) throws(ImageError) -> Bool {
            try watch.check()
            let room = min(count, buffer.size.height - y)
            precondition(y >= 0 && widths[size] == buffer.size.width && buffer.layout.format == .rgba8)
            let came = buffer.withUnsafeRows { base, stride in
                var came = 0
                while came < room, gannet_jpeg_shrink_row(shrink, size, base + (y + came) * stride) { came += 1 }
                return came
            }
            done += came
            return came == room
        }
    }
#endif
