#if Lottie
    public import GannetCore

    /// Lottie animations through rlottie: `.json`, `.lottie` (dotLottie) and `.tgs`. Decodes only, at any size.
    ///
    /// Nothing outside of the file is loaded: images of other files are left out, and those in the file are drawn. Text, effects and
    /// expressions are not drawn. Recognition, header and limits are Swift's own; rlottie gets what is left of the file, always in the
    /// sandbox.
    package struct LottieCoder: OneFormatCoder, WorkerConfined {
        /// Has no options.
        package init() {}

        package var needsOwnThread: Bool { true }
        package static var format: ImageFormat { .lottie }

        package func recognizes(_ head: Span<UInt8>) -> Recognition { LottieSignature.recognize(head) }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<LottieFile>(options: options, environment: environment)
        }
    }

    extension ImageFormat {
        /// Vector animations: Lottie, packed as dotLottie or as a sticker of Telegram, or plain. Decoded with the trait `Lottie`, in the
        /// sandbox alone; never written.
        public static let lottie = ImageFormat(
            identifier: "lottie",
            mimeTypes: ["video/lottie+json", "application/zip+dotlottie", "application/x-tgsticker", "application/json"],
            fileExtensions: ["json", "lottie", "tgs"])
    }
#endif
