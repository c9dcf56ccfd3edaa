#if Radiance || PFM || TIFF
    import GannetCore
    import GannetKernels

    /// Files whose numbers are amounts of light: 1 is the white of an image in standard range, and there is no largest one. They are
    /// delivered as PQ, so that all that follows treats them as other images with more light than white.
    struct SceneLight {
        /// PQ of BT.2100 in 16 bits, by the upper half of a number's bits: 128 steps for each doubling, and between them a straight line.
        static let signals: [Float] = (0...infinity).map { index in
            let light = Double(Float(bitPattern: UInt32(index) << 16))
            return Float(PQ.signal(of: min(light * DynamicRange.white, PQ.peak)) * 65_535)
        }

        /// The upper half of infinity.
        private static let infinity = 0x7F80

        /// Less than 0, and what is no number, is no light.
        static func signal(_ light: Float, _ signals: Span<Float>) -> UInt16 {
            guard light > 0 else { return 0 }
            let bits = light.bitPattern
            let index = Int(bits >> 16)
            guard index < infinity else { return .max }
            let part = Float(bits & 0xFFFF) / 65_536
            return UInt16(signals[index] + (signals[index + 1] - signals[index]) * part + 0.5)
        }

        /// Primaries of H.273.
        static func colorSpace(_ model: ColorSpace.Model, primaries: Int = 1) -> ColorSpace {
            var colors = ColorSpace(
                model: model, cicp: CICP(primaries: primaries, transfer: 16, matrix: 0, isFullRange: true))
            colors.isLinear = true
            return colors
        }

        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment

        init(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) {
            self.options = options
            self.environment = environment
        }

        /// The size to which an image with this header is reduced while its rows are read.
        func outputSize(_ header: ImageHeader) -> PixelSize {
            let scaled = options.scaledSize(for: header)
            return scaled.width <= header.size.width && scaled.height <= header.size.height ? scaled : header.size
        }

        /// Fills `buffer`, and returns the colours of what is in it, with the brightest light of the file, whatever its size is. Not whole:
        /// the bytes ended early.
        func decode(
            _ rows: consuming some LightRows, _ header: ImageHeader, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> (colors: ColorSpace, isWhole: Bool) {
            let size = header.size
            let isDeep = buffer.layout.format == .rgba16
            // A row of light, one of pixels, and the bytes of one.
            let reservation = try environment.reserve(size.width * (12 + buffer.layout.format.bytesPerPixel + 4))
            defer { withExtendedLifetime(reservation) {} }
            var light = [Float](repeating: 0, count: size.width * 3)
            var line = [UInt8](repeating: 0, count: size.width * buffer.layout.format.bytesPerPixel)
            var peak: Float = 0
            var isWhole = true
            let isShrinking = buffer.size != size
            var resampler: RowResampler?
            if isShrinking {
                resampler = try RowResampler(
                    from: size, to: buffer.size, format: buffer.layout.format, pool: environment.pool)
            }
            let first = rows.first
            if isShrinking {
                for y in 0..<first {
                    if y & 15 == 0 { try watch.check() }
                    resampler?.push(line.span, into: &buffer)
                }
            }
            for index in line.indices { line[index] = 255 }
            for y in first..<size.height {
                if y & 15 == 0 { try watch.check() }
                isWhole = try rows.read(y, into: &light)
                guard isWhole else { break }
                peak = max(peak, Self.write(light.span, into: &line, isDeep: isDeep))
                if isShrinking {
                    resampler?.push(line.span, into: &buffer)
                } else {
                    var row = buffer.mutableRow(y)
                    for index in row.indices { row[index] = line[index] }
                }
            }
            var colors = header.colorSpace
            colors.brightest = Self.brightest(peak)
            return (colors, isWhole && first == 0)
        }

        /// cd/m².
        static func brightest(_ peak: Float) -> Int {
            Int(min(max((Double(peak) * DynamicRange.white).rounded(.up), 1), PQ.peak))
        }

        /// Returns the brightest finite number.
        private static func write(_ light: Span<Float>, into line: inout [UInt8], isDeep: Bool) -> Float {
            var peak: Float = 0
            let signals = Self.signals
            let table = signals.span
            var bytes = line.mutableSpan
            for x in 0..<light.count / 3 {
                for channel in 0..<3 {
                    let value = light[3 * x + channel]
                    if value > peak, value < .infinity { peak = value }
                    let signal = signal(value, table)
                    let place = 4 * x + channel
                    if isDeep {
                        bytes[2 * place] = UInt8(truncatingIfNeeded: signal)
                        bytes[2 * place + 1] = UInt8(truncatingIfNeeded: signal >> 8)
                    } else {
                        bytes[place] = UInt8((UInt32(signal) * 255 + 32_895) >> 16)
                    }
                }
            }
            return peak
        }
    }

    /// Light, row by row from the top: three numbers for each pixel.
    protocol LightRows {
        /// Rows above it are missing, and stay clear.
        var first: Int { get }
        /// False: the bytes end before the row does.
        mutating func read(_ y: Int, into light: inout [Float]) throws(ImageError) -> Bool
    }

    extension LightRows {
        var first: Int { 0 }
    }
#endif
