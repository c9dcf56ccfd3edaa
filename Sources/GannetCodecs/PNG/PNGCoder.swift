#if PNG
    package import GannetCore

    /// PNG and APNG (PNG 3rd edition, 2025), read and written by own code in Swift and C; libdeflate packs and unpacks the image data.
    ///
    /// Every colour type and depth, interlace, transparency, 16-bit samples, animations. Checksums are checked: damaged
    /// critical chunks and image data are errors, damaged ancillary chunks are left out. Colours come from `cICP`, else
    /// `iCCP`; images with `gAMA` or `cHRM` alone are taken as sRGB.
    package struct PNGCoder: OneFormatCoder, MultiSizeCoder, RegionCoder, WorkerLoadable {
        /// Has no settings; those for writing come with `EncodeOptions`.
        package init() {}

        package static var format: ImageFormat { .png }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            for index in head.indices.prefix(PNGParser.signature.count) where head[index] != PNGParser.signature[index] {
                return .no
            }
            return head.count < PNGParser.signature.count ? .needsMoreBytes(PNGParser.signature.count) : .yes(.png)
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            PNGDecoder(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            PNGEncoder(options)
        }
    }
#endif
