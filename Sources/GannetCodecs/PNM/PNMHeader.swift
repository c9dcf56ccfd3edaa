#if PNM
    import GannetCore

    /// The words before the pixels.
    struct PNMHeader {
        enum Storage {
            /// Decimal numbers.
            case plain
            /// The digits 0 and 1, with or without space between them.
            case plainBits
            /// One or two bytes a value, the high one first.
            case raw
            /// Eight pixels a byte; each row starts a new byte.
            case rawBits
        }

        let size: PixelSize
        let storage: Storage
        /// Values of a pixel: grey, grey with alpha, RGB, RGB with alpha.
        let channels: Int
        let maximum: Int
        /// PBM stores ink: 1 is black.
        let isInk: Bool
        /// Offset of the first pixel.
        let end: Int

        var hasAlpha: Bool { channels == 2 || channels == 4 }

        /// Bytes of a row of raw pixels.
        var bytesPerRow: Int {
            storage == .rawBits ? (size.width + 7) / 8 : size.width * channels * (maximum > 255 ? 2 : 1)
        }

        static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

        /// Nil: more bytes are needed.
        init?(_ head: [UInt8]) throws(ImageError) {
            guard head.count >= 3 else { return nil }
            guard head[0] == 0x50, (0x31...0x37).contains(head[1]) else {
                throw Self.corrupt("The file does not begin with P1 to P7.")
            }
            var words = PNMWords(head, from: 2)
            let kind = head[1] - 0x30
            if kind == 7 {
                guard let found = try Self.fields(&words) else { return nil }
                let depth = try Self.channels(found.fields["DEPTH"] ?? 0, tuple: found.tuple)
                guard let width = found.fields["WIDTH"], let height = found.fields["HEIGHT"],
                    let maximum = found.fields["MAXVAL"]
                else { throw Self.corrupt("The PAM header lacks a field.") }
                self.maximum = maximum
                (size, storage, channels, isInk, end) = (try Self.size(width, height), .raw, depth, false, found.end)
            } else {
                guard let width = try words.number(), let height = try words.number(),
                    let maximum = kind == 1 || kind == 4 ? 1 : try words.number(), words.position < head.count
                else { return nil }
                guard Self.isSpace(head[words.position]) else {
                    throw Self.corrupt("There is no space between the header and the pixels.")
                }
                self.maximum = maximum
                size = try Self.size(width, height)
                storage = kind == 1 ? .plainBits : kind == 4 ? .rawBits : kind < 4 ? .plain : .raw
                channels = kind == 3 || kind == 6 ? 3 : 1
                isInk = kind == 1 || kind == 4
                end = words.position + 1
            }
            guard (1...65_535).contains(maximum) else { throw Self.corrupt("The maximum \(maximum) is not in 1 … 65,535.") }
        }

        private static func size(_ width: Int, _ height: Int) throws(ImageError) -> PixelSize {
            guard width > 0, height > 0 else { throw corrupt("The image has no pixels.") }
            guard let size = PixelSize(width: width, height: height) else {
                throw ImageError(.limitExceeded, stage: .decode, "The image has \(width)×\(height) pixels; that is too much.")
            }
            return size
        }

        private static func channels(_ depth: Int, tuple: String) throws(ImageError) -> Int {
            let known = [
                "": depth, "BLACKANDWHITE": 1, "GRAYSCALE": 1, "RGB": 3, "BLACKANDWHITE_ALPHA": 2, "GRAYSCALE_ALPHA": 2,
                "RGB_ALPHA": 4,
            ]
            guard let wanted = known[tuple] else {
                throw ImageError(.unsupported, stage: .decode, "PAM images of this tuple type are not known.")
            }
            guard depth == wanted, (1...4).contains(depth) else {
                throw corrupt("A PAM image of \(depth) channels does not fit its tuple type.")
            }
            return depth
        }

        /// The lines of a PAM header up to ENDHDR. Nil: more bytes are needed.
        private static func fields(
            _ words: inout PNMWords
        ) throws(ImageError) -> (fields: [String: Int], tuple: String, end: Int)? {
            var fields: [String: Int] = [:]
            var tuple = ""
            while let word = words.word() {
                switch word {
                case "ENDHDR":
                    guard let end = words.endOfLine() else { return nil }
                    return (fields, tuple, end)
                case "WIDTH", "HEIGHT", "DEPTH", "MAXVAL":
                    guard let value = try words.number() else { return nil }
                    fields[word] = value
                case "TUPLTYPE":
                    guard let value = words.word() else { return nil }
                    tuple += tuple.isEmpty ? value : " " + value
                default: throw corrupt("The PAM header has an unknown field.")
                }
            }
            return nil
        }

        static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }
    }
#endif
