#if JPEG
    package import GannetCore

    /// JPEG through libjpeg-turbo: baseline, progressive, arithmetic; grey, RGB, YCbCr, CMYK and YCCK; 8 bits a channel.
    ///
    /// 12-bit, lossless and hierarchical files throw `unsupported`. Unknown segments are ignored.
    package struct JPEGCoder: ImageCoder, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package var identifier: String { "jpeg" }
        package var formats: [ImageFormat] { [.jpeg] }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
            for index in 0..<min(head.count, signature.count) where head[index] != signature[index] { return .no }
            return head.count < signature.count ? .needsMoreBytes(signature.count) : .yes(.jpeg)
        }

        package func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .jpeg else { throw Self.wrongFormat(format) }
            return JPEGDecoder(options: options, environment: environment)
        }

        package func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            guard format == .jpeg else { throw Self.wrongFormat(format) }
            return JPEGEncoder(options)
        }

        private static func wrongFormat(_ format: ImageFormat) -> ImageError {
            ImageError(.unsupported, stage: .decode, "The JPEG coder does not know \(format).")
        }
    }

    extension JPEGCoder: GainMapReading {
        package func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
            UltraHDR.gainMap(in: file, limits: limits)
        }
    }
#endif
