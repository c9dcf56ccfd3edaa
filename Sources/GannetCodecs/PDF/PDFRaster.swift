#if PDF
    import GannetCore

    /// Reads the pixels that `pdftoppm` writes, piece by piece, into a buffer: a binary PPM of a size that is known before.
    struct PDFRaster {
        private let size: PixelSize
        private let head: [UInt8]
        /// Bytes of the head that were right so far.
        private var known = 0
        private var (x, y) = (0, 0)
        /// The beginning of a pixel.
        private var part: [UInt8] = []

        init(_ size: PixelSize) {
            self.size = size
            head = Array("P6\n\(size.width) \(size.height)\n255\n".utf8)
        }

        /// All pixels have come.
        var isWhole: Bool { y == size.height }

        mutating func take(_ piece: Span<UInt8>, into buffer: inout PixelBuffer) throws(ImageError) {
            var place = 0
            while known < head.count, place < piece.count {
                guard piece[place] == head[known] else { throw Self.isWrong }
                known += 1
                place += 1
            }
            while !part.isEmpty, place < piece.count {
                part.append(piece[place])
                place += 1
                if part.count == 3 {
                    let pixel = part
                    part = []
                    try put(pixel.span, into: &buffer)
                }
            }
            let whole = (piece.count - place) / 3 * 3
            if whole > 0 { try put(piece.extracting(place..<place + whole), into: &buffer) }
            for rest in place + whole..<piece.count { part.append(piece[rest]) }
        }

        /// Whole pixels, three bytes each.
        private mutating func put(_ bytes: Span<UInt8>, into buffer: inout PixelBuffer) throws(ImageError) {
            var place = 0
            while place < bytes.count {
                guard y < size.height else { throw Self.isWrong }
                let count = min((bytes.count - place) / 3, size.width - x)
                var row = buffer.mutablePixels(y)
                for pixel in x..<x + count {
                    let color = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
                    row[pixel] = UInt32(littleEndian: color | 0xFF00_0000)
                    place += 3
                }
                x += count
                if x == size.width { (x, y) = (0, y + 1) }
            }
        }

        private static var isWrong: ImageError {
            ImageError(
                .corrupt, stage: .decode,
                "pdftoppm drew the page of the PDF in another size than it was asked for. Export the document again.")
        }
    }
#endif
