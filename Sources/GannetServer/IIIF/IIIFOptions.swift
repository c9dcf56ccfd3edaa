#if Server
    import GannetCore
    import GannetImages

    /// The parameters of the IIIF Image API 3.0 behind the identifier: region, size, rotation, and quality with format, in this order
    /// (§4).
    struct IIIFOptions: Hashable, Sendable {
        enum Region: Hashable, Sendable {
            case full, square
            case pixels(PixelRect)
            /// Of the sides, in hundredths.
            case percent(x: Double, y: Double, width: Double, height: Double)
        }

        enum Size: Hashable, Sendable {
            case largest
            case percent(Double)
            /// Nil: in proportion to the other side.
            case sides(width: Int?, height: Int?)
            case within(width: Int, height: Int)
        }

        enum Quality: Hashable, Sendable { case color, gray, bitonal }

        var region: Region
        var size: Size
        /// The size may be larger than the part (`^`).
        var enlarges: Bool
        /// Mirrored, then turned clockwise.
        var turn: Orientation
        var quality: Quality
        var format: ImageFormat
        /// As received; of equal texts the pixels are equal.
        let text: String

        /// `parts`: region, size, rotation, and quality with format, decoded. Throws `misuse` for what the standard does not have, and
        /// `unsupported` for what this service does not.
        init(_ parts: [String]) throws(ImageError) {
            guard parts.count == 4 else { throw Self.wrong("region/size/rotation/quality.format follows the identifier.") }
            text = parts.joined(separator: "/")
            region = try Self.region(parts[0])
            enlarges = parts[1].hasPrefix("^")
            size = try Self.size(enlarges ? parts[1].dropFirst() : parts[1][...], enlarges: enlarges)
            turn = try Self.turn(parts[2])
            let file = parts[3].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard file.count == 2 else { throw Self.wrong("The last part is quality.format, as default.jpg.") }
            switch file[0] {
            case "default", "color": quality = .color
            case "gray": quality = .gray
            case "bitonal": quality = .bitonal
            default: throw Self.wrong("There is no quality \(file[0].prefix(32)).")
            }
            switch file[1] {
            case "jpg": format = .jpeg
            case "png": format = .png
            case "webp": format = .webp
            case "tif", "gif", "jp2", "pdf": throw Self.missing("The format \(file[1])")
            default: throw Self.wrong("There is no format \(file[1].prefix(32)).")
            }
        }

        private static func region(_ text: String) throws(ImageError) -> Region {
            switch text {
            case "full": return .full
            case "square": return .square
            default:
                let isPercent = text.hasPrefix("pct:")
                let numbers = (isPercent ? text.dropFirst(4) : text[...]).split(separator: ",", omittingEmptySubsequences: false)
                if isPercent {
                    let values = numbers.compactMap { number($0) }
                    guard numbers.count == 4, values.count == 4, values[2] > 0, values[3] > 0 else { break }
                    return .percent(x: values[0], y: values[1], width: values[2], height: values[3])
                }
                let values = numbers.compactMap { whole($0) }
                guard numbers.count == 4, values.count == 4, values[2] > 0, values[3] > 0 else { break }
                return .pixels(PixelRect(x: values[0], y: values[1], width: values[2], height: values[3]))
            }
            throw wrong("A region is full, square, x,y,w,h or pct:x,y,w,h; its sides are more than 0.")
        }

        private static func size(_ text: Substring, enlarges: Bool) throws(ImageError) -> Size {
            if text == "max" { return .largest }
            if text.hasPrefix("pct:") {
                guard let percent = number(text.dropFirst(4)), percent > 0, percent <= 100 || enlarges else {
                    throw wrong("The size is pct:n, more than 0, and at most 100 without ^.")
                }
                return .percent(percent)
            }
            let isBox = text.hasPrefix("!")
            let sides = (isBox ? text.dropFirst() : text).split(separator: ",", omittingEmptySubsequences: false)
            let values = sides.map { whole($0) }
            guard sides.count == 2, sides.indices.allSatisfy({ sides[$0].isEmpty || values[$0] ?? 0 > 0 }),
                let (width, height) = Optional((values[0], values[1])), width != nil || height != nil
            else { throw wrong("A size is max, pct:n, w,h or !w,h, w, or ,h; its sides are more than 0.") }
            guard isBox else { return .sides(width: width, height: height) }
            guard let width, let height else { throw wrong("The size !w,h has both sides.") }
            return .within(width: width, height: height)
        }

        private static func turn(_ text: String) throws(ImageError) -> Orientation {
            let isMirrored = text.hasPrefix("!")
            guard let degrees = number(isMirrored ? text.dropFirst() : text[...]), degrees <= 360 else {
                throw wrong("A rotation is a number of degrees from 0 to 360, perhaps after an exclamation mark.")
            }
            let turns: [Double: Orientation] = [0: .up, 90: .right, 180: .down, 270: .left, 360: .up]
            guard let turn = turns[degrees] else { throw missing("A rotation by other than quarter turns") }
            return (isMirrored ? Orientation.upMirrored : .up).followed(by: turn)
        }

        /// Digits alone, as many as an image can have.
        private static func whole(_ text: Substring) -> Int? {
            text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 9 ? Int(text) : nil
        }

        /// Digits, perhaps with a point between them.
        private static func number(_ text: Substring) -> Double? {
            let isNumber = text.utf8.count <= 20 && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
            return isNumber && text.utf8.first != 46 ? Double(text) : nil
        }

        static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }

        private static func missing(_ what: String) -> ImageError {
            ImageError(.unsupported, stage: .resolve, "\(what) is not made here.")
        }
    }
#endif
