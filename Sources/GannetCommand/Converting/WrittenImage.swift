#if CommandLine
    import Gannet
    import GannetCore
    import GannetCache
    import GannetCodecs
    import GannetFetch
    import GannetImages
    import GannetPlatform

    /// The properties of an image in the file that was written.
    enum WrittenImage {
        /// Nil for formats that this build writes but does not read.
        static func header(of bytes: ByteRope, _ limits: LimitOptions) -> ImageHeader? {
            var options = DecodeOptions()
            options.limits = limits.headerLimits
            options.limits?.maximumEncodedBytes = .max
            options.color = .raw
            let resolved = ResolvedDecodeOptions(options)
            do throws(ImageError) {
                return try Assembly.decoding(limits: resolved.limits).header(of: bytes, options: resolved)
            } catch { return nil }
        }

        /// Formats whose encoders write all frames. Some join equal ones, which loses nothing.
        private static let moving: Set<ImageFormat?> = [.webp, .png, .gif, .avif, .jxl]

        /// Nil: no frame was lost.
        static func frameNote(had: Int, wrote: Int, as format: ImageFormat?) -> String? {
            wrote < had && !moving.contains(format) ? "\(had) frames, only the first was written" : nil
        }

        /// Nil: the file has the image's gain map, there was none, or it was not wanted.
        static func gainMapLoss(
            of image: DecodedImage, _ bytes: ByteRope, _ format: ImageFormat?, _ options: EncodeOptions
        ) -> String? {
            guard options.keepsGainMap, image.metadata.hadGainMap else { return nil }
            // Nothing but light brighter than white is lost.
            if image.metadata.isStandardByGainMap { return nil }
            if image.metadata.unusedGainMap != nil {
                return "its gain map was left out, because it belongs to an image that is brighter than standard range"
            }
            // It has been applied.
            if image.bitmap.dynamicRange.isHigh { return nil }
            if image.bitmap.gainMap == nil { return "its gain map was left out, because a transform changed what it belongs to" }
            guard let format, [.jpeg, .avif].contains(format),
                let reader = BuiltInCoders.coder(for: format) as? any GainMapReading
            else { return "its gain map was left out, because \(format?.identifier ?? "this format") has none here" }
            if reader.gainMap(in: bytes, limits: .standard) != nil { return nil }
            return "its gain map was left out, because it is damaged, or too large for --max-file-size"
        }

        /// Nil: the source had none. `bytes`: of its Content Credentials.
        static func credentialsLoss(_ bytes: Int) -> String? {
            bytes > 0 ? "its Content Credentials (C2PA) were left out, because they are signed for the file as it was" : nil
        }

        /// A note about the pages of a document. `other`: the option that writes another page.
        static func pageNote(_ pages: Int, other: String) -> String {
            "\(pages) pages, only the first was written; \(other) writes the second"
        }
    }
#endif
