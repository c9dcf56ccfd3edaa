#if BMP
    package import GannetCore

    /// BMP: all depths from 1 to 32 bits, run lengths, colour masks, headers of Windows and OS/2.
    ///
    /// The fourth byte of 32-bit pixels is alpha only if a mask says so and it is not zero everywhere. Embedded JPEG and PNG,
    /// Huffman coding and 64 bits are `unsupported`.
    package struct BMPCoder: OneFormatCoder, MultiSizeCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .bmp }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            if head.count >= 1, head[0] != 0x42 { return .no }
            if head.count >= 2, head[1] != 0x4D { return .no }
            guard head.count >= 18 else { return .needsMoreBytes(18) }
            // Two letters are a weak signature; the size of the second header is a better one.
            let size = Int(head[14]) | Int(head[15]) << 8 | Int(head[16]) << 16 | Int(head[17]) << 24
            return BMPHeader.isHeaderSize(size) ? .yes(.bmp) : .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<BMPFile>(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            StillEncoder(options, BMPWriter.write)
        }
    }

    /// A file: 14 bytes, then a bitmap header.
    struct BMPFile: WholeFileFormat {
        // The longest header with a full palette.
        static let headerBytes = 14 + 124 + 16 + 1024

        private let bitmap: BMPHeader
        private let pixelStart: Int
        private let limits: DecodeLimits
        private(set) var header: ImageHeader

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            let fields = LittleEndianFields(bytes: head)
            guard head.count >= 18, let offset = fields.long(10) else { return nil }
            guard head[0] == 0x42, head[1] == 0x4D else { throw BMPHeader.corrupt("The file does not begin with BM.") }
            let room = offset >= 26 ? offset - 14 : nil
            guard let bitmap = try BMPHeader(Array(head[14...]), halvesHeight: false, paletteRoom: room) else { return nil }
            self.bitmap = bitmap
            pixelStart = offset >= 26 ? offset : 14 + bitmap.end
            limits = environment.limits
            header = ImageHeader(
                format: .bmp, size: bitmap.size, hasAlpha: bitmap.hasAlpha, bitDepth: min(8, bitmap.bits))
        }

        var leastBytes: Int {
            switch bitmap.compression {
            case .runs8, .runs4: pixelStart
            // The last row's padding may be missing.
            case .none, .bitFields: pixelStart + bitmap.bytesPerRow * (bitmap.size.height - 1) + bitmap.leastRowBytes
            }
        }

        mutating func complete(_ bytes: ByteRope) throws(ImageError) {
            guard let range = bitmap.profile, 14 + range.upperBound <= bytes.count else { return }
            try limits.check(metadataBytes: range.count)
            header.colorSpace.iccProfile = bytes.prefix(range.count, from: 14 + range.lowerBound)
        }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let isWhole = try BMPPixels(bitmap).decode(bytes, from: pixelStart, into: &buffer, watch)
            // Many writers declare alpha and leave it zero everywhere: treat it as opaque.
            if bitmap.hasAlpha, buffer.isClear {
                let height = bitmap.size.height
                let rows = isWhole ? height : bitmap.wholeRows(of: bytes.count - pixelStart)
                buffer.fillAlpha(rows: bitmap.isTopDown ? 0..<rows : height - rows..<height)
                if isWhole { buffer.setAlpha(.opaque) }
            }
            return isWhole
        }
    }
#endif
