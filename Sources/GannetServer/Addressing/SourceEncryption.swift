#if Server
    import COpenSSL
    package import GannetCore
    import GannetPlatform

    /// Encrypts the sources of addresses, so that clients do not see them: AES in CBC mode with the padding of PKCS #7 (NIST SP 800-38A, RFC 5652
    /// §6.3), through libcrypto. It hides sources, and proves nothing: that is the signature's part.
    package struct SourceEncryption: Sendable, CustomStringConvertible {
        private let key: [UInt8]

        /// `key`: 16, 24 or 32 bytes, from a random source. Throws `misuse`.
        package init(key: [UInt8]) throws(ImageError) {
            guard [16, 24, 32].contains(key.count) else {
                throw ImageError(.misuse, stage: .resolve, "A key of encrypted sources has 16, 24 or 32 bytes.")
            }
            self.key = key
        }

        /// Without the secret.
        package var description: String { "a key of encrypted sources" }

        /// The part of an address that stands behind `/enc/`. Equal sources have equal texts, which caches need: the first block follows from key
        /// and source. Throws `unsupported` where libcrypto refuses.
        package func encrypted(_ source: String) throws(ImageError) -> String {
            let text = Array(source.utf8)
            let vector = Array(HMAC.sha256Bytes(text, key: Array("vector".utf8) + key).prefix(Self.block))
            guard let bytes = run(text, vector, encrypts: true) else {
                throw ImageError(.unsupported, stage: .resolve, "libcrypto refuses AES; is it in a mode that has none?")
            }
            return Base64.urlText(of: vector + bytes)
        }

        /// An address in the form of a path with its source encrypted, to be signed. Throws `misuse` for other forms, and for what is no address.
        package func encryptingSource(of target: String, presets: Presets) throws(ImageError) -> String {
            try ThumbnailAddress(target, presets: presets, sources: nil).encrypted(by: self)
        }

        /// Nil if it was encrypted with another key, or changed on the way. Only for what is signed: whoever may ask about any bytes learns
        /// from the answers what they say.
        func decrypted(_ bytes: [UInt8]) -> String? {
            guard bytes.count >= 2 * Self.block, bytes.count.isMultiple(of: Self.block) else { return nil }
            let rest = Array(bytes.dropFirst(Self.block))
            guard let text = run(rest, Array(bytes.prefix(Self.block)), encrypts: false) else { return nil }
            return ByteText.text(of: text)
        }

        private static let block = 16

        private func run(_ bytes: [UInt8], _ vector: [UInt8], encrypts: Bool) -> [UInt8]? {
            // Owned here, from the first line to the last.
            guard let context = EVP_CIPHER_CTX_new() else { return nil }
            defer { EVP_CIPHER_CTX_free(context) }
            let cipher = key.count == 16 ? EVP_aes_128_cbc() : key.count == 24 ? EVP_aes_192_cbc() : EVP_aes_256_cbc()
            guard EVP_CipherInit_ex(context, cipher, nil, key, vector, encrypts ? 1 : 0) == 1 else { return nil }
            var result = [UInt8](repeating: 0, count: bytes.count + Self.block)
            var (count, rest) = (CInt(0), CInt(0))
            guard EVP_CipherUpdate(context, &result, &count, bytes, CInt(bytes.count)) == 1 else { return nil }
            var last = [UInt8](repeating: 0, count: Self.block)
            guard EVP_CipherFinal_ex(context, &last, &rest) == 1 else { return nil }
            return Array(result.prefix(Int(count))) + last.prefix(Int(rest))
        }
    }
#endif
