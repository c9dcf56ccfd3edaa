#if PNG
    import GannetCore

    // Several sizes of a still in one pass.

    extension PNGDecoder: MultiSizeDecoder {
        var otherLayouts: [PixelLayout] {
            // Straight pixels are scaled as premultiplied ones, and an image at its own size is not: they share no row.
            guard header != nil, passesRows, shown.count == 1, !options.allowsPartial, options.alpha != .straight else {
                return []
            }
            return options.otherTargets.compactMap { layout(options.with($0)) }
        }

        func decodeSizes(into buffers: [SizeBuffer]) throws(ImageError) {
            try sticky { () throws(ImageError) in
                guard let file = parser.file, let layout = outputLayout, parser.sawImageData, shown.count == 1,
                    shown[0].data.isComplete, buffers.count == options.otherTargets.count + 1
                else {
                    throw ImageError(.misuse, stage: .decode, "Read the complete file, and hand over a buffer for each size.")
                }
                let (size, data) = (file.layout.size, shown[0].data)
                let rows = try environment.reserveRows(PNGRowReader.rowBytes(file.layout, width: size.width, format))
                defer { withExtendedLifetime(rows) {} }
                let reader = PNGRowReader(
                    file.layout, data, rope, width: size.width, height: size.height, watch: DecodeWatch(environment.limits))
                var sink = try PNGSizesSink(expander(file), from: size, buffers, environment.pool)
                guard try reader.stream({ _, y, row throws(ImageError) in sink.put(row, y) }) else {
                    throw PNGParser.corrupt("The image data end before the image does.")
                }
                for buffer in buffers {
                    buffer.edit { pixels in
                        pixels.setAlpha(layout.alpha)
                        if options.alpha == .opaque { pixels.deliver(.opaque) }
                    }
                }
            }
        }
    }

    /// Expands each row once, and hands it to all sizes.
    private struct PNGSizesSink: ~Copyable {
        private var expander: PNGExpander
        private var band: PixelBuffer
        private let outputs: [SizeOutput]
        private let width: Int

        init(
            _ expander: PNGExpander, from: PixelSize, _ buffers: [SizeBuffer], _ pool: PixelPool
        ) throws(ImageError) {
            let layout = PixelLayout(
                size: PixelSize(clamping: from.width, 1), format: expander.format, alpha: .premultiplied)
            let band = try PixelBuffer(layout, pool: pool)
            var outputs: [SizeOutput] = []
            for buffer in buffers { outputs.append(try SizeOutput(buffer, from: from, pool)) }
            (self.expander, self.outputs, width) = (expander, outputs, from.width)
            self.band = band
        }

        /// `row`: of the reader, valid until the call ends.
        mutating func put(_ row: UnsafePointer<UInt8>, _ y: Int) {
            let width = width
            var expander = expander
            band.withUnsafeRows { base, _ in expander.expand(row, to: base, pixels: width) }
            self.expander = expander
            for output in outputs { output.push(band, 1, at: y) }
        }
    }
#endif
