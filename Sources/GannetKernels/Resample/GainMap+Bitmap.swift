package import GannetCore

extension GainMap {
    /// The map's pixels for an image of `size`, upright like it. Decodes the map: blocking, and in the memory of
    /// ``GainMap/workBytes(for:)``. Throws what its decoder throws, and `cancelled`.
    package func bitmap(for size: PixelSize, pool: PixelPool = .shared) throws(ImageError) -> Bitmap {
        let wanted = storedSize(for: size)
        let stored = source.encoded.size
        var bitmap = try source.decode(part.isWhole ? wanted : stored)
        if let recoding = source.encoded.recoding { bitmap = try recoded(bitmap, by: recoding, pool) }
        if !part.isWhole {
            // Whole pixels of the map: half of one off at most.
            let left = Int((part.left * Double(stored.width)).rounded())
            let top = Int((part.top * Double(stored.height)).rounded())
            let region = PixelRect(
                x: min(left, stored.width - 1), y: min(top, stored.height - 1),
                width: max(Int((part.right * Double(stored.width)).rounded()) - left, 1),
                height: max(Int((part.bottom * Double(stored.height)).rounded()) - top, 1))
            bitmap = try resample(bitmap, region: region, to: wanted, filter: .area, pool: pool)
        }
        return try oriented(bitmap, orientation, pool: pool)
    }

    /// The map can be written as the bytes that it came in.
    package func isUnchanged(for size: PixelSize) -> Bool {
        part.isWhole && orientation == .up && source.encoded.recoding == nil && storedSize(for: size) == source.encoded.size
    }

    private func recoded(_ bitmap: Bitmap, by table: [UInt8], _ pool: PixelPool) throws(ImageError) -> Bitmap {
        var buffer = try bitmap.mutableCopy(pool: pool)
        for y in 0..<buffer.size.height {
            var row = buffer.mutableRow(y)
            for index in row.indices where index & 3 != 3 { row[index] = table[Int(row[index])] }
        }
        return buffer.freeze()
    }
}
