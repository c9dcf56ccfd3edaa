#if Radiance
    import GannetCore

    /// The lines before the pixels: variables, an empty line, and the line with the sides.
    struct RadianceHeader {
        /// Of a row as stored, and the number of rows.
        let size: PixelSize
        let orientation: Orientation
        /// Pixels are CIE XYZ.
        let isXYZ: Bool
        /// Of H.273.
        let primaries: Int
        /// Offset of the first pixel.
        let end: Int

        /// Nil: more bytes are needed.
        init?(_ head: [UInt8]) throws(ImageError) {
            var position = 0
            guard let first = Self.line(head, &position) else { return nil }
            guard first.hasPrefix("#?") else { throw Self.corrupt("The file does not begin with #?.") }
            var isXYZ = false
            var primaries = 1
            while true {
                guard let line = Self.line(head, &position) else { return nil }
                if line.isEmpty { break }
                if let value = Self.value(of: "FORMAT", in: line) {
                    guard value == "32-bit_rle_rgbe" || value == "32-bit_rle_xyze" else {
                        throw ImageError(
                            .unsupported, stage: .decode,
                            "The pixels of this Radiance file are neither RGBE nor XYZE; write it with ra_xyze or another program."
                        )
                    }
                    isXYZ = value.hasSuffix("xyze")
                } else if let value = Self.value(of: "PRIMARIES", in: line) {
                    primaries = Self.primaries(value)
                }
            }
            guard let sides = Self.line(head, &position) else { return nil }
            guard let (rows, width, orientation) = Self.sides(sides) else {
                throw Self.corrupt("The line with its sides cannot be read.")
            }
            guard rows > 0, width > 0 else { throw Self.corrupt("The image has no pixels.") }
            guard let size = PixelSize(width: width, height: rows) else {
                throw ImageError(.limitExceeded, stage: .decode, "The image has \(width)×\(rows) pixels; that is too much.")
            }
            self.size = size
            self.orientation = orientation
            self.isXYZ = isXYZ
            self.primaries = isXYZ ? 1 : primaries
            end = position
        }

        /// The next line, without its end. Nil: its end has not arrived.
        private static func line(_ head: [UInt8], _ position: inout Int) -> String? {
            guard position < head.count, let end = head[position...].firstIndex(of: 10) else { return nil }
            var line = head[position..<end]
            if line.last == 13 { line.removeLast() }
            position = end + 1
            return String(decoding: line, as: UTF8.self)
        }

        private static func value(of name: String, in line: String) -> String? {
            guard line.hasPrefix(name + "=") else { return nil }
            let rest = line.dropFirst(name.count + 1)
            return String(rest.drop { $0 == " " }.prefix { $0 != " " || name == "PRIMARIES" })
        }

        /// Those of BT.2020 and P3, by six coordinates and a white. All others are shown as BT.709: Radiance's own, which are close to
        /// them, are in files that were never near its display.
        private static func primaries(_ text: String) -> Int {
            let numbers = text.split(separator: " ").compactMap { Double($0) }
            guard numbers.count == 8 else { return 1 }
            let known: [(Int, [Double])] = [
                (9, [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]), (12, [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]),
            ]
            return known.first { zip($0.1, numbers).allSatisfy { abs($0 - $1) < 0.003 } }?.0 ?? 1
        }

        /// `-Y 480 +X 640`: 480 rows from the top, of 640 pixels from the left; Y grows upwards. Rows may also be columns.
        private static func sides(_ line: String) -> (rows: Int, width: Int, Orientation)? {
            let words = line.split(separator: " ")
            guard words.count == 4, let rows = Int(words[1]), let width = Int(words[3]), rows.magnitude < 1 << 31,
                width.magnitude < 1 << 31
            else { return nil }
            let orientations: [String: Orientation] = [
                "-Y +X": .up, "-Y -X": .upMirrored, "+Y -X": .down, "+Y +X": .downMirrored,
                "+X -Y": .leftMirrored, "-X -Y": .right, "-X +Y": .rightMirrored, "+X +Y": .left,
            ]
            return orientations["\(words[0]) \(words[2])"].map { (rows, width, $0) }
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
