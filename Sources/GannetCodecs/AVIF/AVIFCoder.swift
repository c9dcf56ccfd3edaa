#if AVIF
    package import GannetCore

    /// AVIF, stills and sequences, through libavif.
    ///
    /// Sizes are those of the clean aperture (`clap`), which is ignored if it leaves the image. `irot` and `imir` become
    /// ``ImageHeader/orientation``; an orientation in the EXIF block is ignored, as the format demands. Gain maps are ignored.
    package struct AVIFCoder: ImageCoder, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package var identifier: String { "avif" }
        package var formats: [ImageFormat] { [.avif] }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            ISOBrands.recognize(head) { brands in
                brands.contains("avif") || brands.contains("avis") ? .avif : nil
            }
        }

        package func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .avif else {
                throw ImageError(.unsupported, stage: .decode, "The AVIF coder cannot decode \(format).")
            }
            return WholeFileDecoder<AVIFFile>(options: options, environment: environment)
        }

        package func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            guard format == .avif else {
                throw ImageError(.unsupported, stage: .encode, "The AVIF coder cannot write \(format).")
            }
            return AVIFEncoder(options: options)
        }
    }
#endif
