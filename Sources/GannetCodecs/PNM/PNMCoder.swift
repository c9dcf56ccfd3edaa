#if PNM
    public import GannetCore

    /// PBM, PGM, PPM (plain and raw) and PAM of Netpbm, up to 16 bits a channel. Of several pictures in a file the first.
    ///
    /// Values are spread over the whole range to the nearest: `maxval` becomes 255, or 65,535 where 16 bits are asked for.
    public struct PNMCoder: ImageCoder {
        /// Has no settings; those for writing come with `EncodeOptions`.
        public init() {}

        public var identifier: String { "pnm" }
        public var formats: [ImageFormat] { [.pnm] }

        public func recognizes(_ head: Span<UInt8>) -> Recognition {
            if head.count >= 1, head[0] != 0x50 { return .no }
            if head.count >= 2, !(0x31...0x37).contains(head[1]) { return .no }
            guard head.count >= 3 else { return .needsMoreBytes(3) }
            return PNMHeader.isSpace(head[2]) || head[2] == 0x23 ? .yes(.pnm) : .no
        }

        public func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .pnm else {
                throw ImageError(.unsupported, stage: .decode, "The PNM coder cannot decode \(format).")
            }
            return WholeFileDecoder<PNMFile>(options: options, environment: environment)
        }

        /// Grey pictures become PGM, others PPM, those with alpha PAM; 16 bits stay 16 bits.
        public func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            guard format == .pnm else {
                throw ImageError(.unsupported, stage: .encode, "The PNM coder cannot write \(format).")
            }
            return StillEncoder(options, PNMWriter.write)
        }
    }
#endif
