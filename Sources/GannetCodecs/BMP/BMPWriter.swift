#if BMP
    import GannetCore
    import GannetKernels

    /// Writes 24 bits with the plain header, or 32 bits with masks (BITMAPV4HEADER) where there is alpha.
    enum BMPWriter {
        static func write(_ bitmap: Bitmap) throws(ImageError) -> [UInt8] {
            let bitmap = try narrowed(bitmap)
            let hasAlpha = !isOpaque(bitmap)
            let bytes = hasAlpha ? 4 : 3
            let bytesPerRow = (bitmap.width * bytes + 3) & ~3
            let headerSize = hasAlpha ? 108 : 40
            let count = 14 + headerSize + bytesPerRow * bitmap.height
            guard count <= UInt32.max else {
                throw ImageError(.encodeFailed, stage: .encode, "A BMP is at most 4 GiB large. Set maximumPixelSize.")
            }
            var file: [UInt8] = []
            file.reserveCapacity(count)
            file += [0x42, 0x4D]
            for value in [count, 0, 14 + headerSize, headerSize, bitmap.width, bitmap.height] {
                file.appendLittle(value, bytes: 4)
            }
            file.appendLittle(1, bytes: 2)
            file.appendLittle(bytes * 8, bytes: 2)
            // 2835 pixels a metre are 72 an inch.
            for value in [hasAlpha ? 3 : 0, bytesPerRow * bitmap.height, 2835, 2835, 0, 0] { file.appendLittle(value, bytes: 4) }
            if hasAlpha {
                for mask in [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000, 0x7352_4742] { file.appendLittle(mask, bytes: 4) }
                file += [UInt8](repeating: 0, count: 48)
            }
            for y in (0..<bitmap.height).reversed() {
                if y & 63 == 0 { try ImageError.checkCancellation(stage: .encode) }
                append(bitmap.row(y), hasAlpha, padding: bytesPerRow - bitmap.width * bytes, to: &file)
            }
            return file
        }

        private static func append(_ row: Span<UInt8>, _ hasAlpha: Bool, padding: Int, to file: inout [UInt8]) {
            var index = 0
            while index < row.count {
                file.append(row[index + 2])
                file.append(row[index + 1])
                file.append(row[index])
                if hasAlpha { file.append(row[index + 3]) }
                index += 4
            }
            for _ in 0..<padding { file.append(0) }
        }
    }
#endif
