#if QOI
    package import GannetCore

    /// QOI, the "Quite OK Image Format" (specification 1.0): lossless, 8 bits, with or without alpha.
    package struct QOICoder: ImageCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package var identifier: String { "qoi" }
        package var formats: [ImageFormat] { [.qoi] }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            for index in head.indices.prefix(4) where head[index] != QOIFile.magic[index] { return .no }
            return head.count < 4 ? .needsMoreBytes(4) : .yes(.qoi)
        }

        package func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .qoi else {
                throw ImageError(.unsupported, stage: .decode, "The QOI coder cannot decode \(format).")
            }
            return WholeFileDecoder<QOIFile>(options: options, environment: environment)
        }

        package func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            guard format == .qoi else {
                throw ImageError(.unsupported, stage: .encode, "The QOI coder cannot write \(format).")
            }
            return StillEncoder(options, QOIWriter.write)
        }
    }
#endif
