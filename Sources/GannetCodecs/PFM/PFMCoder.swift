#if PFM
    package import GannetCore

    /// PFM: grey (`Pf`) and colour (`PF`) in floats of 32 bits, of both byte orders.
    ///
    /// The scale in the header says the byte order; its amount, a unit that hardly a program writes, is not read.
    package struct PFMCoder: OneFormatCoder, MultiSizeCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        /// Has no options.
        package init() {}

        package static var format: ImageFormat { .pfm }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            if head.count >= 1, head[0] != 0x50 { return .no }
            if head.count >= 2, head[1] != 0x46, head[1] != 0x66 { return .no }
            guard head.count >= 3 else { return .needsMoreBytes(3) }
            return PFMFile.isSpace(head[2]) ? .yes(.pfm) : .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<PFMFile>(options: options, environment: environment)
        }
    }

    /// A PFM file: four words, then rows from the bottom to the top.
    struct PFMFile: WholeFileFormat {
        static let headerBytes = 256

        private let start: Int
        private let channels: Int
        private let isBigEndian: Bool
        private let light: SceneLight
        let header: ImageHeader
        private(set) var outputColorSpace: ColorSpace

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            var position = 0
            var words: [String] = []
            while words.count < 4 {
                while position < head.count, Self.isSpace(head[position]) { position += 1 }
                guard position < head.count, let end = head[position...].firstIndex(where: Self.isSpace) else {
                    guard head.count < Self.headerBytes else { throw Self.corrupt("The header does not end.") }
                    return nil
                }
                words.append(String(decoding: head[position..<end], as: UTF8.self))
                position = end
            }
            guard words[0] == "PF" || words[0] == "Pf", let width = Int(words[1]), let height = Int(words[2]),
                let scale = Double(words[3]), scale != 0, scale.isFinite
            else { throw Self.corrupt("The header of the PFM file breaks the format's rules.") }
            guard width > 0, height > 0 else { throw Self.corrupt("The image has no pixels.") }
            guard let size = PixelSize(width: width, height: height) else {
                throw ImageError(.limitExceeded, stage: .decode, "The image has \(width)×\(height) pixels; that is too much.")
            }
            channels = words[0] == "PF" ? 3 : 1
            isBigEndian = scale > 0
            // One space, and no more, because the next byte is a pixel's.
            start = position + 1
            light = SceneLight(options, environment)
            header = ImageHeader(
                format: .pfm, size: size, bitDepth: 32, colorSpace: SceneLight.colorSpace(channels == 1 ? .gray : .rgb))
            outputColorSpace = header.colorSpace
        }

        static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

        private static func corrupt(_ message: String) -> ImageError { ImageError(.corrupt, stage: .decode, message) }

        var outputSize: PixelSize { light.outputSize(header) }
        var leastBytes: Int { start + header.size.area * channels * 4 }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let rows = PFMRows(bytes: bytes, start: start, channels: channels, size: header.size, isBigEndian: isBigEndian)
            let decoded = try light.decode(rows, header, into: &buffer, watch)
            outputColorSpace = decoded.colors
            return decoded.isWhole
        }
    }

    private struct PFMRows: LightRows {
        let bytes: [UInt8]
        let start: Int
        let channels: Int
        let size: PixelSize
        let isBigEndian: Bool

        private var length: Int { size.width * channels * 4 }
        /// The upper rows are the last in the file.
        var first: Int { size.height - min(max(bytes.count - start, 0) / length, size.height) }

        func read(_ y: Int, into light: inout [Float]) throws(ImageError) -> Bool {
            let first = start + (size.height - 1 - y) * length
            guard first + length <= bytes.count else { return false }
            let source = bytes.span
            var values = light.mutableSpan
            for index in values.indices {
                let place = first + (channels == 3 ? index : index / 3) * 4
                var bits: UInt32 = 0
                for byte in 0..<4 { bits = bits << 8 | UInt32(source[isBigEndian ? place + byte : place + 3 - byte]) }
                values[index] = Float(bitPattern: bits)
            }
            return true
        }
    }
#endif
