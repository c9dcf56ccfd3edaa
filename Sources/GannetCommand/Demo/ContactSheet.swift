#if CommandLine
    import GannetCore

    /// Images side by side on a dark background, each in the centre of its cell.
    struct ContactSheet {
        var cell: PixelSize
        var gap = 8
        var columns: Int

        /// Takes premultiplied or opaque `rgba8` images, none larger than a cell.
        func draw(_ tiles: [Bitmap]) throws(ImageError) -> Bitmap {
            let columns = min(columns, max(tiles.count, 1))
            let rows = max((tiles.count + columns - 1) / columns, 1)
            let size = PixelSize(
                clamping: columns * (cell.width + gap) + gap, rows * (cell.height + gap) + gap)
            let layout = PixelLayout(size: size, alpha: .opaque)
            try DecodeLimits.standard.check(size: size, allocating: layout)
            var sheet = try PixelBuffer(layout)
            for y in 0..<size.height {
                var row = sheet.mutablePixels(y)
                for x in row.indices { row[x] = 0xFF20_2020 }
            }
            for (index, tile) in tiles.enumerated() {
                let left = gap + index % columns * (cell.width + gap) + (cell.width - tile.width) / 2
                let top = gap + index / columns * (cell.height + gap) + (cell.height - tile.height) / 2
                paste(tile, into: &sheet, left: left, top: top)
            }
            return sheet.freeze()
        }

        private func paste(_ tile: Bitmap, into sheet: inout PixelBuffer, left: Int, top: Int) {
            for y in 0..<tile.height {
                let source = tile.row(y)
                var target = sheet.mutableRow(top + y)
                for x in 0..<tile.width {
                    let (from, to) = (4 * x, 4 * (left + x))
                    let rest = 255 - Int(source[from + 3])
                    for channel in 0..<3 {
                        target[to + channel] = UInt8(
                            min(Int(source[from + channel]) + Int(target[to + channel]) * rest / 255, 255))
                    }
                }
            }
        }
    }
#endif
