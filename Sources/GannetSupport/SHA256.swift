#if CommandLine
    import COpenSSL
    package import GannetCore

    /// SHA-256 (FIPS 180-4) of bytes that arrive in pieces, through libcrypto.
    package struct LibcryptoSHA256: ~Copyable {
        private let context: OpaquePointer

        private init(_ context: OpaquePointer) { self.context = context }

        package static func begin() throws(ImageError) -> LibcryptoSHA256 {
            guard let context = EVP_MD_CTX_new() else { throw failure }
            let hash = LibcryptoSHA256(context)
            guard EVP_DigestInit_ex(hash.context, EVP_sha256(), nil) == 1 else { throw failure }
            return hash
        }

        package mutating func update(_ bytes: [UInt8]) throws(ImageError) {
            guard bytes.withUnsafeBytes({ EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == 1 else { throw Self.failure }
        }

        /// 64 lower-case hexadecimal digits.
        package consuming func finish() throws(ImageError) -> String {
            var digest = [UInt8](repeating: 0, count: 32)
            guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw Self.failure }
            return Hexadecimal.text(of: digest)
        }

        package static func hex(_ bytes: [UInt8]) throws(ImageError) -> String {
            var hash = try begin()
            try hash.update(bytes)
            return try hash.finish()
        }

        private static var failure: ImageError { ImageError(.unsupported, "libcrypto refuses SHA-256; is it in FIPS mode?") }

        deinit { EVP_MD_CTX_free(context) }
    }
#endif
