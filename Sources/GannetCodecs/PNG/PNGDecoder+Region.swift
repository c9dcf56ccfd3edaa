#if PNG
    import GannetCore
    import GannetKernels

    // A part of a still: rows are read up to its last one, and of each only the part is kept.

    extension PNGDecoder: RegionDecoder {
        var decodesRegion: Bool {
            guard let header, let file = parser.file, passesRows, !options.allowsPartial, region(of: header) != nil else {
                return false
            }
            // A row of an image that is much wider than the region must not need more memory than an image may.
            return PNGRowReader.rowBytes(file.layout, width: header.size.width, format) <= environment.limits.maximumDecodedBytes
        }

        /// Nil also where it lies outside, which is refused elsewhere.
        func region(of header: ImageHeader) -> PixelRect? { (try? options.storedRegion(of: header)) ?? nil }

        func paint(
            _ region: PixelRect, _ file: PNGFile, _ data: PNGData, _ watch: DecodeWatch, into buffer: inout PixelBuffer
        ) throws(ImageError) {
            let size = file.layout.size
            let rows = try environment.reserveRows(PNGRowReader.rowBytes(file.layout, width: size.width, format))
            defer { withExtendedLifetime(rows) {} }
            let reader = PNGRowReader(file.layout, data, rope, width: size.width, height: size.height, watch: watch)
            var sink = try PNGRegionSink(expander(file), region, of: file.layout, to: buffer.size, environment.pool)
            let isThere = try reader.stream(region, with: environment.memory) { _, y, row throws(ImageError) in
                if y >= region.y { sink.put(row, at: y - region.y, into: &buffer) }
            }
            guard isThere else {
                throw data.isComplete ? PNGParser.corrupt("The image data end before the image does.") : Self.truncated
            }
            buffer.setAlpha(outputLayout?.alpha ?? .opaque)
            if options.alpha == .opaque { buffer.deliver(.opaque) }
        }
    }

    /// Expands the part of rows, and writes it into a buffer of the region's size, or resamples it into a smaller one.
    private struct PNGRegionSink: ~Copyable {
        private var expander: PNGExpander
        /// Of one row: the part, from a pixel on that begins a byte.
        private var band: PixelBuffer
        private var resampler: RowResampler?
        private let width: Int
        /// Where they begin in a row of the file.
        private let offset: Int
        /// Those of the part in `band`.
        private let bytes: Range<Int>

        init(
            _ expander: PNGExpander, _ region: PixelRect, of layout: PNGFile.Layout, to output: PixelSize, _ pool: PixelPool
        ) throws(ImageError) {
            let first = region.x & ~7
            let width = region.x + region.width - first
            let size = PixelSize(clamping: width, 1)
            let band = try PixelBuffer(PixelLayout(size: size, format: expander.format, alpha: .premultiplied), pool: pool)
            let isScaled = output != region.size
            resampler = isScaled ? try RowResampler(from: region.size, to: output, format: expander.format, pool: pool) : nil
            let pixel = expander.format.bytesPerPixel
            bytes = (region.x - first) * pixel..<width * pixel
            (self.expander, self.width, offset) = (expander, width, layout.rowBytes(first))
            self.band = band
        }

        /// `row`: of the reader, valid until the call ends. `y`: in the region.
        mutating func put(_ row: UnsafePointer<UInt8>, at y: Int, into buffer: inout PixelBuffer) {
            let (width, part) = (width, row + offset)
            var expander = expander
            band.withUnsafeRows { base, _ in expander.expand(part, to: base, pixels: width) }
            self.expander = expander
            if !Self.push(band, bytes, &resampler, &buffer) { Self.copy(band, bytes.lowerBound, into: &buffer, at: y) }
        }

        /// False: nothing is resampled.
        private static func push(
            _ band: borrowing PixelBuffer, _ bytes: Range<Int>, _ resampler: inout RowResampler?, _ buffer: inout PixelBuffer
        ) -> Bool {
            resampler?.push(band.row(0).extracting(bytes), into: &buffer) != nil
        }

        private static func copy(_ band: borrowing PixelBuffer, _ first: Int, into buffer: inout PixelBuffer, at y: Int) {
            let source = band.row(0)
            var target = buffer.mutableRow(y)
            for index in target.indices { target[index] = source[first + index] }
        }
    }
#endif
