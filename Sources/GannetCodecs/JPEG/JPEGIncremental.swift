#if JPEG
    import GannetCore

    /// Decodes while bytes arrive: each byte is decoded once, and the result can be shown at any time.
    ///
    /// Single-scan files are decoded row by row into a canvas reserved from the budget. Multi-scan files keep their
    /// coefficients, and each preview is made from all complete scans.
    final class JPEGIncremental {
        private enum State { case header, starting, rows, scans }

        private let header: ImageHeader
        private let scaling: JPEGScaling
        private let environment: DecodeEnvironment
        private let colors: (any ColorConverter)?
        private let handle: JPEGHandle
        private var input = JPEGInput()
        private var state = State.header
        private var reservation: ResourceBudget.Reservation?

        private var canvas: PixelBuffer?
        private var sink: JPEGRowSink
        /// Finished rows in the last preview, and the scan it showed.
        private var shownRows = 0
        private var shownScan = 0
        private var lastRow = Int.max
        /// The image was read to its end.
        private(set) var isWhole = false

        init(
            _ header: ImageHeader, _ scaling: JPEGScaling, _ environment: DecodeEnvironment, colors: (any ColorConverter)?,
            isStrict: Bool
        ) throws(ImageError) {
            self.header = header
            self.scaling = scaling
            self.environment = environment
            self.colors = colors
            handle = try JPEGHandle(environment.limits, isStrict: isStrict)
            sink = try JPEGRowSink(header, scaling, colors: colors, pool: environment.pool)
        }

        var hasRows: Bool { state == .rows && sink.finishedRows > 0 }
        var hasManyScans: Bool { state == .scans }
        /// Scans read to their end.
        var completeScans: Int { state == .scans ? (isWhole ? handle.inputScan : handle.inputScan - 1) : 0 }
        var isDamaged: Bool { handle.isDamaged || handle.endedEarly }
        var lacksData: Bool { handle.endedEarly && (handle.isDamaged || handle.isIncomplete) }

        /// Starts the time limit of the following calls.
        func begin() { handle.renew(DecodeWatch(environment.limits)) }

        /// Decodes the new bytes of `rope`. `holdsEnd`: the end of the bytes is a pause, not the end of the file.
        func advance(_ rope: ByteRope, holdsEnd: Bool = false) throws(ImageError) {
            input.append(rope)
            if holdsEnd { input.isLast = false }
            try goOn()
        }

        /// Treats the bytes as complete: the library invents the rest. Only for sessions that are not strict.
        func endHere() throws(ImageError) {
            handle.endHere(&input)
            // Include the row of blocks in which the bytes end; the library's further rows are plain grey.
            lastRow = sink.rows + handle.blockRows * scaling.eighths / 8 + 1
            try goOn()
        }

        private func goOn() throws(ImageError) {
            guard !isWhole else { return }
            try handle.reading(&input) { () throws(ImageError) in
                if state == .header {
                    guard try handle.readHeader() else { return }
                    guard handle.size == header.size else { throw JPEGHeaderScanner.corrupt("its header contradicts itself") }
                    reservation = try reserve()
                    state = .starting
                }
                if state == .starting {
                    guard try handle.start(eighths: scaling.eighths, byScan: handle.hasManyScans) else { return }
                    if !handle.hasManyScans { canvas = try PixelBuffer(layout, pool: environment.pool) }
                    state = handle.hasManyScans ? .scans : .rows
                }
                switch state {
                case .rows:
                    guard var own = canvas.take() else { return }
                    do throws(ImageError) {
                        isWhole = try sink.drain(handle, into: &own, until: lastRow)
                        canvas = consume own
                    } catch {
                        canvas = consume own
                        throw error
                    }
                default: isWhole = try handle.absorb()
                }
            }
        }

        private var layout: PixelLayout { PixelLayout(size: scaling.output, alpha: .opaque) }

        private func reserve() throws(ImageError) -> ResourceBudget.Reservation {
            try JPEGDecoder.reserve(
                handle.hasManyScans ? handle.coefficientBytes : layout.byteCount, of: handle.size, environment)
        }

        /// Draws the current preview. False: nothing new since the last call.
        func preview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            switch state {
            case .header, .starting: return false
            case .rows:
                guard sink.finishedRows > shownRows else { return false }
                shownRows = sink.finishedRows
                copyCanvas(into: &buffer, rows: shownRows)
            case .scans:
                guard completeScans > shownScan else { return false }
                shownScan = completeScans
                try output(scan: shownScan, into: &buffer)
            }
            buffer.setAlpha(.opaque)
            return true
        }

        /// Draws the final image. Missing rows get the mean colour of those above.
        func finish(into buffer: inout PixelBuffer) throws(ImageError) {
            if state == .scans {
                try output(scan: max(1, handle.inputScan), into: &buffer)
            } else {
                copyCanvas(into: &buffer, rows: sink.finishedRows)
            }
            buffer.setAlpha(.opaque)
        }

        private func copyCanvas(into buffer: inout PixelBuffer, rows: Int) {
            if let own = canvas.take() {
                Self.copy(own, into: &buffer, rows: rows)
                canvas = consume own
            }
            JPEGRowSink.fill(&buffer, from: rows)
        }

        private static func copy(_ own: borrowing PixelBuffer, into buffer: inout PixelBuffer, rows: Int) {
            for y in 0..<rows {
                let source = own.row(y)
                var target = buffer.mutableRow(y)
                target.copy(from: source)
            }
        }

        private func output(scan: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            var sink = try JPEGRowSink(header, scaling, colors: colors, pool: environment.pool)
            try handle.reading(&input) { () throws(ImageError) in
                guard try handle.startOutput(scan: scan), try sink.drain(handle, into: &buffer), try handle.finishOutput() else {
                    throw JPEGHeaderScanner.corrupt("a scan that was complete is not")
                }
            }
        }
    }

    extension MutableSpan<UInt8> {
        /// Both spans have the same length.
        @_lifetime(self: copy self)
        fileprivate mutating func copy(from other: Span<UInt8>) {
            withUnsafeMutableBytes { target in
                other.withUnsafeBytes { source in target.copyMemory(from: source) }
            }
        }
    }
#endif
