#if PNG
    import CGannetKernels
    import GannetCore

    /// Converts unfiltered rows of a file to rows of pixels.
    struct PNGExpander {
        private enum Kind {
            /// One sample of 1 … 8 bits: the table has the pixel of each value.
            case table([UInt32])
            case rgb8
            case rgb8Key(red: UInt8, green: UInt8, blue: UInt8)
            case grayAlpha8
            case rgba8
            /// 16 bits a sample.
            case wide(key: [UInt16])
        }

        private let kind: Kind
        private let layout: PNGFile.Layout
        let format: PixelFormat
        /// The delivered alpha: opaque if the file has none or none is wanted.
        let alpha: AlphaMode
        private let dropsAlpha: Bool
        private let rounds: Bool
        /// One row of 16-bit pixels, for conversion to 8 bits.
        private var wideRow: [UInt16] = []

        /// `rounds`: 16-bit samples are rounded to 8 bits; otherwise the high byte is taken.
        init(_ file: PNGFile, format: PixelFormat, alpha wanted: AlphaMode, rounds: Bool) {
            layout = file.layout
            self.format = format
            self.rounds = rounds
            alpha = file.hasAlpha ? wanted : .opaque
            dropsAlpha = file.hasAlpha && wanted == .opaque
            let key = stride(from: 0, to: file.transparency.count & ~1, by: 2).map {
                UInt16(file.transparency[$0]) << 8 | UInt16(file.transparency[$0 + 1])
            }
            switch file.layout.color {
            case _ where file.layout.depth == 16:
                kind = .wide(key: file.layout.color == .gray || file.layout.color == .rgb ? key : [])
                if format == .rgba8 { wideRow = [UInt16](repeating: 0, count: file.layout.size.width * 4) }
            case .gray, .palette: kind = .table(Self.table(file, alpha: alpha))
            case .rgb where key.count == 3:
                // Only the low byte counts at 8 bits, as in libpng.
                kind = .rgb8Key(
                    red: UInt8(truncatingIfNeeded: key[0]), green: UInt8(truncatingIfNeeded: key[1]),
                    blue: UInt8(truncatingIfNeeded: key[2]))
            case .rgb: kind = .rgb8
            case .grayAlpha: kind = .grayAlpha8
            case .rgba: kind = .rgba8
            }
        }

        /// Pixels keep size and order: rows may be converted in place.
        var worksInPlace: Bool { if case .rgba8 = kind { true } else { false } }

        /// Converts `pixels` unfiltered pixels from `source` to `target`.
        mutating func expand(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, pixels: Int) {
            switch kind {
            case .table(let table):
                gannet_png_expand_table(target, source, pixels, UInt32(layout.depth), table)
                return
            case .rgb8:
                gannet_png_expand_rgb8(target, source, pixels)
                return
            case .rgb8Key(let red, let green, let blue):
                gannet_png_expand_rgb8_key(target, source, pixels, red, green, blue)
                finish8(target, target, pixels)
            case .grayAlpha8:
                gannet_png_expand_gray_alpha8(target, source, pixels)
                finish8(target, target, pixels)
            case .rgba8: finish8(source, target, pixels)
            case .wide(let key): expandWide(source, target, pixels, key)
            }
        }

        private func finish8(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ pixels: Int) {
            if alpha == .premultiplied {
                gannet_png_premultiply8(target, source, pixels)
            } else if UnsafePointer(target) != source {
                UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: pixels * 4)
            }
            if dropsAlpha { Self.fillAlpha8(target, pixels) }
        }

        private mutating func expandWide(
            _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ pixels: Int, _ key: [UInt16]
        ) {
            let channels = UInt32(layout.color.channels)
            if format == .rgba16 {
                target.withMemoryRebound(to: UInt16.self, capacity: pixels * 4) { target in
                    gannet_png_expand_16(target, source, pixels, channels, !key.isEmpty, key)
                    if alpha == .premultiplied { gannet_png_premultiply16(target, pixels) }
                    if dropsAlpha { for index in 0..<pixels { target[index * 4 + 3] = .max } }
                }
                return
            }
            gannet_png_expand_16(&wideRow, source, pixels, channels, !key.isEmpty, key)
            // Round once, after the multiplication; stored high bytes are multiplied unchanged.
            if alpha == .premultiplied, rounds { gannet_png_premultiply16(&wideRow, pixels) }
            gannet_png_narrow(target, wideRow, pixels * 4, rounds)
            if alpha == .premultiplied, !rounds { gannet_png_premultiply8(target, target, pixels) }
            if dropsAlpha { Self.fillAlpha8(target, pixels) }
        }

        private static func fillAlpha8(_ target: UnsafeMutablePointer<UInt8>, _ pixels: Int) {
            for index in 0..<pixels { target[index * 4 + 3] = 255 }
        }

        /// The pixels of all 256 sample values. Indices beyond the palette are opaque black, as in libpng.
        private static func table(_ file: PNGFile, alpha: AlphaMode) -> [UInt32] {
            var bytes = [UInt8](repeating: 0, count: 1024)
            let levels = (1 << file.layout.depth) - 1
            for value in 0..<256 {
                var pixel: [UInt8]
                if file.layout.color == .palette {
                    let isInside = value * 3 + 3 <= file.palette.count
                    pixel = isInside ? Array(file.palette[value * 3..<value * 3 + 3]) : [0, 0, 0]
                    pixel.append(value < file.transparency.count ? file.transparency[value] : 255)
                } else {
                    let gray = UInt8(truncatingIfNeeded: (value & levels) * 255 / levels)
                    let isKey = file.transparency.count == 2 && Int(file.transparency[1]) & levels == value
                    pixel = [gray, gray, gray, isKey ? 0 : 255]
                }
                if alpha == .opaque { pixel[3] = 255 }
                for channel in 0..<4 { bytes[value * 4 + channel] = pixel[channel] }
            }
            if alpha == .premultiplied {
                bytes.withUnsafeMutableBufferPointer { gannet_png_premultiply8($0.baseAddress, $0.baseAddress, 256) }
            }
            return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
        }
    }
#endif
