#if PNG
    /// Four letters; the case of the first says whether a decoder must know the chunk.
    struct ChunkType: Hashable, CustomStringConvertible {
        private let code: UInt32

        init(_ bytes: [UInt8], _ offset: Int) { code = UInt32(truncatingIfNeeded: PNGParser.number(bytes, offset)) }
        private init(_ name: StaticString) {
            code = UnsafeBufferPointer(start: name.utf8Start, count: 4).reduce(0) { $0 << 8 | UInt32($1) }
        }

        static let header = ChunkType("IHDR")
        static let palette = ChunkType("PLTE")
        static let imageData = ChunkType("IDAT")
        static let end = ChunkType("IEND")
        static let transparency = ChunkType("tRNS")
        static let profile = ChunkType("iCCP")
        static let codePoints = ChunkType("cICP")
        static let lightLevel = ChunkType("cLLI")
        static let masteringDisplay = ChunkType("mDCV")
        static let sRGB = ChunkType("sRGB")
        static let gamma = ChunkType("gAMA")
        static let chromaticities = ChunkType("cHRM")
        static let exif = ChunkType("eXIf")
        static let text = ChunkType("tEXt")
        static let compressedText = ChunkType("zTXt")
        static let internationalText = ChunkType("iTXt")
        static let animationControl = ChunkType("acTL")
        static let frameControl = ChunkType("fcTL")
        static let frameData = ChunkType("fdAT")
        /// Before IHDR: a variant of PNG for Apple's devices, with other compression and swapped colours.
        static let apple = ChunkType("CgBI")

        var isValid: Bool { letters.allSatisfy { (65...90).contains($0) || (97...122).contains($0) } }
        var isCritical: Bool { code & 0x2000_0000 == 0 }
        var isText: Bool { self == .text || self == .compressedText || self == .internationalText }

        /// Ancillary chunks that are read.
        var isOfInterest: Bool {
            switch self {
            case .transparency, .profile, .codePoints, .lightLevel, .masteringDisplay, .sRGB, .gamma, .chromaticities, .exif,
                .animationControl, .frameControl:
                true
            case _ where isText: true
            default: false
            }
        }

        private var letters: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) } }
        var description: String { String(decoding: letters, as: UTF8.self) }
    }
#endif
