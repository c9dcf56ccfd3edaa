import FoundationEssentials
public import GannetCore
public import GannetFetch
package import GannetPlatform

/// Loads the objects of some buckets, as `s3://bucket/a/b.jpg`: by the rules of HTTP, with requests that are signed by AWS Signature
/// Version 4. Redirects are not followed, so that no signature reaches another server.
///
/// Use a separate transport without an address policy: only the operator chooses where it connects.
public struct S3Loader: ImageLoader, RoutedLoader {
    package static let scheme = "s3"

    private let locations: [String: S3Location]
    private let http: HTTPLoader
    private let server: String

    /// - Parameter buckets: at least one, all in the same region.
    /// - Parameter region: as `eu-central-1`.
    /// - Parameter endpoint: `https://host[:port]` of another server with the API of S3; nil: AWS.
    /// - Parameter configuration: fields and bodies of downloads. Its credentials, cookies and redirects are not used.
    ///
    /// Throws `misuse` for texts that are none of these.
    public init(
        _ buckets: [String], region: String = "us-east-1", endpoint: String? = nil, credentials: S3Credentials,
        transport: any HTTPTransport,
        configuration: DownloaderConfiguration = DownloaderConfiguration()
    ) throws(ImageError) {
        try self.init(
            buckets, region: region, endpoint: endpoint, credentials, transport: transport, configuration: configuration)
    }

    package init(
        _ buckets: [String], region: String, endpoint: String?, _ credentials: S3Credentials, transport: any HTTPTransport,
        configuration: DownloaderConfiguration = DownloaderConfiguration(), time: any TimeSource = SystemTimeSource()
    ) throws(ImageError) {
        locations = try Self.locations(of: buckets, region, endpoint)
        server = endpoint ?? "AWS \(region)"
        var configuration = configuration
        configuration.redirects = RedirectPolicy(follows: false)
        (configuration.credential, configuration.credentials, configuration.cookies) = (nil, nil, nil)
        http = HTTPLoader(
            transport: S3Transport(
                signature: S3Signature(credentials: credentials, region: region), locations: Array(locations.values),
                transport: transport, time: time),
            configuration: configuration, time: time)
    }

    /// Throws `misuse` for texts that name no buckets, no region or no server.
    package static func check(_ buckets: [String], region: String, endpoint: String?) throws(ImageError) {
        _ = try locations(of: buckets, region, endpoint)
    }

    private static func locations(
        of buckets: [String], _ region: String, _ endpoint: String?
    ) throws(ImageError) -> [String: S3Location] {
        guard !buckets.isEmpty else { throw ImageError(.misuse, stage: .resolve, "a bucket is missing.") }
        var locations: [String: S3Location] = [:]
        for bucket in buckets {
            locations[bucket] = try S3Location(bucket, endpoint: endpoint, region: region)
            guard !bucket.contains("/") else {
                throw ImageError(.misuse, stage: .resolve, "the name of a bucket has no slash.")
            }
        }
        return locations
    }

    /// Of the buckets.
    package var names: Set<String> { Set(locations.keys) }

    public var identifier: String { "s3 " + server }

    public func canLoad(_ source: ImageSource) -> Bool {
        guard case .url(let url) = source else { return false }
        return url.scheme?.lowercased() == Self.scheme
    }

    /// Throws the errors of `HTTPLoader`, `misuse` for names that no object has, and `blocked` for other buckets.
    public func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        let request = try asHTTP(request)
        do throws(ImageError) { return try await http.load(request) } catch {
            guard let status = error.httpStatus, error.code == .httpStatus else { throw error }
            throw S3Signature.refusal(status, retryAfter: error.retryAfter)
        }
    }

    public func requestHeaders(for request: LoadRequest) -> HTTPHeaders {
        (try? asHTTP(request)).map { http.requestHeaders(for: $0) } ?? request.download.headers
    }

    private func asHTTP(_ request: LoadRequest) throws(ImageError) -> LoadRequest {
        let object = try Self.object(of: request.source)
        guard let location = locations[object.bucket] else {
            throw ImageError(.blocked, stage: .resolve, "This loader does not load from this bucket.")
        }
        guard let url = location.url(path: location.path(object.key)) else {
            throw ImageError(.misuse, stage: .resolve, "The name of an object is no URL.")
        }
        var request = request
        request.source = .url(url)
        // Those of clients, if there are any, are not for this server.
        request.download.credential = nil
        request.download.headers.remove("Authorization")
        return request
    }

    /// The one URL of an object.
    package static func url(of object: S3Object) -> String {
        "\(scheme)://\(object.bucket)/" + PercentEncoding.encoded(object.key, keepsSlashes: true)
    }

    /// The bucket and the key in a URL, decoded once.
    private static func object(of source: ImageSource) throws(ImageError) -> S3Object {
        try S3Object(source.name(after: scheme, example: "s3://bucket/a/b.jpg"))
    }
}

/// A bucket and the key of an object in it.
package struct S3Object: Equatable, Sendable {
    package let bucket: String
    package let key: String

    /// `text`: not encoded, as after `s3://`. The key is everything after the first slash, whatever bytes it has. Throws `misuse`.
    package init(_ text: String) throws(ImageError) {
        func wrong(_ why: String) -> ImageError {
            ImageError(.misuse, stage: .resolve, "The source is no object of a bucket: \(why).")
        }
        let bytes = text.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash != bytes.startIndex else {
            throw wrong("it is written like s3://bucket/a/b.jpg")
        }
        bucket = String(text[..<slash])
        key = String(text[bytes.index(after: slash)...])
        guard !key.isEmpty else { throw wrong("its key is empty") }
        guard key.utf8.count <= 1024 else { throw wrong("its key is longer than 1,024 bytes") }
        guard !key.utf8.contains(0) else { throw wrong("its key contains a zero byte") }
        // Proxies take them away, and with them the signature is another one.
        let names = key.utf8.split(separator: UInt8(ascii: "/"))
        guard !names.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            throw wrong("its key contains . or .. between slashes")
        }
    }
}
