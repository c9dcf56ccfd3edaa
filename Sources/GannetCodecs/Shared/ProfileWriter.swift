#if PNG || AVIF || HEIC
    /// Writes the small ICC profiles (ICC.1:2022) of displays that say by numbers what other formats say by codes.
    enum ProfileWriter {
        /// That of profiles: D50.
        static let white = SIMD3(0.9642, 1, 0.8249)
        /// IEC 61966-2-1.
        static let sRGB = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

        /// `space` and the names of tags have four characters.
        static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
            var (table, data) = (number(tags.count), [UInt8]())
            let start = 128 + 4 + 12 * tags.count
            for (name, content) in tags {
                table += Array(name.utf8) + number(start + data.count) + number(content.count)
                data += content
            }
            var head = number(start + data.count) + [0, 0, 0, 0, 4, 0x20, 0, 0]
            head += Array(("mntr" + space + "XYZ ").utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
            head += [UInt8](repeating: 0, count: 28) + fixed([white.x, white.y, white.z])
            head += [UInt8](repeating: 0, count: 128 - head.count)
            return head + table + data
        }

        /// RGB of these primaries, in XYZ under ``white``.
        static func profile(
            red: SIMD3<Double>, green: SIMD3<Double>, blue: SIMD3<Double>, curve: [UInt8] = parameters(3, sRGB)
        ) -> [UInt8] {
            profile(
                "RGB ",
                [
                    ("wtpt", point(white)), ("rXYZ", point(red)), ("gXYZ", point(green)), ("bXYZ", point(blue)),
                    ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
                ])
        }

        static func point(_ light: SIMD3<Double>) -> [UInt8] {
            Array("XYZ ".utf8) + [0, 0, 0, 0] + fixed([light.x, light.y, light.z])
        }

        static func parameters(_ kind: UInt8, _ values: [Double]) -> [UInt8] {
            Array("para".utf8) + [0, 0, 0, 0, 0, kind, 0, 0] + fixed(values)
        }

        /// With 16 bits before the point and 16 behind it.
        private static func fixed(_ values: [Double]) -> [UInt8] {
            values.flatMap { number(Int(($0 * 65536).rounded())) }
        }

        private static func number(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }
#endif
