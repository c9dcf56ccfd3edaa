#if AVIF
    package import GannetCore

    /// AVIF, stills and sequences, through libavif.
    ///
    /// Sizes are those of the clean aperture (`clap`), which is ignored if it leaves the image. `irot` and `imir` become
    /// ``ImageHeader/orientation``; an orientation in the EXIF block is ignored, as the format demands.
    package struct AVIFCoder: OneFormatCoder, MultiSizeCoder, RegionCoder, EmbeddedThumbnailReading, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .avif }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            ISOBrands.recognize(head) { brands in
                brands.contains("avif") || brands.contains("avis") ? .avif : nil
            }
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<AVIFFile>(options: options, environment: environment)
        }

        package func embeddedThumbnail(in file: ByteRope, limits: DecodeLimits) -> ByteRope? {
            EmbeddedThumbnail.promoted(in: file)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            AVIFEncoder(options: options)
        }
    }

    extension AVIFCoder: GainMapReading {
        package func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
            HEIFGainMap.gainMap(in: file, limits: limits, isUpright: false)
        }
    }
#endif
