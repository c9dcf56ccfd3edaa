#if CommandLine
    import ArgumentParser
    import GannetCore

    /// One `--transform`: what is to be done to the picture, as written on the command line.
    enum TransformSpec: Equatable, ExpressibleByArgument {
        case resize(width: Int, height: Int)
        case crop(PixelRect)
        case rotate(degrees: Double)
        case flip(horizontally: Bool)
        case round(radius: Double)
        case circle
        /// 0xRRGGBBAA
        case tint(UInt32)
        case blur(radius: Double)
        case gray
        case border(width: Int, color: UInt32)
        case color(brightness: Double, contrast: Double, saturation: Double)

        static let grammar = """
            resize:WxH, crop:X,Y,W,H, rotate:DEGREES, flip:h|v, round:RADIUS, circle, tint:RRGGBBAA, blur:RADIUS, gray, \
            border:WIDTH,RRGGBBAA, color:brightness=…,contrast=…,saturation=…
            """

        init?(argument: String) {
            let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let arguments = parts.count == 2 ? parts[1] : nil
            switch (parts[0], arguments) {
            case ("resize", let text?):
                guard let box = Box(argument: text) else { return nil }
                self = .resize(width: box.width, height: box.height)
            case ("crop", let text?):
                guard let n = Self.integers(text, 4), n[2] > 0, n[3] > 0 else { return nil }
                self = .crop(PixelRect(x: n[0], y: n[1], width: n[2], height: n[3]))
            case ("rotate", let text?):
                guard let degrees = Double(text), degrees.isFinite else { return nil }
                self = .rotate(degrees: degrees)
            case ("flip", "h"): self = .flip(horizontally: true)
            case ("flip", "v"): self = .flip(horizontally: false)
            case ("round", let text?):
                guard let radius = Self.radius(text) else { return nil }
                self = .round(radius: radius)
            case ("circle", nil): self = .circle
            case ("tint", let text?):
                guard let color = Self.rgba(text) else { return nil }
                self = .tint(color)
            case ("blur", let text?):
                guard let radius = Self.radius(text) else { return nil }
                self = .blur(radius: radius)
            case ("gray", nil): self = .gray
            case ("border", let text?):
                let pieces = text.split(separator: ",")
                guard pieces.count == 2, let width = Int(pieces[0]), width > 0, let color = Self.rgba(String(pieces[1]))
                else { return nil }
                self = .border(width: width, color: color)
            case ("color", let text?):
                guard let values = Self.named(text, ["brightness": 0, "contrast": 1, "saturation": 1]) else { return nil }
                self = .color(
                    brightness: values["brightness"] ?? 0, contrast: values["contrast"] ?? 1,
                    saturation: values["saturation"] ?? 1)
            default: return nil
            }
        }

        private static func radius(_ text: String) -> Double? {
            Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        }

        private static func integers(_ text: String, _ count: Int) -> [Int]? {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            return numbers.count == count && !numbers.contains(nil) ? numbers.compactMap { $0 } : nil
        }

        /// Six digits are an opaque colour.
        private static func rgba(_ text: String) -> UInt32? {
            guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16) else { return nil }
            return text.count == 8 ? value : text.count == 6 ? value << 8 | 0xFF : nil
        }

        private static func named(_ text: String, _ defaults: [String: Double]) -> [String: Double]? {
            var values = defaults
            for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
                let pair = piece.split(separator: "=").map(String.init)
                guard pair.count == 2, defaults[pair[0]] != nil, let value = Double(pair[1]), value.isFinite else { return nil }
                values[pair[0]] = value
            }
            return values
        }
    }

    /// `WxH` in pixels, each 1 … 16,777,215.
    struct Box: Equatable, ExpressibleByArgument {
        var width: Int
        var height: Int

        init?(argument: String) {
            let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let width = parts[0], let height = parts[1], PixelSize(width: width, height: height) != nil
            else { return nil }
            self.width = width
            self.height = height
        }
    }
#endif
