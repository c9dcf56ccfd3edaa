#if JPEG
    import GannetCore

    // A part of the image: nothing is kept of the rest, and of most of it no pixels are made.

    extension JPEGDecoder: RegionDecoder {
        var decodesRegion: Bool {
            // What is there of a damaged file is shown in its place in the whole.
            guard let header, !options.allowsPartial, let region = try? options.storedRegion(of: header) else { return false }
            return region.width > 0
        }

        func decodeRegion(_ header: ImageHeader, into buffer: inout PixelBuffer) throws(ImageError) {
            let scaling = JPEGScaling(for: header, options: options)
            guard let part = scaling.part, let region = try options.storedRegion(of: header) else { return }
            var room: ResourceBudget.Reservation?
            defer { withExtendedLifetime(room) {} }
            let entry = try cut(region, of: header, &room) ?? JPEGEntry(above: region.y, in: rope, of: header.size)
            let passed = (entry?.firstRow ?? 0) * scaling.eighths / 8
            let left = (entry?.firstColumn ?? 0) * scaling.eighths / 8
            let columns = part.x - left..<part.x + part.width - left
            let isDone = try readShrunk(header, [scaling], from: entry) { shrinker throws(ImageError) in
                guard try shrinker.keep(columns, after: part.y - passed) else { return false }
                var sink = try JPEGRowSink(header, scaling, colors: nil, pool: environment.pool)
                return try sink.drain(shrinker, into: &buffer)
            }
            if !isDone {
                try readWhole(header, scaling, from: entry) { handle throws(ImageError) in
                    try drain(handle, header, scaling, columns, from: left, after: part.y - passed, into: &buffer)
                }
            }
            buffer.setAlpha(.opaque)
        }

        /// A file with the region and what is smoothed into it, cut out with the index of those before. Nil: no index is kept, or the file
        /// is none of those that have one, or there is no room for the cut now.
        private func cut(
            _ region: PixelRect, of header: ImageHeader, _ room: inout ResourceBudget.Reservation?
        ) throws(ImageError) -> JPEGEntry? {
            guard let memory = environment.memory, !header.isProgressive, region.size.area < header.size.area / 2 else {
                return nil
            }
            let (rope, size) = (rope, header.size)
            guard let index = memory.value(or: { JPEGIndex(rope, of: size, in: memory) }) else { return nil }
            let most = index.most(of: region)
            room = try? environment.budget.reserve(most)
            guard room != nil else { return nil }
            return try index.cut(region, most: most, DecodeWatch(limits))
        }

        /// `wanted`: columns of the entry, which begins at column `left` of the image.
        private func drain(
            _ handle: borrowing JPEGHandle, _ header: ImageHeader, _ scaling: JPEGScaling, _ wanted: Range<Int>, from left: Int,
            after rows: Int, into buffer: inout PixelBuffer
        ) throws(ImageError) {
            // Scans that are joined come by whole rows.
            let canSkip = !handle.hasManyScans
            let columns = canSkip ? try handle.crop(to: wanted) : 0..<handle.outputSize.width
            let colors = colorConverter(header)
            let delivered = columns.lowerBound + left..<columns.upperBound + left
            var sink = try JPEGRowSink(header, scaling, from: delivered, colors: colors, pool: environment.pool)
            let isThere =
                canSkip
                ? try handle.skip(rows: rows) : try sink.pass(rows, of: handle, width: columns.count, pool: environment.pool)
            let isWhole = isThere ? try sink.drain(handle, into: &buffer) : false
            guard isWhole else { throw JPEGHandle.truncated }
        }
    }
#endif
