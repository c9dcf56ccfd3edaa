#if Server
    import GannetCommandSupport
    import GannetCore
    import Glibc

    /// Signs requests with AWS Signature Version 4, with which S3 and everything that speaks its API knows who asks
    /// (<https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>).
    struct S3Signature: Sendable {
        let credentials: S3Credentials
        let region: String
        var service = "s3"

        /// The value of the field `Authorization`.
        ///
        /// - Parameter path: as it is sent, percent-encoded.
        /// - Parameter query: names and values, not encoded.
        /// - Parameter headers: all that are signed, `host` and `x-amz-date` among them.
        /// - Parameter payload: the SHA-256 of the body in hexadecimal digits.
        /// - Parameter date: the value of `x-amz-date`, see ``date(_:)``.
        func authorization(
            method: String, path: String, query: [(String, String)] = [], headers: [(String, String)], payload: String,
            date: String
        ) -> String {
            let fields = headers.map { ($0.0.lowercased(), Self.trimmed($0.1)) }.sorted { $0.0 < $1.0 }
            let names = fields.map(\.0).joined(separator: ";")
            let encoded = query.map { (Self.encoded($0.0), Self.encoded($0.1)) }.sorted { $0 < $1 }
            let canonical = [
                method, path, encoded.map { "\($0.0)=\($0.1)" }.joined(separator: "&"),
                fields.map { "\($0.0):\($0.1)\n" }.joined(), names, payload,
            ].joined(separator: "\n")
            let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
            let text = ["AWS4-HMAC-SHA256", date, scope, Self.hash(Array(canonical.utf8))].joined(separator: "\n")
            var key = Array("AWS4".utf8) + credentials.secret
            for part in scope.split(separator: "/") { key = HMAC.sha256Bytes(part.utf8, key: key) }
            let signature = HMAC.sha256(text.utf8, key: key)
            return
                "AWS4-HMAC-SHA256 Credential=\(credentials.identifier)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        }

        static func hash(_ bytes: [UInt8]) -> String {
            var digest = SHA256()
            digest.update(bytes)
            return digest.finish()
        }

        /// Percent-encoded except for what RFC 3986 calls unreserved, and slashes where they separate parts of a path.
        static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
            let digits = Array("0123456789ABCDEF".utf8)
            let bytes = text.utf8.flatMap { byte -> [UInt8] in
                let isKept =
                    "-._~".utf8.contains(byte) || isLetterOrDigit(byte)
                    || keepsSlashes && byte == UInt8(ascii: "/")
                return isKept ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        static func isLetterOrDigit(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: false
            }
        }

        /// Without spaces around it, and with one where there are several.
        private static func trimmed(_ value: String) -> String {
            value.split(separator: " ").joined(separator: " ")
        }

        /// `20130524T000000Z`.
        static func date(_ time: Timestamp) -> String {
            var seconds = time_t(time.milliseconds / 1000)
            var parts = tm()
            gmtime_r(&seconds, &parts)
            func digits(_ number: Int32, _ count: Int = 2) -> String {
                let text = String(number)
                return String(repeating: "0", count: max(count - text.count, 0)) + text
            }
            return digits(parts.tm_year + 1900, 4) + digits(parts.tm_mon + 1) + digits(parts.tm_mday) + "T"
                + digits(parts.tm_hour) + digits(parts.tm_min) + digits(parts.tm_sec) + "Z"
        }
    }
#endif
