#if PNG
    import GannetCore

    /// The information of a file's chunks, without pixels.
    struct PNGFile {
        /// IHDR.
        struct Layout: Hashable {
            var size: PixelSize
            var depth: Int
            var color: ColorType
            var isInterlaced: Bool

            /// Bits of one pixel: 1 … 64.
            var bitsPerPixel: Int { depth * color.channels }
            /// Distance in bytes to the previous pixel for filters: at least 1.
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
        var light = PNGLight()
        var exif: [UInt8]?
        /// Used only without an EXIF orientation.
        var xmpOrientation: Orientation?
        /// By the chunks before the image data. Later ones do not turn the image: it is shown before they arrive (PNG 3rd edition,
        /// section 5.6).
        var orientation = Orientation.up
        /// The IDAT chunks in file order.
        var image = PNGData()
        var animation: PNGAnimation?

        init(layout: Layout) { self.layout = layout }

        mutating func settleOrientation() { orientation = exif.flatMap { EXIF.orientation(in: $0) } ?? xmpOrientation ?? .up }

        /// Alpha channel or tRNS.
        var hasAlpha: Bool { layout.color == .rgba || layout.color == .grayAlpha || !transparency.isEmpty }

        /// PNG 3rd edition, section 4.3: cICP before iCCP before sRGB.
        var colorSpace: ColorSpace {
            let model: ColorSpace.Model = layout.color.isGray ? .gray : .rgb
            guard let cicp else { return ColorSpace(model: model, iccProfile: iccProfile) }
            var colors = ColorSpace(model: model, cicp: cicp, brightest: light.brightest)
            // The matrix of RGB is 0; with another one the flag speaks of planes that a PNG does not have. Fewer than 8 bits have no such range.
            colors.hasNarrowRange = !cicp.isFullRange && cicp.matrix == 0 && (layout.depth >= 8 || layout.color == .palette)
            return colors
        }

        /// The same, with gAMA and cHRM as a profile: they count where none of the others is there.
        var deliveredColorSpace: ColorSpace {
            var result = colorSpace
            if cicp == nil, iccProfile.isEmpty, !hasSRGB { result.iccProfile = light.profile(isGray: layout.color.isGray) }
            return result
        }
    }

    /// The places of one image's compressed bytes in the file.
    struct PNGData {
        struct Piece {
            /// Offset of the chunk's type, where its checksum begins.
            var chunk: Int
            /// Offset of the compressed bytes.
            var start: Int
            /// Offset after them, where the checksum is.
            var end: Int
        }
        var pieces: [Piece] = []
        /// The chunk after the last piece has been read.
        var isComplete = false

        /// Whether this is the data of the IDAT image.
        func isImage(of file: PNGFile) -> Bool { pieces.first?.chunk == file.image.pieces.first?.chunk }

        /// The number of these bytes in `rope`, without promised but missing ones.
        func byteCount(in rope: ByteRope) -> Int {
            pieces.reduce(0) { $0 + max(0, min($1.end, rope.count) - $1.start) }
        }
    }
#endif
