import FoundationEssentials
package import GannetCore

/// Where objects are: a bucket and what their names begin with, at AWS or at a server of one's own.
package struct S3Location: Equatable, Sendable {
    let bucket: String
    /// Empty, or with a slash at its end.
    let prefix: String
    let region: String
    /// The value of `Host`.
    let host: String
    private let isSecure: Bool
    /// Before the name of an object, encoded.
    private let root: String

    /// - Parameter text: `BUCKET` or `BUCKET/PREFIX`.
    /// - Parameter endpoint: `https://host[:port]` of another server, which has the bucket in the path of a URL; nil: AWS,
    ///   which has it in the name of the host. There it stays in the path if it contains a dot, for which certificates do
    ///   not hold.
    package init(_ text: String, endpoint: String?, region: String) throws(ImageError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = String(parts[0])
        let isName = bucket.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isName, (3...63).contains(bucket.utf8.count) else {
            throw Self.wrong(
                "a bucket has 3 to 63 small letters, digits, dots and hyphens, like in pictures/thumbnails.")
        }
        let words = (parts.count > 1 ? parts[1] : "").split(separator: "/")
        guard !words.contains(where: { $0 == "." || $0 == ".." }) else {
            throw Self.wrong(". and .. are no parts of an object's name.")
        }
        guard !region.isEmpty, region.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || PercentEncoding.isLetterOrDigit($0) })
        else {
            throw Self.wrong("a region is written like eu-central-1.")
        }
        (self.bucket, self.region) = (bucket, region)
        prefix = words.map { $0 + "/" }.joined()
        if let endpoint {
            (isSecure, host) = try Self.server(endpoint)
            root = "/\(bucket)/"
        } else {
            isSecure = true
            let isPath = bucket.contains(".")
            host = (isPath ? "" : bucket + ".") + "s3.\(region).amazonaws.com"
            root = isPath ? "/\(bucket)/" : "/"
        }
    }

    /// The scheme, and the host with a port that is not the scheme's own.
    private static func server(_ text: String) throws(ImageError) -> (isSecure: Bool, host: String) {
        let wrong = wrong("an endpoint is written like https://s3.example.org or http://127.0.0.1:9000.")
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, !host.isEmpty, url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
            url.parts.target == "/"
        else { throw wrong }
        let isSecure = scheme == "https"
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        guard let port = url.port, port != (isSecure ? 443 : 80) else { return (isSecure, name) }
        guard (1...65_535).contains(port) else { throw wrong }
        return (isSecure, "\(name):\(port)")
    }

    private static func wrong(_ text: String) -> ImageError { ImageError(.misuse, stage: .resolve, text) }

    /// The path of an object, as it is sent and signed.
    func path(_ name: String) -> String { root + PercentEncoding.encoded(prefix + name, keepsSlashes: true) }

    /// The path of the bucket, for listings.
    var listPath: String { root }

    /// `path`: with a query, where there is one.
    func url(path: String) -> URL? { URL(string: origin + path) }

    /// The scheme and the authority of all URLs.
    var origin: String { "\(isSecure ? "https" : "http")://\(host)" }
}

extension S3Location: CustomStringConvertible {
    package var description: String { "\(bucket)/\(prefix) at \(host)" }
}
