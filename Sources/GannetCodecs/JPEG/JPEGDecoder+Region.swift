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
            let entry = JPEGEntry(above: region.y, in: rope)
            let passed = (entry?.firstRow ?? 0) * scaling.eighths / 8
            let isDone = try readShrunk(header, scaling, from: entry) { shrinker throws(ImageError) in
                guard try shrinker.keep(part.x..<part.x + part.width, after: part.y - passed) else { return false }
                var sink = try JPEGRowSink(header, scaling, colors: nil, pool: environment.pool)
                return try sink.drain(shrinker, into: &buffer)
            }
            if !isDone {
                try readWhole(header, scaling, from: entry) { handle throws(ImageError) in
                    try drain(handle, header, scaling, part, after: part.y - passed, into: &buffer)
                }
            }
            buffer.setAlpha(.opaque)
        }

        private func drain(
            _ handle: borrowing JPEGHandle, _ header: ImageHeader, _ scaling: JPEGScaling, _ part: PixelRect, after rows: Int,
            into buffer: inout PixelBuffer
        ) throws(ImageError) {
            // Scans that are joined come by whole rows.
            let canSkip = !handle.hasManyScans
            let wanted = part.x..<part.x + part.width
            let columns = canSkip ? try handle.crop(to: wanted) : 0..<handle.outputSize.width
            let colors = colorConverter(header)
            var sink = try JPEGRowSink(header, scaling, from: columns, colors: colors, pool: environment.pool)
            let isThere =
                canSkip
                ? try handle.skip(rows: rows) : try sink.pass(rows, of: handle, width: columns.count, pool: environment.pool)
            let isWhole = isThere ? try sink.drain(handle, into: &buffer) : false
            guard isWhole else { throw JPEGHandle.truncated }
        }
    }
#endif
