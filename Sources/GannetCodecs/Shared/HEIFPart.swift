#if AVIF || HEIC
    import GannetCore

    /// The tiles of a grid that the region touches, opened as a file of their own.
    struct HEIFPart<Format: WholeFileFormat> {
        private var file: Format
        private let byteCount: Int
        /// Of the encoded tiles, from the first decode on.
        private var kept: MemoryReservation?
        /// In the image of ``file``.
        private let region: PixelRect
        private let environment: DecodeEnvironment

        var size: PixelSize { region.size }

        /// Nil: no region is wanted, or the whole has to be decoded for it. `isTurned`: the decoder turns pixels as the file says, and
        /// `header` has the upright size. Throws `limitExceeded` for tiles that are too large together.
        init?(
            of whole: [UInt8], _ header: ImageHeader, isTurned: Bool, _ options: ResolvedDecodeOptions,
            _ environment: DecodeEnvironment
        ) throws(ImageError) {
            // What is there of a damaged file is shown in its place in the whole.
            guard options.region != nil, !options.allowsPartial, header.animation == nil,
                let region = (try? options.storedRegion(of: header)) ?? nil, let grid = HEIFGrid(whole)
            else { return nil }
            let orientation = isTurned ? grid.orientation : .up
            let shown = orientation.displayed(grid.size)
            guard header.size == shown else { return nil }
            guard let part = grid.part(of: orientation.stored(region, of: grid.size), isTurned: isTurned),
                let opened = try? Format(
                    head: part.bytes, isComplete: true, options: options.withoutRegion, environment: environment)
            else { return nil }
            let place = orientation.inverse.stored(part.place, of: shown)
            let own = opened.header
            guard own.size == place.size, own.hasAlpha == header.hasAlpha, own.bitDepth == header.bitDepth,
                own.animation == nil, own.colorSpace.iccProfile == header.colorSpace.iccProfile,
                own.colorSpace.cicp == header.colorSpace.cicp
            else { return nil }
            try environment.limits.check(
                size: place.size,
                allocating: PixelLayout(size: place.size, format: options.decodesDeep(header) ? .rgba16 : .rgba8))
            file = opened
            byteCount = part.bytes.count
            self.environment = environment
            self.region = PixelRect(
                x: region.x - place.x, y: region.y - place.y, width: region.width, height: region.height)
        }

        mutating func decode(into buffer: inout PixelBuffer, _ watch: DecodeWatch) throws(ImageError) -> Bool {
            var layout = buffer.layout
            layout.size = file.header.size
            // The library's copy, and what was read from its boxes.
            if kept == nil { kept = try environment.reserve(2 * byteCount) }
            let reservation = try environment.reserve(layout.byteCount)
            defer { withExtendedLifetime(reservation) {} }
            var larger = try PixelBuffer(layout, pool: environment.pool)
            let isWhole = try file.decode(0, of: [], into: &larger, watch)
            let start = region.x * layout.format.bytesPerPixel
            for y in 0..<region.height {
                let source = larger.row(region.y + y)
                var target = buffer.mutableRow(y)
                for index in target.indices { target[index] = source[start + index] }
            }
            buffer.setAlpha(larger.layout.alpha)
            return isWhole
        }
    }

    extension Orientation {
        /// What undoes it.
        fileprivate var inverse: Orientation { self == .left ? .right : self == .right ? .left : self }
    }
#endif
