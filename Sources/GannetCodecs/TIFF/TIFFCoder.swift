#if TIFF
    package import GannetCore

    /// TIFF and BigTIFF through libtiff: strips and tiles, interleaved or separate planes, bilevel, grey, palette, RGB, CMYK,
    /// YCbCr and L\*a\*b\*. Reads 1 to 64 bits, signed and floating-point samples, and every compression of the installed
    /// libtiff but JBIG.
    ///
    /// Pages are counted in ``ImageHeader/pageCount`` and decoded with ``FrameSelection/index(_:)``; the default is the first.
    /// Floating-point RGB with neither a stated range nor a profile is light, of which 1 is white (``SceneLight``). Other floating-point
    /// samples are shown from 0 to 1, or over the range stated in the file, and clipped. Inks other than CMYK,
    /// colour filter arrays and complex numbers are `unsupported`. A file can be read only when it is complete.
    package struct TIFFCoder: OneFormatCoder, MultiSizeCoder, RegionCoder, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .tiff }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let signatures: [[UInt8]] = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
            let count = min(head.count, 4)
            guard signatures.contains(where: { signature in (0..<count).allSatisfy { head[$0] == signature[$0] } }) else {
                return .no
            }
            return count < 4 ? .needsMoreBytes(4) : .yes(.tiff)
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<TIFFFile>(options: options, environment: environment)
        }

        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            let level = min(max(options.effort ?? 6, 1), 9)
            return StillEncoder(options) { (bitmap) throws(ImageError) in try TIFFWriter.write(bitmap, level: level) }
        }
    }
#endif
