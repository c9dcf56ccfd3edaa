#if JP2
    public import GannetCore

    /// JPEG 2000 (ISO/IEC 15444-1) through OpenJPEG: `.jp2` and bare codestreams; JPX as far as it keeps to them. Decodes only.
    ///
    /// Grey, RGB, sYCC, CMYK and L\*a\*b\*, palettes, alpha, subsampled components, 1 to 31 bits, signed or not. Sizes near a thumbnail are
    /// decoded from fewer resolutions, and regions from the tiles and blocks that they touch. Inks with alpha and Motion JPEG 2000 are
    /// `unsupported`. Always decodes in the sandbox.
    package struct JP2Coder: OneFormatCoder, RegionCoder, WorkerConfined {
        /// Has no options.
        package init() {}

        package var needsOwnThread: Bool { true }
        package static var format: ImageFormat { .jp2 }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            for signature in [JP2Boxes.signature, JP2Codestream.signature] {
                let count = min(head.count, signature.count)
                guard (0..<count).allSatisfy({ head[$0] == signature[$0] }) else { continue }
                return count < signature.count ? .needsMoreBytes(signature.count) : .yes(.jp2)
            }
            return .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<JP2File>(options: options, environment: environment)
        }
    }

    extension ImageFormat {
        /// JPEG 2000, ISO/IEC 15444-1. Decoded with the trait `JP2`, in the sandbox alone; never written.
        public static let jp2 = ImageFormat(
            identifier: "jp2", mimeTypes: ["image/jp2", "image/jpx", "image/j2c"],
            fileExtensions: ["jp2", "j2k", "j2c", "jpc", "jpx", "jpf"])
    }
#endif
