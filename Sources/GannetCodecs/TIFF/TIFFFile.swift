#if TIFF
    import CGannetShims
    import GannetCore

    /// One TIFF: the requested page, or the first.
    struct TIFFFile: WholeFileFormat {
        static let headerBytes = Int.max
        static let needsAllBytes = true

        private let handle: TIFFHandle
        private let pages: TIFFPages
        private let page: TIFFHandle.Page
        /// The number of ``page``.
        private let number: Int
        private let options: ResolvedDecodeOptions
        private let environment: DecodeEnvironment
        private(set) var header: ImageHeader
        /// Of the last page that was light.
        private var brightest: Int?

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard let pages = try TIFFPages(head, environment.limits) else { return nil }
            self.pages = pages
            self.options = options
            self.environment = environment
            if case .index(let index) = options.frames, pages.offsets.indices.contains(index) {
                number = index
            } else {
                number = 0
            }
            try pages.check(pages.offsets[0])
            try pages.check(pages.offsets[number])
            handle = try TIFFHandle(
                head, maximumAllocation: max(environment.limits.maximumDecodedBytes, 1 << 20), DecodeWatch(environment.limits))
            page = try handle.select(pages.offsets[number], environment.limits)
            header = Self.header(of: page, pages.offsets.count)
        }

        private static func header(of page: TIFFHandle.Page, _ count: Int) -> ImageHeader {
            let model: ColorSpace.Model =
                page.wasLab ? .lab : page.model == GANNET_TIFF_CMYK ? .cmyk : page.model == GANNET_TIFF_GRAY ? .gray : .rgb
            var header = ImageHeader(
                format: .tiff, size: page.size, hasAlpha: page.hasAlpha, orientation: page.orientation, bitDepth: page.bits,
                colorSpace: page.isLight
                    ? SceneLight.colorSpace(model) : ColorSpace(model: model, iccProfile: page.profile))
            header.pageCount = count
            return header
        }

        /// The stored part that is read alone.
        private var region: PixelRect? {
            // The brightest light of all is that of each part.
            guard page.hasParts, !page.isLight, !options.allowsPartial else { return nil }
            return (try? options.storedRegion(of: header)) ?? nil
        }

        var decodesRegion: Bool { region != nil }
        var outputSize: PixelSize { region?.size ?? header.size }

        /// Inks and L\*a\*b\* are converted here; others are delivered in the file's colours.
        var outputColorSpace: ColorSpace {
            if header.colorSpace.model == .cmyk || header.colorSpace.model == .lab { return .sRGB }
            var colors = header.colorSpace
            colors.brightest = brightest
            return colors
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let limits = environment.limits
            handle.renew(watch)
            try pages.check(pages.offsets[index])
            let asked = try handle.select(pages.offsets[index], limits)
            guard asked.size == page.size, asked.hasAlpha == page.hasAlpha, asked.hasParts == page.hasParts,
                asked.isLight == page.isLight
            else {
                throw ImageError(
                    .misuse, stage: .decode,
                    "Page \(index) of the TIFF is \(asked.size), page \(number) is \(page.size). Ask for it with FrameSelection.index."
                )
            }
            // libtiff's own memory is small for common files; an image in one tile needs as much again.
            let rowBytes = region == nil ? 0 : asked.size.width * 8
            guard asked.workBytes <= max(limits.maximumDecodedBytes, 1 << 20) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "This TIFF of \(asked.size) needs \(asked.workBytes) bytes beside its pixels. Raise maximumDecodedBytes.")
            }
            let reservation = try environment.reserve(asked.workBytes + rowBytes)
            defer { withExtendedLifetime(reservation) {} }
            try watch.check()
            let rows = try handle.read(region, into: &buffer, isRaw: options.color == .raw, isTolerant: options.allowsPartial)
            if asked.isLight { brightest = SceneLight.brightest(handle.peak) }
            if asked.model == GANNET_TIFF_CMYK {
                let converter = options.color == .sRGB ? environment.inkConverter(asked.profile) : nil
                try buffer.convertInks(by: converter, rows: rows, watch)
            }
            if asked.hasAlpha, asked.isPremultiplied { buffer.setAlpha(.premultiplied) }
            clear(&buffer, from: rows)
            return rows == buffer.size.height
        }

        /// Clears the remains of incomplete rows.
        private func clear(_ buffer: inout PixelBuffer, from rows: Int) {
            for y in rows..<buffer.size.height {
                var row = buffer.mutableRow(y)
                for index in row.indices { row[index] = 0 }
            }
        }
    }
#endif
