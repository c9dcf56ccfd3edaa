#if RAW
    public import GannetCore

    /// Raw files of cameras through LibRaw: DNG, CR2, CR3, NEF, ARW, RAF, ORF, RW2, PEF and SRW. Decodes only.
    ///
    /// Shown with the camera's white balance and in sRGB, without any brightening that depends on the picture; DNG's `BaselineExposure`
    /// counts. At most half of the size is decoded without interpolation. A file can be read only when it is complete, and a shorter one is
    /// never shown in part. Always decodes in the sandbox.
    package struct RAWCoder: EmbeddedThumbnailReading, WorkerConfined {
        /// Has no options.
        package init() {}

        package var identifier: String { "raw" }
        package var needsOwnThread: Bool { true }
        package var formats: [ImageFormat] { [.raw] }

        package func recognizes(_ head: Span<UInt8>) -> Recognition { RAWSignature.recognize(head) }

        package func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .raw else {
                throw ImageError(.unsupported, stage: .decode, "The coder for raw files cannot decode \(format).")
            }
            return WholeFileDecoder<RAWFile>(options: options, environment: environment)
        }

        package func embeddedThumbnail(in file: ByteRope, limits: DecodeLimits) -> ByteRope? {
            EmbeddedThumbnail.promoted(in: file)
        }

        package func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            nil
        }
    }

    extension ImageFormat {
        /// Raw files of cameras, whatever the maker: what the sensor saw. Decoded with the trait `RAW`, in the sandbox alone; never written.
        public static let raw = ImageFormat(
            identifier: "raw",
            mimeTypes: [
                "image/x-adobe-dng", "image/dng", "image/x-canon-cr2", "image/x-canon-cr3", "image/x-nikon-nef",
                "image/x-sony-arw",
                "image/x-fuji-raf", "image/x-olympus-orf", "image/x-panasonic-rw2", "image/x-pentax-pef", "image/x-samsung-srw",
            ],
            fileExtensions: ["dng", "cr2", "cr3", "nef", "nrw", "arw", "raf", "orf", "rw2", "rwl", "pef", "srw"])
    }
#endif
