import GannetCore
import Glibc

/// Signs requests with AWS Signature Version 4, by which S3 and servers with its API authenticate the sender
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
        let encoded = query.map { name, value in
            (PercentEncoding.encoded(name, keepsSlashes: false), PercentEncoding.encoded(value, keepsSlashes: false))
        }.sorted { $0 < $1 }
        let canonical = [
            method, path, encoded.map { "\($0.0)=\($0.1)" }.joined(separator: "&"),
            fields.map { "\($0.0):\($0.1)\n" }.joined(), names, payload,
        ].joined(separator: "\n")
        let scope = "\(date.prefix(8))/\(region)/\(service)/aws4_request"
        let text = ["AWS4-HMAC-SHA256", date, scope, SHA256.hex(canonical.utf8)].joined(separator: "\n")
        var key = Array("AWS4".utf8) + credentials.secret
        for part in scope.split(separator: "/") { key = HMAC.sha256Bytes(part.utf8, key: key) }
        let signature = HMAC.sha256(text.utf8, key: key)
        return
            "AWS4-HMAC-SHA256 Credential=\(credentials.identifier)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    }

    /// All fields that a request needs, `Authorization` among them. `path`: as it is sent, percent-encoded.
    func fields(
        method: String, host: String, path: String, query: [(String, String)] = [], body: [UInt8], at now: Timestamp
    ) -> [(String, String)] {
        let (payload, date) = (SHA256.hex(body), Self.date(now))
        var fields = [("Host", host), ("x-amz-content-sha256", payload), ("x-amz-date", date)]
        if let token = credentials.token { fields.append(("x-amz-security-token", token)) }
        let authorization = authorization(
            method: method, path: path, query: query, headers: fields, payload: payload, date: date)
        return fields + [("Authorization", authorization)]
    }

    /// The error for a status, with what to look at.
    static func refusal(_ status: Int, retryAfter: Duration? = nil) -> ImageError {
        let advice =
            switch status {
            case 301, 307, 400: " The region or the endpoint may be another one."
            case 403:
                " Credentials and clock must be right; without s3:ListBucket a missing object looks like a forbidden one."
            default: ""
            }
        return ImageError(
            .httpStatus, stage: .load, "It answers with status \(status).\(advice)", httpStatus: status,
            retryAfter: retryAfter)
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
