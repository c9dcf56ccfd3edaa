#if CommandLine
    /// An image as sixels (DEC STD 070): bands of six rows, one pass over a band for each of its colours.
    ///
    /// The palette is fixed, with 6×7×6 levels. Errors are diffused to neighbours (Floyd and Steinberg), which keeps gradients
    /// smooth. Pixels that are mostly transparent leave the screen as it is.
    struct Sixel {
        private static let greens = 7
        private static let others = 5
        private static let none: UInt8 = 255

        static func encode(_ image: StraightImage) -> String {
            let indices = dithered(image)
            var text = "\u{1B}P0;1;0q\"1;1;\(image.width);\(image.height)"
            for color in Set(indices).subtracting([none]).sorted() {
                let (red, green, blue) = levels(Int(color))
                text += "#\(color);2;\(red * 100 / others);\(green * 100 / (greens - 1));\(blue * 100 / others)"
            }
            for top in stride(from: 0, to: image.height, by: 6) {
                text += band(indices, width: image.width, rows: top..<min(top + 6, image.height))
                text += "-"
            }
            return text + "\u{1B}\\"
        }

        private static func band(_ indices: [UInt8], width: Int, rows: Range<Int>) -> String {
            var masks: [UInt8: [UInt8]] = [:]
            for (bit, y) in rows.enumerated() {
                for x in 0..<width {
                    let color = indices[y * width + x]
                    if color == none { continue }
                    masks[color, default: [UInt8](repeating: 0, count: width)][x] |= 1 << bit
                }
            }
            return masks.keys.sorted().map { color in "#\(color)" + runs(masks[color] ?? []) }.joined(separator: "$")
        }

        /// Writes runs of four and more as a count; omits empty columns at the end.
        private static func runs(_ masks: [UInt8]) -> String {
            var text = ""
            var start = 0
            let end = (masks.lastIndex { $0 != 0 } ?? -1) + 1
            while start < end {
                var next = start
                while next < end, masks[next] == masks[start] { next += 1 }
                let character = String(UnicodeScalar(63 + masks[start]))
                text += next - start > 3 ? "!\(next - start)\(character)" : String(repeating: character, count: next - start)
                start = next
            }
            return text
        }

        private static func levels(_ color: Int) -> (Int, Int, Int) { (color / 42, color / 6 % 7, color % 6) }

        private static func dithered(_ image: StraightImage) -> [UInt8] {
            let width = image.width
            var result = [UInt8](repeating: none, count: width * image.height)
            // Sixteenths; one pixel of margin at both ends.
            var errors = [Int](repeating: 0, count: 3 * (width + 2))
            for y in 0..<image.height {
                var below = [Int](repeating: 0, count: errors.count)
                for x in 0..<width {
                    guard let color = image.color(x, y) else { continue }
                    var index = 0
                    for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                        let steps = channel == 1 ? greens - 1 : others
                        let at = 3 * (x + 1) + channel
                        let wanted = min(max(Int(value) + errors[at] / 16, 0), 255)
                        let level = (wanted * steps + 127) / 255
                        let error = wanted - level * 255 / steps
                        errors[at + 3] += 7 * error
                        below[at - 3] += 3 * error
                        below[at] += 5 * error
                        below[at + 3] += error
                        index = index * (steps + 1) + level
                    }
                    result[y * width + x] = UInt8(index)
                }
                errors = below
            }
            return result
        }
    }
#endif
