#if JXL
    package import GannetCore

    /// JPEG XL, stills and animations, bare or in a container, through libjxl. Layers are flattened by the library.
    package struct JXLCoder: OneFormatCoder, MultiSizeCoder, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .jxl }

        private static let container: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            guard head.count >= 2 else { return head.count == 1 && head[0] != 0xFF && head[0] != 0 ? .no : .needsMoreBytes(2) }
            if head[0] == 0xFF { return head[1] == 0x0A ? .yes(.jxl) : .no }
            for index in 0..<min(head.count, 12) where head[index] != Self.container[index] { return .no }
            return head.count >= 12 ? .yes(.jxl) : .needsMoreBytes(12)
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            JXLDecoder(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            JXLEncoder(options: options)
        }
    }

    extension JXLCoder: GainMapReading {
        package func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
            JXLGainMap.gainMap(in: file, limits: limits)
        }
    }
#endif
