#if Lottie
    import FoundationEssentials
    import GannetCore

    /// The images inside of an animation, as rlottie can read them. There is no way to images of other files.
    struct LottieImages {
        /// By the name of the asset: a `data:` URL.
        private(set) var urls: [String: String] = [:]
        /// Of all images together.
        private(set) var area = 0

        /// `archive`: where images with a name are looked for. Throws `limitExceeded`, `corrupt` and `unsupported`.
        init(_ assets: [LottieAsset], _ archive: inout LottieArchive?, _ limits: DecodeLimits) throws(ImageError) {
            for asset in assets {
                var bytes: [UInt8]?
                switch asset.content {
                case .composition: continue
                case .embedded(let url): bytes = LottieAsset.bytes(ofURL: url)
                case .file(let folder, let name): bytes = try Self.file(folder, name, &archive)
                }
                // Others are left out.
                guard let bytes, let (kind, width, height) = Self.size(of: bytes) else { continue }
                area = min(area + width * height, 1 << 50)
                guard area <= limits.maximumPixels else {
                    throw ImageError(
                        .limitExceeded, stage: .decode,
                        "Images inside of the Lottie animation have more than \(limits.maximumPixels) pixels. Raise maximumPixels."
                    )
                }
                urls[asset.name] = "data:image/\(kind);base64," + Data(bytes).base64EncodedString()
            }
        }

        private static func file(
            _ folder: String, _ name: String, _ archive: inout LottieArchive?
        ) throws(ImageError) -> [UInt8]? {
            let stated = (folder.hasPrefix("/") ? String(folder.dropFirst()) : folder) + name
            for path in [stated, "images/" + name, "i/" + name] {
                if let bytes = try archive?.content(path) { return bytes }
            }
            return nil
        }

        /// Of the kinds that rlottie's plugin knows; nil: of another kind.
        private static func size(of bytes: [UInt8]) -> (kind: String, width: Int, height: Int)? {
            guard let (width, height) = EmbeddedSize.size(of: bytes) else { return nil }
            let kind = bytes[0] == 0x89 ? "png" : bytes[0] == 0xFF ? "jpeg" : bytes[0] == UInt8(ascii: "G") ? "gif" : nil
            return kind.map { ($0, width, height) }
        }
    }
#endif
