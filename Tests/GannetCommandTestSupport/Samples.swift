#if CommandLine
    import Gannet
    import GannetCore
    import GannetTesting

    /// Small pictures in files.
    package enum Samples {
        /// 24 × 16, opaque.
        package static func png() throws -> [UInt8] {
            try TestImages.still(try TestImages.gradient()).blockingEncoded(EncodeOptions(format: .png))
        }

        /// A JPEG of 240 × 160, whose every encoding loses something.
        package static func photo() throws -> [UInt8] {
            try TestImages.still(try TestImages.noise(width: 240, height: 160)).blockingEncoded(
                EncodeOptions(format: .jpeg, quality: 90))
        }

        /// 24 × 16, with clear and half clear pixels.
        package static func clearPNG() throws -> [UInt8] {
            try TestImages.still(try TestImages.discs()).blockingEncoded(EncodeOptions(format: .png))
        }

        /// 24 × 16, four frames of 50, 60, 70 and 80 ms, three times.
        package static func gif() throws -> [UInt8] {
            let animation = try TestImages.animation(loopCount: 3)
            return try DecodedImage.animated(animation).blockingEncoded(EncodeOptions(format: .gif))
        }
    }
#endif
