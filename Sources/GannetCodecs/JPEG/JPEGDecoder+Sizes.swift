#if JPEG
    import GannetCore

    // Several sizes at once. The kernel makes an eighth, a quarter and half of the size in one pass. Whole rows are the library's, in another;
    // a progressive file's are made of the same codes.

    extension JPEGDecoder: MultiSizeDecoder {
        var otherLayouts: [PixelLayout] {
            // A file that may be damaged ends at another row for each size.
            guard let header, !options.allowsPartial else { return [] }
            return options.otherTargets.map { PixelLayout(size: scaling(header, $0).output, alpha: .opaque) }
        }

        private func scaling(_ header: ImageHeader, _ target: DecodeTarget) -> JPEGScaling {
            JPEGScaling(for: header, options: options.with(target))
        }

        func decodeSizes(into buffers: [SizeBuffer]) throws(ImageError) {
            try sticking { () throws(ImageError) in
                let targets = [options.target] + options.otherTargets
                guard let header, rope.isComplete, buffers.count == targets.count else {
                    throw ImageError(.misuse, stage: .decode, "Read the complete file, and hand over a buffer for each size.")
                }
                var sizes: [JPEGSize] = []
                for (target, buffer) in zip(targets, buffers) {
                    sizes.append(JPEGSize(scaling: scaling(header, target), buffer: buffer))
                }
                try decode(Self.scales(sizes.filter(\.isForKernel)), Self.scales(sizes.filter { !$0.isForKernel }), header)
                for buffer in buffers { buffer.edit { $0.setAlpha(.opaque) } }
            }
        }

        /// `small`: the scales of the kernel. Where it cannot read all at once, it may still read some of them, which need fewer scans.
        private func decode(_ small: [[JPEGSize]], _ others: [[JPEGSize]], _ header: ImageHeader) throws(ImageError) {
            if let whole = others.first, !small.isEmpty {
                let isDone = try decode(whole, beside: small, header)
                if isDone { return }
            }
            let isShared = small.count > 1 ? try shrink(small, header) : false
            for scale in isShared ? [] : small {
                let isDone = try shrink([scale], header)
                if !isDone { try decode(scale, header) }
            }
            for scale in others { try decode(scale, header) }
        }

        /// Those that are decoded at the same eighths together, the largest first.
        private static func scales(_ sizes: [JPEGSize]) -> [[JPEGSize]] {
            Dictionary(grouping: sizes, by: \.scaling.eighths).sorted { $0.key > $1.key }.map(\.value)
        }

        /// All of them in one pass of the kernel. False: the file is unsuitable or damaged.
        private func shrink(_ scales: [[JPEGSize]], _ header: ImageHeader) throws(ImageError) -> Bool {
            try readShrunk(header, scales.map { $0[0].scaling }) { shrinker throws(ImageError) in
                var sinks: [JPEGScaleSink] = []
                for sizes in scales { sinks.append(try JPEGScaleSink(sizes, inks: nil, environment.pool)) }
                if sinks.count == 1 { return try sinks[0].take(.max, of: shrinker) }
                // All end with the same band.
                while !sinks[0].isFull {
                    guard try Self.takeBands(shrinker, sinks) else { return false }
                }
                return true
            }
        }

        /// A progressive file's codes are read once: the library makes the whole image of them, and the kernel the small ones. False: the
        /// file is unsuitable or damaged.
        private func decode(
            _ whole: [JPEGSize], beside small: [[JPEGSize]], _ header: ImageHeader
        ) throws(ImageError) -> Bool {
            guard header.isProgressive else { return false }
            let handle = try JPEGHandle(limits, isStrict: true)
            var reservation: ResourceBudget.Reservation?
            defer { withExtendedLifetime(reservation) {} }
            do throws(ImageError) {
                return try reading(handle, header, from: nil) { () throws(ImageError) in
                    guard try handle.joinScans(eighths: 8, byKernel: true),
                        let shrinker = JPEGShrinker(beside: handle, small.map { $0[0].scaling }, DecodeWatch(limits))
                    else { return false }
                    // Less at once may still fit.
                    reservation = try? Self.reserve(handle.coefficientBytes + shrinker.bytes, of: handle.size, environment)
                    guard reservation != nil else { return false }
                    _ = try handle.start(eighths: 8, byScan: false)
                    let sink = try JPEGScaleSink(whole, inks: nil, environment.pool)
                    var sinks: [JPEGScaleSink] = []
                    for sizes in small { sinks.append(try JPEGScaleSink(sizes, inks: nil, environment.pool)) }
                    while !sink.isFull {
                        guard try sink.take(handle.blockRows, of: handle) else { return false }
                        for _ in 0..<shrinker.waitingBands {
                            guard try Self.takeBands(shrinker, sinks) else { return false }
                        }
                    }
                    if handle.endedEarly, handle.isIncomplete { throw JPEGHandle.truncated }
                    return sinks.allSatisfy(\.isFull)
                }
            } catch {
                guard handle.gaveUp else { throw error }
                return false
            }
        }

        /// The rows of each size that come together. False: the kernel gave up.
        private static func takeBands(
            _ shrinker: borrowing JPEGShrinker, _ sinks: [JPEGScaleSink]
        ) throws(ImageError) -> Bool {
            for (index, sink) in sinks.enumerated() {
                guard try sink.takeBand(shrinker, index) else { return false }
            }
            return true
        }

        /// In one pass of the library.
        private func decode(_ sizes: [JPEGSize], _ header: ImageHeader) throws(ImageError) {
            let inks = header.colorSpace.isFourChannel ? JPEGInks(converter: colorConverter(header)) : nil
            try readWhole(header, sizes[0].scaling) { handle throws(ImageError) in
                let sink = try JPEGScaleSink(sizes, inks: inks, environment.pool)
                _ = try sink.take(.max, of: handle)
            }
        }
    }

    /// One of the sizes, and where it goes.
    struct JPEGSize {
        var scaling: JPEGScaling
        var buffer: SizeBuffer

        fileprivate var isForKernel: Bool { scaling.isForShrinker }
    }

    /// Takes the rows of one scale from their source once, and hands each to all sizes that are made of it.
    private final class JPEGScaleSink {
        private var rows = 0
        private let decoded: PixelSize
        private let inks: JPEGInks?
        private var band: PixelBuffer
        private let outputs: [SizeOutput]

        private static let bandRows = 16

        init(_ sizes: [JPEGSize], inks: JPEGInks?, _ pool: PixelPool) throws(ImageError) {
            let decoded = sizes[0].scaling.decoded
            let layout = PixelLayout(size: PixelSize(clamping: decoded.width, Self.bandRows), alpha: .opaque)
            let band = try PixelBuffer(layout, pool: pool)
            var outputs: [SizeOutput] = []
            for size in sizes {
                outputs.append(try SizeOutput(size.buffer, from: decoded, covered: size.scaling.covered, pool))
            }
            (self.decoded, self.inks, self.outputs) = (decoded, inks, outputs)
            self.band = band
        }

        var isFull: Bool { rows == decoded.height }

        /// As many rows, or those that are left. False: it gave up.
        func take(_ count: Int, of source: borrowing some JPEGRowSource & ~Copyable) throws(ImageError) -> Bool {
            try take(count) { (band, count, came) throws(ImageError) in
                try source.readRows(into: &band, at: 0, count: count, done: &came)
            }
        }

        /// The rows of the kernel's size `index` that come with the next ones of the other sizes. False: it gave up.
        func takeBand(_ shrinker: borrowing JPEGShrinker, _ index: Int) throws(ImageError) -> Bool {
            try take(shrinker.bandRows(of: index)) { (band, count, came) throws(ImageError) in
                try shrinker.readRows(of: index, into: &band, at: 0, count: count, done: &came)
            }
        }

        private func take(
            _ count: Int, _ read: (inout PixelBuffer, Int, inout Int) throws(ImageError) -> Bool
        ) throws(ImageError) -> Bool {
            let end = rows + min(count, decoded.height - rows)
            while rows < end {
                var came = 0
                let goesOn = try read(&band, min(Self.bandRows, end - rows), &came)
                push(came)
                if !goesOn { return false }
            }
            return true
        }

        private func push(_ count: Int) {
            inks?.convert(&band, 0..<count)
            for output in outputs { output.push(band, count, at: rows) }
            rows += count
        }
    }
#endif
