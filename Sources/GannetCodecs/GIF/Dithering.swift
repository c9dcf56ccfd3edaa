#if GIF

    /// Error diffusion (Floyd and Steinberg 1976), rows in alternating direction.
    enum Dithering {
        /// `pixels` are 0xAABBGGRR, 0 for clear ones, which get `transparent` and neither take nor pass on errors.
        static func indices(_ pixels: [UInt32], width: Int, quantizer: inout ColorQuantizer, transparent: UInt8) -> [UInt8] {
            var result = [UInt8](repeating: transparent, count: pixels.count)
            // Sixteenths of a channel step, three channels a pixel, one pixel of margin on both sides.
            var errors = [Int32](repeating: 0, count: (width + 2) * 3)
            var below = errors
            let height = pixels.count / max(width, 1)
            for y in 0..<height {
                let step = y & 1 == 0 ? 1 : -1
                var x = step == 1 ? 0 : width - 1
                for _ in 0..<width {
                    let pixel = pixels[y * width + x]
                    if pixel != 0 {
                        let slot = (x + 1) * 3
                        var wanted: (Int32, Int32, Int32) = (0, 0, 0)
                        wanted.0 = clamp(Int32(pixel & 0xFF) + (errors[slot] + 8) >> 4)
                        wanted.1 = clamp(Int32(pixel >> 8 & 0xFF) + (errors[slot + 1] + 8) >> 4)
                        wanted.2 = clamp(Int32(pixel >> 16 & 0xFF) + (errors[slot + 2] + 8) >> 4)
                        let index = quantizer.index(of: UInt32(wanted.0) | UInt32(wanted.1) << 8 | UInt32(wanted.2) << 16)
                        result[y * width + x] = index
                        let got = quantizer.palette[Int(index)]
                        spread(wanted.0 - Int32(got & 0xFF), slot, step, &errors, &below)
                        spread(wanted.1 - Int32(got >> 8 & 0xFF), slot + 1, step, &errors, &below)
                        spread(wanted.2 - Int32(got >> 16 & 0xFF), slot + 2, step, &errors, &below)
                    }
                    x += step
                }
                swap(&errors, &below)
                for index in below.indices { below[index] = 0 }
            }
            return result
        }

        private static func clamp(_ value: Int32) -> Int32 { min(max(value, 0), 255) }

        private static func spread(_ error: Int32, _ slot: Int, _ step: Int, _ row: inout [Int32], _ below: inout [Int32]) {
            row[slot + 3 * step] += error * 7
            below[slot - 3 * step] += error * 3
            below[slot] += error * 5
            below[slot + 3 * step] += error
        }
    }
#endif
