#if JXL
    import CJXL
    import GannetCore
    import GannetKernels

    /// A still that is small enough to be made of the image of an eighth of the size that a lossy JPEG XL begins with.
    ///
    /// This runs in Swift without unsafe memory. What it does not know is left to libjxl: ``draw(_:into:_:_:)`` says so.
    struct JXLSmallImage {
        let output: PixelSize
        private let shape: JXLLowFrequencyFrame.Shape
        private let table: Int
        private let colors: JXLLightColors

        /// The resampler gets so many quarters of the wanted size at least, of chroma too.
        private static let leastQuarters = 7

        /// Nil: the image is decoded at its own size.
        init?(_ file: JXLFile, _ header: ImageHeader, _ frames: JXLFrames?, _ options: ResolvedDecodeOptions) {
            output = options.scaledSize(for: header)
            guard Self.allow(options), !options.decodesDeep(header), let info = file.info, let frames, let only = frames.only,
                let shape = only.frame.lowFrequency
            else { return nil }
            let least = Self.leastQuarters * (shape.isHalved ? 4 : 2)
            let (columns, rows) = (output.width * least, output.height * least)
            guard columns <= header.size.width, rows <= header.size.height, shape.sections > 1, shape.width == header.size.width,
                shape.height == header.size.height
            else { return nil }
            guard info.num_extra_channels == 0, info.have_animation == 0, info.have_preview == 0, info.alpha_bits == 0,
                !shape.isXYB || JXLPlainLight.isTold(by: frames.codestream)
            else { return nil }
            let model: JXLLightColors.Model = shape.isXYB ? .xyb(white: info.intensity_target) : .yCbCr
            guard let colors = JXLLightColors(model, header.colorSpace, isGray: info.num_color_channels == 1) else { return nil }
            (self.shape, self.colors, table) = (shape, colors, only.table)
        }

        /// The samples are means of numbers, and of standard range.
        private static func allow(_ options: ResolvedDecodeOptions) -> Bool {
            options.region == nil && !options.usesLinearLight && !options.wantsHighRange
        }

        /// Memory besides the rows and the bytes: three planes, a part of them as coded, the places of the sections, and tables.
        var workBytes: Int { shape.columns * shape.rows * 12 + shape.sections * 48 + Self.tableBytes }
        private static let tableBytes = 3 << 20

        /// False: the frame has something that is not read here, or is damaged.
        func draw(
            _ codestream: [UInt8], into buffer: inout PixelBuffer, _ environment: DecodeEnvironment, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let frame: JXLLowFrequencyFrame
            do throws(JXLUnread) { frame = try JXLLowFrequencyFrame(codestream, shape, at: table) } catch { return false }
            guard let planes = try frame.planes({ () throws(ImageError) in try watch.check() }) else { return false }
            let size = PixelSize(clamping: shape.columns, shape.rows)
            let covered = SampledExtent(width: Double(shape.width) / 8, height: Double(shape.height) / 8)
            var resampler = try RowResampler(from: size, covered: covered, to: output, pool: environment.pool)
            let smoothing = JXLFlatSmoothing(steps: frame.quantization.steps)
            var rows = [[Float]](repeating: [Float](repeating: 0, count: size.width), count: 3)
            var pixels = [UInt8](repeating: 255, count: 4 * size.width)
            for y in 0..<size.height {
                if y & 63 == 0 { try watch.check() }
                if shape.smooths {
                    smoothing.row(y, of: planes, into: &rows)
                } else {
                    for plane in 0..<3 {
                        planes[plane].row(y, across: shape.across[plane], down: shape.down[plane], into: &rows[plane])
                    }
                }
                colors.write(rows, into: &pixels)
                resampler.push(pixels.span, into: &buffer)
            }
            buffer.setAlpha(.opaque)
            return true
        }
    }
#endif
