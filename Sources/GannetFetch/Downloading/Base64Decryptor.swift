package import GannetCore

/// A body that is base64 text. - SDWebImage: SDWebImageDownloaderDecryptor.base64Decryptor
package struct Base64Decryptor: DataDecryptor {
    /// Has no options: uses the standard alphabet; see `decrypt` for its errors.
    package init() {}

    package var identifier: String? { "base64" }

    /// Throws `corrupt` for text that is not base64.
    package func decrypt(_ data: [UInt8], response: HTTPResponseHead?) async throws -> [UInt8]? {
        try DataURLLoader.base64Decoded(data)
    }
}
