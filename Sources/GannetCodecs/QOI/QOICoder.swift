#if QOI
    package import GannetCore

    /// QOI, the "Quite OK Image Format" (specification 1.0): lossless, 8 bits, with or without alpha.
    package struct QOICoder: OneFormatCoder, MultiSizeCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .qoi }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            for index in head.indices.prefix(4) where head[index] != QOIFile.magic[index] { return .no }
            return head.count < 4 ? .needsMoreBytes(4) : .yes(.qoi)
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<QOIFile>(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            StillEncoder(options, QOIWriter.write)
        }
    }
#endif
