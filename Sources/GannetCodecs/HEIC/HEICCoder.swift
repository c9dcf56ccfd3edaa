#if HEIC
    package import GannetCore

    /// HEIC and HEIF through libheif; image sequences with libheif 1.21 and later.
    ///
    /// The library crops, rotates and mirrors (`clap`, `irot`, `imir`) as the format demands, so sizes are those of the upright
    /// image; an orientation in the EXIF block is ignored. Of collections the primary image is decoded. A file is an animation if its
    /// major brand is that of a sequence (`msf1`, `hevc`, `hevx`) and it has a track of HEVC images; with an older libheif, only the
    /// primary image is decoded.
    package struct HEICCoder: OneFormatCoder, MultiSizeCoder, RegionCoder, EmbeddedThumbnailReading, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .heic }

        private static let brands: Set<String> = [
            "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1",
        ]

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            ISOBrands.recognize(head) { brands in
                // "mif1" alone does not identify a format: AVIF has its own brands in addition.
                let isAVIF = brands.contains("avif") || brands.contains("avis")
                let known = brands.filter { Self.brands.contains($0) && !(isAVIF && ["mif1", "mif2", "msf1"].contains($0)) }
                return known.isEmpty ? nil : .heic
            }
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<HEICFile>(options: options, environment: environment)
        }

        package func embeddedThumbnail(in file: ByteRope, limits: DecodeLimits) -> ByteRope? {
            EmbeddedThumbnail.promoted(in: file)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            HEICEncoder(options: options)
        }
    }

    extension HEICCoder: GainMapReading {
        package func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
            HEIFGainMap.gainMap(in: file, limits: limits, isUpright: true)
        }
    }
#endif
