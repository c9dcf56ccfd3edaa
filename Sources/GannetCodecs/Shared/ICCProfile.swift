#if AVIF || HEIC || JXL || JP2
    /// The one ICC profile field that decoders need (ICC.1:2022, 7.2.6).
    enum ICCProfile {
        /// Whether the profile is for grey images. Pixels are delivered as RGB all the same.
        static func isGray(_ profile: [UInt8]) -> Bool {
            profile.count >= 128 && profile[16..<20].elementsEqual("GRAY".utf8)
        }
    }
#endif
