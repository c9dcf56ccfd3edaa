#if GIF
    package import GannetCore

    /// GIF, still and animated, in Swift: all disposal methods, interlacing, loop counts. Writing chooses a palette for the
    /// image.
    package struct GIFCoder: OneFormatCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        package static var format: ImageFormat { .gif }

        /// Whether images with more than 256 colours are written with dithering (error diffusion). Default true.
        package var dithers: Bool

        /// `dithers` false makes smaller files, whose gradients show bands.
        package init(dithers: Bool) { self.dithers = dithers }

        /// Dithers.
        package init() { self.init(dithers: true) }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let signature: [UInt8] = Array("GIF8".utf8)
            for index in 0..<min(head.count, 4) where head[index] != signature[index] { return .no }
            guard head.count >= 6 else { return .needsMoreBytes(6) }
            return (head[4] == UInt8(ascii: "7") || head[4] == UInt8(ascii: "9")) && head[5] == UInt8(ascii: "a")
                ? .yes(.gif) : .no
        }

        static func isSignature(_ bytes: [UInt8]) -> Bool {
            bytes.starts(with: Array("GIF89a".utf8)) || bytes.starts(with: Array("GIF87a".utf8))
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            GIFDecoder(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            GIFEncoder(options: options, dithers: dithers)
        }
    }
#endif
