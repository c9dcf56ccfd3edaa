#if HEIC
    public import GannetCore

    /// HEIC and HEIF, stills, through libheif.
    ///
    /// The library crops, turns and mirrors (`clap`, `irot`, `imir`) as the format demands, so sizes are those of the upright
    /// picture; an orientation in the EXIF block is ignored. Collections and sequences show their primary picture.
    public struct HEICCoder: ImageCoder {
        /// Has no settings; those for writing come with `EncodeOptions`.
        public init() {}

        public var identifier: String { "heic" }
        public var formats: [ImageFormat] { [.heic] }

        private static let brands: Set<String> = [
            "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
        ]

        public func recognizes(_ head: Span<UInt8>) -> Recognition {
            ISOBrands.recognize(head) { brands in
                // "mif1" alone can be anything: AVIF says so in its other brands.
                let isAVIF = brands.contains("avif") || brands.contains("avis")
                let known = brands.filter { Self.brands.contains($0) && !(isAVIF && ["mif1", "mif2", "msf1"].contains($0)) }
                return known.isEmpty ? nil : .heic
            }
        }

        public func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .heic else {
                throw ImageError(.unsupported, stage: .decode, "The HEIC coder cannot decode \(format).")
            }
            return WholeFileDecoder<HEICFile>(options: options, environment: environment)
        }

        public func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            guard format == .heic else {
                throw ImageError(.unsupported, stage: .encode, "The HEIC coder cannot write \(format).")
            }
            return HEICEncoder(options: options)
        }
    }
#endif
