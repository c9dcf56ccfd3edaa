#if JPEG
    public import GannetCore

    /// JPEG through libjpeg-turbo: baseline, progressive, arithmetic; grey, RGB, YCbCr, CMYK and YCCK; 8 bits a channel.
    ///
    /// 12-bit, lossless and hierarchical files throw `unsupported`. Gain maps and unknown segments are ignored.
    public struct JPEGCoder: ImageCoder {
        /// Has no options; `EncodeOptions` has those for writing.
        public init() {}

        public var identifier: String { "jpeg" }
        public var formats: [ImageFormat] { [.jpeg] }

        public func recognizes(_ head: Span<UInt8>) -> Recognition {
            let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
            for index in 0..<min(head.count, signature.count) where head[index] != signature[index] { return .no }
            return head.count < signature.count ? .needsMoreBytes(signature.count) : .yes(.jpeg)
        }

        public func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .jpeg else { throw Self.wrongFormat(format) }
            return JPEGDecoder(options: options, environment: environment)
        }

        public func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            guard format == .jpeg else { throw Self.wrongFormat(format) }
            return JPEGEncoder(options)
        }

        private static func wrongFormat(_ format: ImageFormat) -> ImageError {
            ImageError(.unsupported, stage: .decode, "The JPEG coder does not know \(format).")
        }
    }
#endif
