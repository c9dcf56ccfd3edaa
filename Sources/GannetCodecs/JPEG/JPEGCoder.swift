#if JPEG
    package import GannetCore

    /// JPEG through libjpeg-turbo: baseline, progressive, arithmetic; grey, RGB, YCbCr, CMYK and YCCK; 8 bits a channel.
    ///
    /// 12-bit, lossless and hierarchical files throw `unsupported`. Unknown segments are ignored.
    package struct JPEGCoder: OneFormatCoder, MultiSizeCoder, RegionCoder, EmbeddedThumbnailReading, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .jpeg }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let signature: [UInt8] = [0xFF, 0xD8, 0xFF]
            for index in 0..<min(head.count, signature.count) where head[index] != signature[index] { return .no }
            return head.count < signature.count ? .needsMoreBytes(signature.count) : .yes(.jpeg)
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            JPEGDecoder(options: options, environment: environment)
        }

        package func embeddedThumbnail(in file: ByteRope, limits: DecodeLimits) -> ByteRope? {
            var scanner = JPEGHeaderScanner(limits)
            // The decoder reports damage.
            _ = try? scanner.advance(file)
            return scanner.exif.flatMap { EXIF.thumbnail(in: $0) }.map { ByteRope($0) }
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            JPEGEncoder(options)
        }
    }

    extension JPEGCoder: GainMapReading {
        package func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
            UltraHDR.gainMap(in: file, limits: limits)
        }
    }
#endif
