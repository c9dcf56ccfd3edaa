#if Server
    import GannetCore

    /// The options of `/cdn-cgi/image/OPTIONS/SOURCE`, Cloudflare's spelling, in imgproxy's words. An option that would change the
    /// image otherwise than there is refused, not ignored.
    struct CloudflareOptions {
        /// For ``OptionReader``, in its order.
        private(set) var parts: [String] = []
        private(set) var isInfo = false
        private(set) var signature: String?

        static let prefix = "/cdn-cgi/image/"

        /// `text`: up to the slash before the source. Throws `misuse`.
        init(_ text: Substring) throws(ImageError) {
            var seen: Set<String> = []
            for item in text.split(separator: ",", omittingEmptySubsequences: false) {
                let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2 else { throw Self.wrong("\(item.prefix(64)) is no option=value.") }
                let name = Self.names[String(halves[0])] ?? String(halves[0])
                guard seen.insert(name).inserted else { throw Self.wrong("\(name.prefix(64)) stands twice.") }
                try read(name, PercentEncoding.decodedText(halves[1]))
            }
            // White bars, unless the address names another colour.
            if parts.contains("ex:1"), !seen.contains("background") { parts.append("bg:ffffff") }
        }

        private static let names = ["w": "width", "h": "height", "q": "quality", "f": "format", "g": "gravity"]

        private mutating func read(_ name: String, _ value: String) throws(ImageError) {
            switch name {
            case "width": parts.append("w:" + (try plain(name, value)))
            case "height": parts.append("h:" + (try plain(name, value)))
            case "dpr": parts.append("dpr:" + (try plain(name, value)))
            case "quality": parts.append("q:" + (try plain(name, value)))
            case "contrast": parts.append("co:" + (try plain(name, value)))
            case "saturation": parts.append("sa:" + (try plain(name, value)))
            case "sharpen": parts.append("sh:" + (try plain(name, value)))
            case "rotate": parts.append("rot:" + (try plain(name, value)))
            case "blur": parts.append("bl:\(try blur(value))")
            case "fit": parts += try look(up: value, in: Self.fits, name)
            case "gravity": parts.append(try gravity(value))
            case "flip": parts += try look(up: value, in: ["h": ["fl:1:0"], "v": ["fl:0:1"], "hv": ["fl:1:1"]], name)
            case "anim": parts += try look(up: value, in: ["true": [], "false": ["da:1"]], name)
            case "background": parts.append("bg:" + (try color(value)))
            case "metadata":
                parts += try look(
                    up: value, in: ["none": ["sm:1", "kcr:0"], "copyright": ["sm:1", "kcr:1"], "keep": ["sm:0"]], name)
            case "format":
                if value == "json" {
                    isInfo = true
                } else if value != "auto" {
                    parts.append("f:" + (try plain(name, value == "baseline-jpeg" ? "jpeg" : value)))
                }
            // How hard the encoder tries: ours has one way.
            case "compression": _ = try look(up: value, in: ["fast": []], name)
            case "sig": signature = value
            default: throw Self.wrong("There is no option \(name.prefix(64)) here.")
            }
        }

        /// Only some modes make small images larger.
        private static let fits = [
            "scale-down": ["rt:fit"], "contain": ["rt:fit", "el:1"], "cover": ["rt:fill", "el:1"], "crop": ["rt:fill"],
            "pad": ["rt:fit", "el:1", "ex:1"], "squeeze": ["rt:force", "el:1"],
        ]

        private func look(up value: String, in words: [String: [String]], _ name: String) throws(ImageError) -> [String] {
            if let parts = words[value] { return parts }
            let all = words.keys.sorted().joined(separator: ", ")
            throw Self.wrong("\(name)=\(value.prefix(32)) is not supported; there are \(all).")
        }

        /// One value for an option of one: a colon would begin another.
        private func plain(_ name: String, _ value: String) throws(ImageError) -> String {
            let isPlain = value.utf8.allSatisfy { PercentEncoding.isLetterOrDigit($0) || $0 == UInt8(ascii: ".") }
            guard isPlain, !value.isEmpty else { throw Self.wrong("\(name)=\(value.prefix(32)) is not supported.") }
            return value
        }

        /// Their radius, up to 250 pixels, is twice the standard deviation.
        private func blur(_ value: String) throws(ImageError) -> Double {
            guard let radius = Double(value), (1...250).contains(radius) else { throw Self.wrong("blur is 1 to 250.") }
            return min(radius / 2, 100)
        }

        private func gravity(_ value: String) throws(ImageError) -> String {
            let sides = ["auto": "sm", "left": "we", "right": "ea", "top": "no", "bottom": "so", "center": "ce"]
            if let side = sides[value] { return "g:" + side }
            let point = value.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
            guard point.count == 2, let x = point[0], let y = point[1], (0...1).contains(x), (0...1).contains(y) else {
                throw Self.wrong("gravity is auto, a side, center, or two numbers of 0 to 1 like 0.5x0.3.")
            }
            return "g:fp:\(x):\(y)"
        }

        /// Six hexadecimal digits of `#RRGGBB`, `#RGB`, `rgb(R,G,B)` or `rgb(R G B)`.
        private func color(_ value: String) throws(ImageError) -> String {
            if value.hasPrefix("#"), value.dropFirst().allSatisfy(\.isHexDigit), value.utf8.count == 4 || value.utf8.count == 7 {
                return value.dropFirst().map { String(repeating: String($0), count: value.utf8.count == 4 ? 2 : 1) }.joined()
            }
            if value.hasPrefix("rgb("), value.hasSuffix(")") {
                let levels = value.dropFirst(4).dropLast().split { $0 == "," || $0 == " " }.map { UInt8($0) }
                if levels.count == 3, levels.allSatisfy({ $0 != nil }) {
                    return levels.map { Hexadecimal.text(of: [$0 ?? 0]) }.joined()
                }
            }
            throw Self.wrong("background is #RRGGBB or rgb(R,G,B), percent-encoded.")
        }

        private static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }
#endif
