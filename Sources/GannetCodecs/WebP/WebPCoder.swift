#if WebP
    package import GannetCore

    /// WebP, lossy and lossless, still and animated, through libwebp.
    package struct WebPCoder: OneFormatCoder, WorkerLoadable {
        package static var format: ImageFormat { .webp }

        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let riff: [UInt8] = Array("RIFF".utf8)
            let webp: [UInt8] = Array("WEBP".utf8)
            for index in 0..<min(head.count, 4) where head[index] != riff[index] { return .no }
            for index in 8..<max(8, min(head.count, 12)) where head[index] != webp[index - 8] { return .no }
            return head.count >= 12 ? .yes(.webp) : .needsMoreBytes(12)
        }

        static func isSignature(_ head: [UInt8]) -> Bool {
            head.count >= 12 && head[0..<4].elementsEqual("RIFF".utf8) && head[8..<12].elementsEqual("WEBP".utf8)
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WebPDecoder(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            try options.webP.check()
            return WebPEncoder(options: options)
        }
    }
#endif
