#if PNM
    import GannetCore

    /// Converts stored values to pixels.
    struct PNMPixels {
        private let pnm: PNMHeader
        /// Each value as 8 bits and, if the maximum exceeds 255, as 16 bits.
        private let narrow: [UInt8]
        private let wide: [UInt16]

        /// - Parameter cuts: 16 bits become 8 by their high byte, without rounding.
        init(_ pnm: PNMHeader, cuts: Bool) {
            self.pnm = pnm
            let maximum = pnm.maximum
            var narrow: [UInt8] = []
            var wide: [UInt16] = []
            narrow.reserveCapacity(maximum + 1)
            for value in 0...maximum {
                let stored = pnm.isInk ? maximum - value : value
                let isCut = cuts && maximum == 65_535
                narrow.append(isCut ? UInt8(stored >> 8) : UInt8((stored * 255 + maximum / 2) / maximum))
                if maximum > 255 { wide.append(UInt16((stored * 65_535 + maximum / 2) / maximum)) }
            }
            self.narrow = narrow
            self.wide = wide
        }

        /// The usual case: three unchanged bytes a pixel.
        var copies: Bool { pnm.maximum == 255 && pnm.channels == 3 }

        func copy(_ bytes: [UInt8], _ start: Int, into buffer: inout PixelBuffer, _ y: Int) {
            let source = bytes.span
            var row = buffer.mutablePixels(y)
            var from = start
            for x in row.indices {
                let pixel = UInt32(source[from]) | UInt32(source[from + 1]) << 8 | UInt32(source[from + 2]) << 16
                row[x] = UInt32(littleEndian: pixel | 0xFF00_0000)
                from += 3
            }
        }

        /// Writes part of row `y` from `left` on. Values above the maximum count as the maximum.
        func put(_ values: ArraySlice<Int>, at left: Int, into buffer: inout PixelBuffer, _ y: Int) {
            let isWide = buffer.layout.format == .rgba16
            var row = buffer.mutableRow(y)
            for index in 0..<values.count / pnm.channels {
                let first = index * pnm.channels
                let x = left + index
                for channel in 0..<4 {
                    let isAlpha = channel == 3
                    let place = first + (isAlpha ? pnm.channels - 1 : pnm.channels < 3 ? 0 : channel)
                    let value = min(values[place], pnm.maximum)
                    let isFull = isAlpha && !pnm.hasAlpha
                    guard isWide else {
                        row[x * 4 + channel] = isFull ? 255 : narrow[value]
                        continue
                    }
                    let word = (isFull ? .max : wide[value]).littleEndian
                    row[x * 8 + channel * 2] = UInt8(truncatingIfNeeded: word)
                    row[x * 8 + channel * 2 + 1] = UInt8(truncatingIfNeeded: word >> 8)
                }
            }
        }
    }
#endif
