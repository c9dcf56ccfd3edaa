#if PNM
    package import GannetCore

    /// PBM, PGM, PPM (plain and raw) and PAM of Netpbm, up to 16 bits a channel. Decodes only the first image of a file.
    ///
    /// Values are scaled to the full range and rounded: `maxval` becomes 255, or 65,535 for 16 bits.
    package struct PNMCoder: OneFormatCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .pnm }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            if head.count >= 1, head[0] != 0x50 { return .no }
            if head.count >= 2, !(0x31...0x37).contains(head[1]) { return .no }
            guard head.count >= 3 else { return .needsMoreBytes(3) }
            return PNMHeader.isSpace(head[2]) || head[2] == 0x23 ? .yes(.pnm) : .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<PNMFile>(options: options, environment: environment)
        }

        /// Grey images become PGM, others PPM, those with alpha PAM; 16 bits stay 16 bits.
        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            StillEncoder(options, PNMWriter.write)
        }
    }
#endif
