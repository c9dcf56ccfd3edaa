#if JXL
    import GannetCore
    import Glibc

    /// Makes pixels of 8 bits of three planes (ISO/IEC 18181-1, annex L).
    struct JXLLightColors {
        enum Model: Equatable {
            /// Light as eyes take it, of an image whose white has so many cd/m².
            case xyb(white: Float)
            /// The samples of a JPEG.
            case yCbCr
        }

        private let model: Model
        /// Rows of red, green and blue, over the three receptors.
        private let matrix: [Float]
        /// The sample of 8 bits for each fraction of white.
        private let curve: [UInt8]
        private static let last: Float = 16_383
        private static let bias: Float = 0.0037930732552754493

        /// Nil: the image has colours that are not made here.
        init?(_ model: Model, _ colors: ColorSpace, isGray: Bool) {
            self.model = model
            guard case .xyb(let white) = model else {
                (matrix, curve) = ([], [])
                return
            }
            guard colors.iccProfile.isEmpty, white > 0 else { return nil }
            let primaries = colors.cicp?.primaries ?? 1
            guard let target = Self.fromSRGB(primaries), let curve = Self.curve(colors.cicp?.transfer ?? 13) else { return nil }
            let receptors: [Float] = [
                11.031566901960783, -9.866943921568629, -0.16462299647058826, -3.254147380392157, 4.418770392156863,
                -0.16462299647058826, -3.6588512862745097, 2.7129230470588235, 1.9459282392156863,
            ]
            let mixed = Self.product(
                isGray ? [0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722] : target, receptors)
            matrix = mixed.map { $0 * 255 / white }
            self.curve = curve
        }

        /// `rows`: of the three planes. Four bytes for each pixel.
        func write(_ rows: [[Float]], into pixels: inout [UInt8]) {
            if model == .yCbCr { writeJPEG(rows, &pixels) } else { writeLight(rows, &pixels) }
        }

        private func writeLight(_ rows: [[Float]], _ pixels: inout [UInt8]) {
            let (xs, ys, bs) = (rows[0], rows[1], rows[2])
            let root = cbrtf(Self.bias)
            let (m0, m1, m2) = (matrix[0], matrix[1], matrix[2])
            let (m3, m4, m5) = (matrix[3], matrix[4], matrix[5])
            let (m6, m7, m8) = (matrix[6], matrix[7], matrix[8])
            for x in xs.indices {
                let (long, medium, short) = (ys[x] + xs[x] + root, ys[x] - xs[x] + root, bs[x] + root)
                let l = long * long * long - Self.bias
                let m = medium * medium * medium - Self.bias
                let s = short * short * short - Self.bias
                pixels[4 &* x] = sample(m0 * l + m1 * m + m2 * s)
                pixels[4 &* x &+ 1] = sample(m3 * l + m4 * m + m5 * s)
                pixels[4 &* x &+ 2] = sample(m6 * l + m7 * m + m8 * s)
                pixels[4 &* x &+ 3] = 255
            }
        }

        @inline(__always) private func sample(_ light: Float) -> UInt8 {
            // What is not a number becomes white.
            curve[Int(max(0, min(Self.last, light * Self.last + 0.5)))]
        }

        private func writeJPEG(_ rows: [[Float]], _ pixels: inout [UInt8]) {
            func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value * 255 + 128.5))) }
            let (blues, greys, reds) = (rows[0], rows[1], rows[2])
            for x in greys.indices {
                pixels[4 &* x] = byte(greys[x] + 1.402 * reds[x])
                pixels[4 &* x &+ 1] = byte(greys[x] - 0.344_136 * blues[x] - 0.714_136 * reds[x])
                pixels[4 &* x &+ 2] = byte(greys[x] + 1.772 * blues[x])
                pixels[4 &* x &+ 3] = 255
            }
        }

        /// From sRGB's primaries to others with its white, by their code in ITU-T H.273.
        private static func fromSRGB(_ primaries: Int) -> [Float]? {
            switch primaries {
            case 1: [1, 0, 0, 0, 1, 0, 0, 0, 1]
            case 12: [0.822462, 0.177538, 0, 0.033194, 0.966806, 0, 0.017083, 0.072397, 0.910520]
            case 9: [0.627404, 0.329283, 0.043313, 0.069097, 0.919540, 0.011362, 0.016391, 0.088013, 0.895595]
            default: nil
            }
        }

        private static func product(_ a: [Float], _ b: [Float]) -> [Float] {
            (0..<9).map { place in
                let (row, column) = (place / 3 * 3, place % 3)
                return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
            }
        }

        private static let curve709 = curve { $0 < 0.018 ? 4.5 * $0 : 1.099 * pow($0, 0.45) - 0.099 }
        private static let curveSRGB = curve { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }

        /// By the transfer's code in ITU-T H.273. Means of light itself need more than 8 bits, which a decode of the whole has when it is
        /// converted before it is scaled.
        private static func curve(_ transfer: Int) -> [UInt8]? {
            switch transfer {
            case 1: curve709
            case 13: curveSRGB
            default: nil
            }
        }

        private static func curve(_ encode: (Double) -> Double) -> [UInt8] {
            (0...Int(last)).map { UInt8(encode(Double($0) / Double(last)) * 255 + 0.5) }
        }
    }
#endif
