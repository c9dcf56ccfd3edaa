#if CommandLine
    /// Draws two pixels in one character: the upper half in the foreground colour, the lower one in the background colour.
    struct HalfBlocks {
        /// 24-bit colours; else the nearest of xterm's colour cube.
        var hasAllColors: Bool

        /// The lines for an image, one character for each pixel of its width; each line ends with the colours reset.
        func draw(_ image: StraightImage) -> [String] {
            stride(from: 0, to: image.height, by: 2).map { y in
                var line = ""
                var pen = ""
                for x in 0..<image.width {
                    let upper = image.color(x, y).map(name)
                    let lower = image.color(x, y + 1).map(name)
                    let (wanted, block): (String, String) =
                        switch (upper, lower) {
                        case (nil, nil): ("\u{1B}[0m", " ")
                        case (let upper?, nil): ("\u{1B}[0;38;\(upper)m", "▀")
                        case (nil, let lower?): ("\u{1B}[0;38;\(lower)m", "▄")
                        case (let upper?, let lower?): ("\u{1B}[38;\(upper);48;\(lower)m", "▀")
                        }
                    if wanted != pen {
                        line += wanted
                        pen = wanted
                    }
                    line += block
                }
                return line + "\u{1B}[0m"
            }
        }

        private func name(_ color: (red: UInt8, green: UInt8, blue: UInt8)) -> String {
            if hasAllColors { return "2;\(color.red);\(color.green);\(color.blue)" }
            return "5;\(Self.cubeIndex(Int(color.red), Int(color.green), Int(color.blue)))"
        }

        /// The nearest of xterm's 6×6×6 cube and 24 greys, 16 … 255.
        static func cubeIndex(_ red: Int, _ green: Int, _ blue: Int) -> Int {
            let steps = [0, 95, 135, 175, 215, 255]
            func nearest(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : min((value - 35) / 40, 5) }
            let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
            func distance(_ other: (Int, Int, Int)) -> Int {
                let (x, y, z) = (other.0 - red, other.1 - green, other.2 - blue)
                return x * x + y * y + z * z
            }
            let gray = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
            let level = 8 + 10 * gray
            return distance((level, level, level)) < distance((steps[r], steps[g], steps[b]))
                ? 232 + gray : 16 + 36 * r + 6 * g + b
        }
    }
#endif
