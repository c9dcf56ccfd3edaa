#if TIFF || JP2
    import GannetCore

    extension DecodeEnvironment {
        /// By the profile of a file. Nil: it has none, or a broken one, which does not break the image: inks are then converted plainly.
        func inkConverter(_ profile: [UInt8]) -> (any ColorConverter)? {
            profile.isEmpty ? nil : try? colorManager?.cmykConverter(iccProfile: profile)
        }
    }

    extension PixelBuffer {
        /// Converts four bytes of ink to four channels, in place. Of a buffer of 16 bits they are at the start of each row. Nil: plainly.
        mutating func convertInks(by converter: (any ColorConverter)?, rows: Int, _ watch: DecodeWatch) throws(ImageError) {
            let width = size.width
            let isDeep = layout.format == .rgba16
            for y in 0..<rows {
                if y % 64 == 0 { try watch.check() }
                var row = mutableRow(y)
                if let converter {
                    converter.convertRow(&row, count: width)
                } else {
                    PlainInks.convert(&row, count: width)
                }
                if isDeep { Self.widen(&row, count: width * 4) }
            }
        }

        /// Widens `count` bytes at the start of a row to as many 16-bit words.
        private static func widen(_ row: inout MutableSpan<UInt8>, count: Int) {
            for index in (0..<count).reversed() {
                let value = row[index]
                row[2 * index] = value
                row[2 * index + 1] = value
            }
        }
    }
#endif
