#if CommandLine
    import GannetCore

    /// Pixels in the form that terminals accept: four bytes each, straight alpha.
    struct StraightImage {
        let width: Int
        let height: Int
        private(set) var bytes: [UInt8]

        /// `bitmap` has eight bits for each channel.
        init(_ bitmap: Bitmap) {
            width = bitmap.width
            height = bitmap.height
            bytes = bitmap.packedBytes()
            guard bitmap.layout.alpha == .premultiplied else { return }
            for index in stride(from: 0, to: bytes.count & ~3, by: 4) {
                let alpha = Int(bytes[index + 3])
                guard alpha > 0, alpha < 255 else { continue }
                for channel in index..<index + 3 {
                    bytes[channel] = UInt8(min((Int(bytes[channel]) * 255 + alpha / 2) / alpha, 255))
                }
            }
        }

        init(width: Int, height: Int, bytes: [UInt8]) {
            precondition(bytes.count == 4 * width * height, "four bytes a pixel")
            (self.width, self.height, self.bytes) = (width, height, bytes)
        }

        /// Nil: mostly transparent, or below the image.
        func color(_ x: Int, _ y: Int) -> (red: UInt8, green: UInt8, blue: UInt8)? {
            guard y < height else { return nil }
            let index = 4 * (y * width + x)
            return bytes[index + 3] >= 128 ? (bytes[index], bytes[index + 1], bytes[index + 2]) : nil
        }
    }
#endif
