#if JP2
    import CGannetShims
    import GannetCore
    import GannetKernels

    /// One JPEG 2000 image. The header is read from boxes and markers by Gannet; OpenJPEG sees the codestream alone.
    struct JP2File: WholeFileFormat {
        static let headerBytes = Int.max

        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private let boxes: JP2Boxes
        private let channels: JP2Boxes.Channels
        private var codestream: JP2Codestream
        private let scaling: JP2Scaling
        let decodesRegion: Bool
        private var isWhole = false
        private(set) var header: ImageHeader

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard let boxes = try JP2Boxes(head, environment.limits), let codestream = try JP2Codestream(head, at: boxes.start)
            else { return nil }
            self.options = options
            self.environment = environment
            self.boxes = boxes
            self.codestream = codestream
            channels = try boxes.channels(of: codestream.components)
            header = try Self.header(boxes, codestream, channels)
            // What is there of a damaged file is shown in its place in the whole.
            let asked = options.allowsPartial ? nil : (try? options.storedRegion(of: header)) ?? nil
            let isCountable = max(codestream.area.right, codestream.area.bottom) <= Int(Int32.max)
            let region = isCountable && codestream.hasAreas ? asked : nil
            decodesRegion = region != nil
            scaling = JP2Scaling(
                of: codestream, size: header.size, region: region, wanted: options.scaledSize(for: header),
                hasAlpha: header.hasAlpha)
        }

        var outputSize: PixelSize { scaling.output }

        private static func header(
            _ boxes: JP2Boxes, _ codestream: JP2Codestream, _ channels: JP2Boxes.Channels
        ) throws(ImageError) -> ImageHeader {
            guard let size = PixelSize(codestream.size(halved: 0)) else {
                throw JP2Codestream.corrupt("its size cannot be")
            }
            let used = channels.colors + (channels.alpha.map { [$0] } ?? [])
            let bits = used.map { mapping in
                mapping.column.flatMap { boxes.palette?.columns[$0].bits } ?? codestream.components[mapping.component].bits
            }
            for mapping in used {
                guard codestream.components[mapping.component].bits <= 31 else {
                    throw ImageError(
                        .unsupported, stage: .decode,
                        "The JPEG 2000 file has more than 31 bits a channel. Save it with 8 or 16.")
                }
            }
            let model: ColorSpace.Model =
                switch boxes.colors {
                case .gray: .gray
                case .cmyk: .cmyk
                case .lab: .lab
                case .rgb, .ycc: .rgb
                case nil: channels.colors.count == 1 ? .gray : .rgb
                }
            return ImageHeader(
                format: .jp2, size: size, hasAlpha: channels.alpha != nil,
                orientation: boxes.exif.flatMap { EXIF.orientation(in: $0) } ?? .up, bitDepth: bits.max() ?? 8,
                colorSpace: ColorSpace(model: model, iccProfile: boxes.profile))
        }

        /// Inks and L\*a\*b\* are converted here; others are delivered in the file's colours.
        var outputColorSpace: ColorSpace { channels.areInks || lab != nil ? .sRGB : header.colorSpace }

        private var lab: gannet_jp2_lab? {
            guard case .lab(let ranges) = boxes.colors else { return nil }
            return ranges.values(bits: channels.colors.map { min(depth(of: $0), 31) })
        }

        private func depth(of mapping: JP2Boxes.Mapping) -> Int {
            mapping.column.flatMap { boxes.palette?.columns[$0].bits } ?? codestream.components[mapping.component].bits
        }

        var exif: [UInt8]? { boxes.exif }
        var leastBytes: Int { boxes.end ?? 0 }

        mutating func complete(_ bytes: ByteRope) throws(ImageError) {
            let end = min(boxes.end ?? bytes.count, bytes.count)
            isWhole = try codestream.readTileParts(bytes.contiguous(), to: end)
            guard isWhole || options.allowsPartial else {
                throw ImageError(
                    .truncated, stage: .decode,
                    "The JPEG 2000 file ends before its image does. Load it again, or set allowsPartial to show what is there.")
            }
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            // A tile may have fewer resolutions than the main header says.
            let times = min(scaling.reduction, codestream.levels)
            let range = boxes.start..<min(boxes.end ?? bytes.count, bytes.count)
            var reservation: MemoryReservation?
            defer { withExtendedLifetime(reservation) {} }
            let image = try image(bytes, range, times, scaling.area, &reservation, watch)
            try watch.check()
            guard scaling.isScaled else {
                guard try write(image, times, into: &buffer, watch) else { return false }
                if channels.alpha != nil, channels.isPremultiplied { buffer.setAlpha(.premultiplied) }
                return isWhole
            }
            let layout = PixelLayout(size: scaling.part.size, format: buffer.layout.format, alpha: .opaque)
            let room = try environment.reserve(layout.byteCount)
            defer { withExtendedLifetime(room) {} }
            var part = try PixelBuffer(layout, pool: environment.pool)
            guard try write(image, times, into: &part, watch) else { return false }
            var resampler = try RowResampler(
                from: layout.size, covered: scaling.covered, to: scaling.output, format: layout.format, pool: environment.pool)
            for y in 0..<layout.size.height { resampler.push(part.row(y), into: &buffer) }
            return isWhole
        }

        private func image(
            _ bytes: [UInt8], _ range: Range<Int>, _ times: Int, _ area: JP2Codestream.Area?,
            _ reservation: inout MemoryReservation?, _ watch: DecodeWatch
        ) throws(ImageError) -> JP2Image {
            reservation = nil
            let needed = codestream.workBytes(halved: times, of: area, encodedBytes: range.count)
            guard needed <= max(environment.limits.maximumDecodedBytes, 1 << 20) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "This JPEG 2000 image of \(header.size) needs \(needed) bytes beside its pixels. Raise maximumDecodedBytes, or ask for a smaller target size."
                )
            }
            reservation = try environment.reserve(needed)
            do throws(ImageError) {
                return try JP2Image(
                    bytes, range, reduction: times, area: area, threads: environment.threads, isTolerant: !isWhole, watch)
            } catch {
                // OpenJPEG reads packets more leniently than it passes over them.
                let whole = codestream.workBytes(halved: times, of: nil, encodedBytes: range.count)
                guard area != nil, error.code == .corrupt, whole <= max(environment.limits.maximumDecodedBytes, 1 << 20) else {
                    throw error
                }
                return try image(bytes, range, times, nil, &reservation, watch)
            }
        }

        /// False: a component is missing, of a file that is not whole.
        private func write(
            _ image: borrowing JP2Image, _ times: Int, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let isDeep = buffer.layout.format == .rgba16
            let skipped = scaling.reduction - times
            let origin = codestream.origin(halved: times)
            let start = (x: origin.x + scaling.part.x << skipped, y: origin.y + scaling.part.y << skipped)
            // Four inks take the places of four channels of 8 bits.
            let isThere = try image.write(
                tables(isDeep: isDeep), isYCC: channels.isYCC, lab: lab, isDeep: isDeep && !channels.areInks, from: start,
                skipped: skipped, into: &buffer, watch)
            if !isThere, isWhole { throw JP2Codestream.corrupt("a component has no samples") }
            if isThere, channels.areInks {
                let converter = options.color == .sRGB ? environment.inkConverter(boxes.profile) : nil
                try buffer.convertInks(by: converter, rows: buffer.size.height, watch)
            }
            return isThere
        }

        /// Where the samples of red, green, blue and alpha are, and what they become.
        private func tables(isDeep: Bool) -> [JP2Image.Channel?] {
            func channel(_ mapping: JP2Boxes.Mapping, _ most: Int) -> JP2Image.Channel {
                if let column = mapping.column, let palette = boxes.palette {
                    let last = (1 << palette.columns[column].bits) - 1
                    return JP2Image.Channel(
                        component: mapping.component,
                        table: palette.columns[column].values.map { UInt16((min($0, last) * most + last / 2) / last) })
                }
                let last = (1 << min(codestream.components[mapping.component].bits, 16)) - 1
                return JP2Image.Channel(
                    component: mapping.component, table: (0...last).map { UInt16(($0 * most + last / 2) / last) })
            }
            let most = isDeep ? 65_535 : 255
            let colors = channels.colors.map { channel($0, channels.areInks ? 255 : lab == nil ? most : 65_535) }
            if channels.areInks { return colors }
            let shown = colors.count == 1 ? [colors[0], colors[0], colors[0]] : colors
            return shown + [channels.alpha.map { channel($0, most) }]
        }
    }

    extension PixelSize {
        init?(_ size: (width: Int, height: Int)) { self.init(width: size.width, height: size.height) }
    }
#endif
