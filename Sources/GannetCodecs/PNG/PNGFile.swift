#if PNG
    import GannetCore

    /// What the chunks of a file say, pixels apart.
    struct PNGFile {
        /// IHDR.
        struct Layout: Hashable {
            var size: PixelSize
            var depth: Int
            var color: ColorType
            var isInterlaced: Bool

            /// Bits of one pixel: 1 … 64.
            var bitsPerPixel: Int { depth * color.channels }
            /// Distance in bytes that filters look back: at least 1.
            var filterDistance: Int { max(1, bitsPerPixel / 8) }
            /// Bytes of a row of `width` pixels, without its filter byte.
            func rowBytes(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
        }

        enum ColorType: Int {
            case gray = 0
            case rgb = 2
            case palette = 3
            case grayAlpha = 4
            case rgba = 6

            var channels: Int {
                switch self {
                case .gray, .palette: 1
                case .grayAlpha: 2
                case .rgb: 3
                case .rgba: 4
                }
            }
            var depths: [Int] {
                switch self {
                case .gray: [1, 2, 4, 8, 16]
                case .palette: [1, 2, 4, 8]
                case .rgb, .grayAlpha, .rgba: [8, 16]
                }
            }
            var isGray: Bool { self == .gray || self == .grayAlpha }
        }

        var layout: Layout
        /// Red, green, blue after one another.
        var palette: [UInt8] = []
        /// tRNS as stored; empty: none.
        var transparency: [UInt8] = []
        var iccProfile: [UInt8] = []
        var cicp: CICP?
        var hasSRGB = false
        var exif: [UInt8]?
        /// Counts only where EXIF says nothing.
        var xmpOrientation: Orientation?
        /// Data of the IDAT chunks, in the order of the file.
        var image = PNGData()
        var animation: PNGAnimation?

        init(layout: Layout) { self.layout = layout }

        /// Alpha channel or tRNS.
        var hasAlpha: Bool { layout.color == .rgba || layout.color == .grayAlpha || !transparency.isEmpty }

        /// PNG 3rd edition, section 4.3: cICP before iCCP before sRGB.
        var colorSpace: ColorSpace {
            let model: ColorSpace.Model = layout.color.isGray ? .gray : .rgb
            if let cicp { return ColorSpace(model: model, cicp: cicp) }
            return ColorSpace(model: model, iccProfile: iccProfile)
        }
    }

    /// Where the compressed bytes of one picture lie in the file.
    struct PNGData {
        struct Piece {
            /// Offset of the chunk's type, where its checksum begins.
            var chunk: Int
            /// Offset of the compressed bytes.
            var start: Int
            /// Offset behind them; the checksum stands there.
            var end: Int
        }
        var pieces: [Piece] = []
        /// The chunk behind the last piece was seen.
        var isComplete = false

        /// These are the data of the picture in IDAT.
        func isImage(of file: PNGFile) -> Bool { pieces.first?.chunk == file.image.pieces.first?.chunk }

        /// Bytes of them in `rope`; what a chunk promises and does not hold is not counted.
        func byteCount(in rope: ByteRope) -> Int {
            pieces.reduce(0) { $0 + max(0, min($1.end, rope.count) - $1.start) }
        }
    }
#endif
