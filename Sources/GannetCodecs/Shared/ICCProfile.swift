#if AVIF || HEIC || JXL
    /// The one field of an ICC profile that decoders have to know (ICC.1:2022, 7.2.6).
    enum ICCProfile {
        /// Whether the profile is of gray pictures. Pixels are handed over as RGB all the same.
        static func isGray(_ profile: [UInt8]) -> Bool {
            profile.count >= 128 && profile[16..<20].elementsEqual("GRAY".utf8)
        }
    }
#endif
