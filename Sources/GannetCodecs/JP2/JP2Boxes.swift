#if JP2
    import GannetCore

    /// What the boxes of a JP2 file say (ISO/IEC 15444-1, annex I): colours, palette, the meaning of channels; or, for a bare
    /// codestream, what other programs assume.
    struct JP2Boxes {
        static let signature: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

        enum Colors: Equatable {
            case gray, rgb, ycc, cmyk
            case lab(JP2Lab)
        }

        struct Palette {
            /// The bits of each column, and its values.
            var columns: [(bits: Int, values: [Int])]
        }

        struct Mapping {
            var component: Int
            /// Nil: the component itself.
            var column: Int?
        }

        /// Of the codestream.
        private(set) var start = 0
        /// The end of the codestream; nil: that of the file.
        private(set) var end: Int?
        private(set) var isBare = false
        private(set) var colors: Colors?
        private(set) var profile: [UInt8] = []
        private(set) var palette: Palette?
        private(set) var exif: [UInt8]?
        private var mappings: [Mapping]?
        private var definitions: [(channel: Int, type: Int, association: Int)] = []
        /// Why no colours were found.
        private var unknownColors: Int?

        /// Nil: the codestream has not begun. Throws `corrupt`, `unsupported` and `limitExceeded`.
        init?(_ bytes: [UInt8], _ limits: DecodeLimits) throws(ImageError) {
            guard bytes.count >= Self.signature.count else { return nil }
            guard bytes.starts(with: Self.signature) else {
                isBare = true
                return
            }
            let boxes = ISOBoxes(bytes: bytes)
            var position = 0
            while true {
                guard position + 16 <= bytes.count else { return nil }
                var length = boxes.number(position, 4)
                let header = length == 1 ? 16 : 8
                if length == 1 { length = boxes.number(position + 8, 8) }
                let isLast = length == 0
                guard isLast || length >= header else { throw JP2Codestream.corrupt("a box is shorter than its name") }
                let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
                let (next, isOver) = position.addingReportingOverflow(length)
                if type == "jp2c" {
                    start = position + header
                    end = isLast ? nil : isOver ? Int.max : next
                    break
                }
                guard !isLast, !isOver, next <= bytes.count else { return nil }
                if type == "jp2h" { try readHeader(boxes, position + header..<next, limits) }
                if type == "uuid" { try readEXIF(bytes[position + header..<next], limits) }
                position = next
            }
            if palette != nil, mappings == nil { throw JP2Codestream.corrupt("its palette has no mapping") }
            if palette == nil { mappings = nil }
            guard colors != nil else {
                throw ImageError(
                    .unsupported, stage: .decode,
                    "The JPEG 2000 file's colours (\(unknownColors.map { "\($0)" } ?? "none named")) are not read here. Save it as RGB, grey, CMYK or L*a*b*."
                )
            }
        }

        private static let uuidOfEXIF = Array("JpgTiffExif->JP2".utf8)

        private mutating func readEXIF(_ content: ArraySlice<UInt8>, _ limits: DecodeLimits) throws(ImageError) {
            guard exif == nil, content.starts(with: Self.uuidOfEXIF) else { return }
            try limits.check(metadataBytes: content.count)
            exif = EXIF.strippingPrefix(Array(content.dropFirst(Self.uuidOfEXIF.count)))
        }

        private mutating func readHeader(_ boxes: ISOBoxes, _ range: Range<Int>, _ limits: DecodeLimits) throws(ImageError) {
            for box in boxes.boxes(in: range) {
                let content = boxes.bytes[box.content]
                switch box.type {
                case "colr": try readColors(content, limits)
                case "pclr": palette = try Self.palette(content)
                case "cmap": mappings = try Self.mappings(content)
                case "cdef":
                    var fields = BigEndianFields(content.dropFirst(2))
                    definitions = []
                    while let channel = fields.next(2), let type = fields.next(2), let association = fields.next(2) {
                        definitions.append((channel, type, association))
                    }
                default: break
                }
            }
        }

        /// Of several descriptions, the first that is read here counts.
        private mutating func readColors(_ content: ArraySlice<UInt8>, _ limits: DecodeLimits) throws(ImageError) {
            var fields = BigEndianFields(content)
            guard colors == nil, let method = fields.next(1), fields.next(2) != nil else { return }
            switch method {
            case 1:
                guard let number = fields.next(4) else { return }
                switch number {
                case 12: colors = .cmyk
                case 14: colors = .lab(JP2Lab(&fields))
                case 16: colors = .rgb
                case 17: colors = .gray
                case 18: colors = .ycc
                default: unknownColors = number
                }
            case 2, 3:
                let found = Array(fields.remaining)
                guard found.count >= 128 else { return }
                try limits.check(metadataBytes: found.count)
                if ICCProfile.isGray(found) {
                    colors = .gray
                } else if found[16..<20].elementsEqual("RGB ".utf8) {
                    colors = .rgb
                } else if found[16..<20].elementsEqual("CMYK".utf8) {
                    colors = .cmyk
                } else {
                    return
                }
                profile = found
            default: break
            }
        }

        private static func palette(_ content: ArraySlice<UInt8>) throws(ImageError) -> Palette {
            var fields = BigEndianFields(content)
            let broken = JP2Codestream.corrupt("its palette is broken")
            guard let entries = fields.next(2), let count = fields.next(1), (1...1024).contains(entries), count > 0 else {
                throw broken
            }
            var palette = Palette(columns: [])
            for _ in 0..<count {
                guard let depth = fields.next(1), depth & 0x7F < 32 else { throw broken }
                palette.columns.append(((depth & 0x7F) + 1, []))
            }
            for _ in 0..<entries {
                for column in 0..<count {
                    guard let value = fields.next((palette.columns[column].bits + 7) / 8) else { throw broken }
                    palette.columns[column].values.append(value)
                }
            }
            return palette
        }

        private static func mappings(_ content: ArraySlice<UInt8>) throws(ImageError) -> [Mapping] {
            var fields = BigEndianFields(content)
            var found: [Mapping] = []
            while let component = fields.next(2), let type = fields.next(1), let column = fields.next(1) {
                found.append(Mapping(component: component, column: type == 1 ? column : nil))
            }
            return found
        }

        // MARK: Channels

        /// The channels of the image for these components.
        struct Channels {
            /// One for grey, four inks, otherwise three.
            var colors: [Mapping]
            var alpha: Mapping?
            var isPremultiplied = false
            var isYCC = false
            /// 0 is no ink.
            var areInks: Bool { colors.count == 4 }
        }

        /// Throws `corrupt` if there are too few, and `unsupported` for inks with alpha.
        func channels(of components: [JP2Codestream.Component]) throws(ImageError) -> Channels {
            let all = mappings ?? components.indices.map { Mapping(component: $0, column: nil) }
            for mapping in all {
                guard components.indices.contains(mapping.component),
                    mapping.column.map({ palette?.columns.indices.contains($0) == true }) ?? true
                else { throw JP2Codestream.corrupt("its channels name components that are not there") }
            }
            var channels = Channels(colors: [])
            if isBare {
                channels.colors = Array(all.prefix(all.count < 3 ? 1 : 3))
                if all.count == 2 || all.count == 4 { channels.alpha = all.last }
                // As other programs take it: only chroma is subsampled.
                channels.isYCC =
                    all.count >= 3
                    && (components[1].dx != components[0].dx || components[1].dy != components[0].dy)
                return channels
            }
            for color in 1...(colors == .gray ? 1 : colors == .cmyk ? 4 : 3) {
                let index = definitions.first { $0.type == 0 && $0.association == color }?.channel ?? color - 1
                guard all.indices.contains(index) else { throw JP2Codestream.corrupt("it has too few channels") }
                channels.colors.append(all[index])
            }
            if let alpha = definitions.first(where: { $0.type == 1 || $0.type == 2 }), all.indices.contains(alpha.channel) {
                channels.alpha = all[alpha.channel]
                channels.isPremultiplied = alpha.type == 2
            }
            guard channels.alpha == nil || !channels.areInks else {
                throw ImageError(
                    .unsupported, stage: .decode,
                    "The JPEG 2000 file has inks with alpha, which are not read here. Save it as RGB.")
            }
            channels.isYCC = colors == .ycc
            return channels
        }
    }
#endif
