#if JPEG
    import GannetCore

    // Several sizes at once. The kernel makes an eighth, a quarter and half of the size in one pass; whole rows are the library's, in another.

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
                let (kernels, others) = (Self.scales(sizes.filter(\.isForKernel)), Self.scales(sizes.filter { !$0.isForKernel }))
                // What the kernel cannot read at once may still be read for the smaller sizes alone: they need fewer scans.
                let isShared = kernels.count > 1 ? try shrink(kernels, header) : false
                for scale in isShared ? [] : kernels {
                    if try !shrink([scale], header) { try decode(scale, header) }
                }
                for scale in others { try decode(scale, header) }
                for buffer in buffers { buffer.edit { $0.setAlpha(.opaque) } }
            }
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
                if sinks.count == 1 { return try sinks[0].drain(shrinker) }
                // All end with the same band.
                while !sinks[0].isFull {
                    for (index, sink) in sinks.enumerated() {
                        guard try sink.takeBand(shrinker, index) else { return false }
                    }
                }
                return true
            }
        }

        /// In one pass of the library.
        private func decode(_ sizes: [JPEGSize], _ header: ImageHeader) throws(ImageError) {
            let inks = header.colorSpace.isFourChannel ? JPEGInks(converter: colorConverter(header)) : nil
            try readWhole(header, sizes[0].scaling) { handle throws(ImageError) in
                let sink = try JPEGScaleSink(sizes, inks: inks, environment.pool)
                _ = try sink.drain(handle)
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

        /// True: all rows came.
        func drain(_ source: borrowing some JPEGRowSource & ~Copyable) throws(ImageError) -> Bool {
            while !isFull {
                var came = 0
                let goesOn = try source.readRows(into: &band, at: 0, count: next(Self.bandRows), done: &came)
                push(came)
                if !goesOn { return false }
            }
            return true
        }

        /// The rows of the kernel's size `index` that come with the next ones of the other sizes. False: it gave up.
        func takeBand(_ shrinker: borrowing JPEGShrinker, _ index: Int) throws(ImageError) -> Bool {
            let end = rows + next(shrinker.bandRows(of: index))
            while rows < end {
                var came = 0
                let goesOn = try shrinker.readRows(
                    of: index, into: &band, at: 0, count: min(Self.bandRows, end - rows), done: &came)
                push(came)
                if !goesOn { return false }
            }
            return true
        }

        private func next(_ count: Int) -> Int { min(count, decoded.height - rows) }

        private func push(_ count: Int) {
            inks?.convert(&band, 0..<count)
            for output in outputs { output.push(band, count, at: rows) }
            rows += count
        }
    }
#endif
