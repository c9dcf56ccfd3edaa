#if JP2
    import CGannetShims
    import GannetCore

    /// One JPEG 2000 image. The header is read from boxes and markers by Gannet; OpenJPEG sees the codestream alone.
    struct JP2File: WholeFileFormat {
        static let headerBytes = Int.max

        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private let boxes: JP2Boxes
        private let channels: JP2Boxes.Channels
        private var codestream: JP2Codestream
        /// How often the delivered size is half of the file's.
        private let reduction: Int
        private var isWhole = false
        private(set) var header: ImageHeader
        let outputSize: PixelSize

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
            let wanted = options.scaledSize(for: header)
            var found = (times: 0, size: header.size)
            for times in 1..<max(codestream.levels + 1, 1) {
                guard let size = PixelSize(codestream.size(halved: times)), size.width >= wanted.width,
                    size.height >= wanted.height
                else { break }
                found = (times, size)
            }
            (reduction, outputSize) = found
        }

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
            return ImageHeader(
                format: .jp2, size: size, hasAlpha: channels.alpha != nil,
                orientation: boxes.exif.flatMap { EXIF.orientation(in: $0) } ?? .up, bitDepth: bits.max() ?? 8,
                colorSpace: ColorSpace(model: channels.colors.count == 1 ? .gray : .rgb, iccProfile: boxes.profile))
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
            let times = min(reduction, codestream.levels)
            let range = boxes.start..<min(boxes.end ?? bytes.count, bytes.count)
            let needed = codestream.workBytes(halved: times, encodedBytes: range.count)
            guard needed <= max(environment.limits.maximumDecodedBytes, 1 << 20) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "This JPEG 2000 image of \(header.size) needs \(needed) bytes beside its pixels. Raise maximumDecodedBytes, or ask for a smaller target size."
                )
            }
            let reservation = try environment.reserve(needed)
            defer { withExtendedLifetime(reservation) {} }
            let image = try JP2Image(
                bytes, range, reduction: times, threads: environment.threads, isTolerant: !isWhole, watch)
            try watch.check()
            let isDeep = buffer.layout.format == .rgba16
            let tables = self.tables(isDeep: isDeep)
            guard
                image.write(
                    tables, isYCC: channels.isYCC, isDeep: isDeep, skipped: reduction - times, into: &buffer)
            else {
                if !isWhole { return false }
                throw JP2Codestream.corrupt("a component has no samples")
            }
            if channels.alpha != nil, channels.isPremultiplied { buffer.setAlpha(.premultiplied) }
            return isWhole
        }

        /// Where the samples of red, green, blue and alpha are, and what they become.
        private func tables(isDeep: Bool) -> [JP2Image.Channel?] {
            let most = isDeep ? 65_535 : 255
            func channel(_ mapping: JP2Boxes.Mapping) -> JP2Image.Channel {
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
            let colors = channels.colors.map(channel)
            return (colors.count == 1 ? [colors[0], colors[0], colors[0]] : colors) + [channels.alpha.map(channel)]
        }
    }

    extension PixelSize {
        fileprivate init?(_ size: (width: Int, height: Int)) { self.init(width: size.width, height: size.height) }
    }
#endif
