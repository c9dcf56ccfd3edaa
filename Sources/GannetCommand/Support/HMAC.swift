#if CommandLine
    import COpenSSL
    import GannetCore

    /// HMAC-SHA-256 (RFC 2104) through libcrypto.
    enum MessageAuthentication {
        /// 32 bytes.
        static func code(_ message: [UInt8], key: [UInt8]) throws(ImageError) -> [UInt8] {
            // libcrypto requires a pointer even for an empty key.
            let key = key.isEmpty ? [0] : key
            var digest = [UInt8](repeating: 0, count: 32)
            var count: UInt32 = 0
            guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &digest, &count) != nil, count == 32 else {
                throw ImageError(.unsupported, "libcrypto refuses HMAC with SHA-256.")
            }
            return digest
        }

        /// 64 lower-case hexadecimal digits.
        static func hex(_ message: String, key: [UInt8]) throws(ImageError) -> String {
            let digits = Array("0123456789abcdef".utf8)
            return String(
                decoding: try code(Array(message.utf8), key: key).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
                as: UTF8.self)
        }

        /// Compares in constant time (for texts of equal length), so that a signature cannot be guessed digit by digit.
        static func isEqual(_ left: String, _ right: String) -> Bool {
            let (a, b) = (Array(left.utf8), Array(right.utf8))
            guard a.count == b.count else { return false }
            return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }
#endif
