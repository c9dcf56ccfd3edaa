#if CommandLine
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetTesting

    /// Small pictures in files.
    package enum Samples {
        /// 24 × 16, opaque.
        package static func png() throws -> [UInt8] {
            try TestImages.still(try TestImages.gradient()).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
        }

        /// A JPEG of 240 × 160, whose every encoding loses something.
        package static func photo() throws -> [UInt8] {
            try TestImages.still(try TestImages.noise(width: 240, height: 160)).blockingEncoded(
                EncodeOptions(format: .jpeg, quality: 90)
            ).bytes.contiguous()
        }

        /// The same with a gain map in colour of 60 × 40, which reaches 4 times white.
        package static func ultraHDR() throws -> [UInt8] {
            let map = try TestImages.still(try TestImages.gradient(width: 60, height: 40)).blockingEncoded(
                EncodeOptions(format: .jpeg, quality: 95)
            ).bytes.contiguous()
            let channel = GainMapMetadata.Channel(maximum: 2)
            guard let metadata = GainMapMetadata(channel, channel, channel, baseHeadroom: 0, alternateHeadroom: 2),
                let file = UltraHDR.Attachment(map, metadata)?.added(to: try photo())
            else { throw ImageError(.encodeFailed, stage: .encode, "The gain map of the sample makes no sense.") }
            return file
        }

        /// 24 × 16, with clear and half clear pixels.
        package static func clearPNG() throws -> [UInt8] {
            try TestImages.still(try TestImages.discs()).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
        }

        /// 24 × 16, four frames of 50, 60, 70 and 80 ms, three times.
        package static func gif() throws -> [UInt8] {
            let animation = try TestImages.animation(loopCount: 3)
            return try DecodedImage.animated(animation).blockingEncoded(EncodeOptions(format: .gif)).bytes.contiguous()
        }
    }
#endif
