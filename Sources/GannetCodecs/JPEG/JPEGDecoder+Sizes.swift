#if JPEG
    import GannetCore

    // Several sizes at once: those that are decoded at the same eighths share a pass.

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
                while let first = sizes.first {
                    let isShared = { (size: JPEGSize) in size.scaling.sharesPass(with: first.scaling) }
                    try decode(sizes.filter(isShared), header)
                    sizes.removeAll(where: isShared)
                }
                for buffer in buffers { buffer.edit { $0.setAlpha(.opaque) } }
            }
        }

        /// In one pass.
        private func decode(_ sizes: [JPEGSize], _ header: ImageHeader) throws(ImageError) {
            let scaling = sizes[0].scaling
            let isDone = try readShrunk(header, scaling) { shrinker throws(ImageError) in
                var sink = try JPEGSizesSink(sizes, inks: nil, environment.pool)
                return try sink.drain(shrinker)
            }
            if isDone { return }
            let inks = header.colorSpace.isFourChannel ? JPEGInks(converter: colorConverter(header)) : nil
            try readWhole(header, scaling) { handle throws(ImageError) in
                var sink = try JPEGSizesSink(sizes, inks: inks, environment.pool)
                _ = try sink.drain(handle)
            }
        }
    }

    extension JPEGScaling {
        fileprivate func sharesPass(with other: JPEGScaling) -> Bool {
            eighths == other.eighths && isForShrinker == other.isForShrinker
        }
    }

    /// One of the sizes, and where it goes.
    struct JPEGSize {
        var scaling: JPEGScaling
        var buffer: SizeBuffer
    }

    /// Takes rows from their source once, and hands each to all sizes.
    struct JPEGSizesSink: ~Copyable {
        private var rows = 0
        private let decoded: PixelSize
        private let inks: JPEGInks?
        private var band: PixelBuffer
        private let outputs: [SizeOutput]

        private static let bandRows = 16

        /// All of them share a pass.
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

        /// True: all rows came.
        mutating func drain(_ source: borrowing some JPEGRowSource & ~Copyable) throws(ImageError) -> Bool {
            while rows < decoded.height {
                var came = 0
                let goesOn = try source.readRows(
                    into: &band, at: 0, count: min(Self.bandRows, decoded.height - rows), done: &came)
                inks?.convert(&band, 0..<came)
                for output in outputs { output.push(band, came, at: rows) }
                rows += came
                if !goesOn { return false }
            }
            return true
        }
    }
#endif
