#if Radiance
    import GannetCore

    /// Reads rows of pixels of four bytes: three numbers, and the exponent that they share.
    struct RadianceRows: LightRows {
        private let bytes: [UInt8]
        private let width: Int
        private let isXYZ: Bool
        private var position: Int
        /// The four bytes of each pixel of a row.
        private var row: [UInt8]

        /// Rows of other widths have no run lengths of 1991.
        private static let packedWidths = 8...32_767

        /// The value of a byte of 1, by the exponent. Radiance itself writes the byte below a number, and reads the middle.
        private static let units: [Float] = (0...255).map { $0 == 0 ? 0 : Float(sign: .plus, exponent: $0 - 136, significand: 1) }

        init(_ bytes: [UInt8], _ header: RadianceHeader) {
            self.bytes = bytes
            width = header.size.width
            isXYZ = header.isXYZ
            position = header.end
            row = [UInt8](repeating: 0, count: header.size.width * 4)
        }

        mutating func read(_ y: Int, into light: inout [Float]) throws(ImageError) -> Bool {
            guard position + 4 <= bytes.count else { return false }
            let isPacked =
                Self.packedWidths.contains(width) && bytes[position] == 2 && bytes[position + 1] == 2 && bytes[position + 2] < 128
            guard try isPacked ? readPacked() : readPlain() else { return false }
            expand(into: &light)
            return true
        }

        /// The run lengths of 1991: the width, then the first bytes of all pixels, the second, the third, and the exponents.
        private mutating func readPacked() throws(ImageError) -> Bool {
            guard Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]) == width else {
                throw RadianceHeader.corrupt("A row has another width than the image.")
            }
            position += 4
            for channel in 0..<4 {
                var x = 0
                while x < width {
                    guard position < bytes.count else { return false }
                    let code = Int(bytes[position])
                    let isRun = code > 128
                    let count = isRun ? code - 128 : code
                    guard count > 0, count <= width - x else {
                        throw RadianceHeader.corrupt("A run of pixels goes beyond its row.")
                    }
                    position += 1
                    guard position + (isRun ? 1 : count) <= bytes.count else { return false }
                    for index in 0..<count { row[4 * (x + index) + channel] = bytes[position + (isRun ? 0 : index)] }
                    position += isRun ? 1 : count
                    x += count
                }
            }
            return true
        }

        /// Plain pixels. One of 1, 1, 1 says how often the one before it follows; further ones have the higher digits of that.
        private mutating func readPlain() throws(ImageError) -> Bool {
            var x = 0
            var shift = 0
            while x < width {
                guard position + 4 <= bytes.count else { return false }
                if bytes[position] == 1, bytes[position + 1] == 1, bytes[position + 2] == 1 {
                    let count = shift > 24 ? Int.max : Int(bytes[position + 3]) << shift
                    guard x > 0, count <= width - x else {
                        throw RadianceHeader.corrupt("A run of pixels goes beyond its row.")
                    }
                    for index in 4 * x..<4 * (x + count) { row[index] = row[index - 4] }
                    x += count
                    shift += 8
                } else {
                    for index in 0..<4 { row[4 * x + index] = bytes[position + index] }
                    x += 1
                    shift = 0
                }
                position += 4
            }
            return true
        }

        private func expand(into light: inout [Float]) {
            let units = Self.units
            var values = light.mutableSpan
            for x in 0..<width {
                let unit = units[Int(row[4 * x + 3])]
                let (first, second, third) = (
                    (Float(row[4 * x]) + 0.5) * unit, (Float(row[4 * x + 1]) + 0.5) * unit, (Float(row[4 * x + 2]) + 0.5) * unit
                )
                if isXYZ {
                    // Radiance's primaries, whose white has equal energy.
                    values[3 * x] = 2.56531 * first - 1.16685 * second - 0.39846 * third
                    values[3 * x + 1] = -1.02211 * first + 1.97829 * second + 0.04382 * third
                    values[3 * x + 2] = 0.07472 * first - 0.25194 * second + 1.17722 * third
                } else {
                    values[3 * x] = first
                    values[3 * x + 1] = second
                    values[3 * x + 2] = third
                }
            }
        }
    }
#endif
