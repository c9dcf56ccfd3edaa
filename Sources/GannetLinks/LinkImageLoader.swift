#if Links
    import FoundationEssentials
    public import GannetCore
    public import GannetFetch

    /// Loads the image of a web page: takes the page's address, reads at most 512 KiB of it, and loads the image that it names as
    /// its own (``init(_:)`` has the order). An address of an image is loaded as it is.
    ///
    /// Give it to a request (`download.loader`), or to a manager whose sources are pages: it takes every `http` and `https` URL.
    /// Page and image come through the manager's HTTP loader, so its transport's address policy, its redirects and limits, and the HTTP
    /// cache hold for both. A page's image may have another origin: credentials and fields of the page's are not sent there.
    /// Cost: one more request, or none while the page is fresh in the cache. - SDWebImage: SDImageLinkLoader
    public struct LinkImageLoader: ImageLoader, RoutedLoader {
        private let loaders: LoadersManager

        /// Most bytes of a page that are read; what it names stands in its head.
        package static let maximumPageBytes = 512 << 10
        /// Named images that are tried, one after the other, before the load fails with the error of the first.
        private static let maximumAttempts = 4

        /// In this order the page's images are tried: Open Graph (`og:image`), Twitter's cards (`twitter:image`), `link
        /// rel="image_src"`, microdata (`itemprop="image"`), JSON-LD of schema.org, and icons, the largest first, up to
        /// `/favicon.ico`.
        ///
        /// - Parameter loaders: those of the manager (`configuration.loaders`); their ``HTTPLoader`` loads page and image.
        public init(_ loaders: LoadersManager) { self.loaders = loaders }

        private var http: HTTPLoader? { loaders.loaders.lazy.reversed().compactMap { $0 as? HTTPLoader }.first }

        public var identifier: String { "link" }

        public func canLoad(_ source: ImageSource) -> Bool { http?.canLoad(source) ?? false }

        public func requestHeaders(for request: LoadRequest) -> HTTPHeaders {
            http?.requestHeaders(for: Self.page(request)) ?? request.download.headers
        }

        /// Throws the errors of the HTTP loader, and `notAnImage` for a page that names another page.
        public func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
            guard let http else {
                throw ImageError(
                    .unsupported, stage: .load, "The loaders have no HTTP loader. It comes with the package trait HTTP.",
                    source: request.source.redactedDescription)
            }
            let response = try await http.load(Self.page(request))
            guard Self.isPage(response.mimeType), let address = response.http?.url else { return response }
            let page = try await Self.beginning(of: response)
            let images = HTMLReader.images(in: page, charset: Self.charset(response.http?.headers["Content-Type"]))
            var first: ImageError?
            for url in images.urls(from: address).prefix(Self.maximumAttempts) {
                do throws(ImageError) {
                    var image = try await Self.load(url, namedBy: address, request, over: http)
                    image.redirects += response.redirects + 1
                    return image
                } catch {
                    if error.code == .cancelled { throw error }
                    first = first ?? error
                }
            }
            throw first
                ?? ImageError(
                    .notAnImage, stage: .load, "The page names no image.", source: request.source.redactedDescription)
        }

        /// The request for the page; coders decide what an image may be.
        private static func page(_ request: LoadRequest) -> LoadRequest {
            var request = request
            request.accept = "text/html,application/xhtml+xml;q=0.9,image/*;q=0.8,*/*;q=0.5"
            return request
        }

        private static func isPage(_ type: String?) -> Bool {
            ["text/html", "application/xhtml+xml"].contains(type?.lowercased() ?? "")
        }

        /// The parameter of a `Content-Type` (RFC 9110 §8.3.2).
        private static func charset(_ type: String?) -> String? {
            for parameter in type?.split(separator: ";").dropFirst() ?? [] {
                let parts = parameter.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2, parts[0].trimmedOWS().lowercased() == "charset" else { continue }
                return parts[1].trimmedOWS().filter { $0 != "\"" }
            }
            return nil
        }

        /// The rest of a longer page is not read.
        private static func beginning(of response: LoadResponse) async throws(ImageError) -> [UInt8] {
            switch response.body {
            case .bytes(let rope): return Array(rope.contiguous().prefix(maximumPageBytes))
            case .stream(let stream):
                var bytes: [UInt8] = []
                while bytes.count < maximumPageBytes,
                    try await stream.next(into: &bytes, patience: maximumPageBytes - bytes.count)
                {}
                return Array(bytes.prefix(maximumPageBytes))
            case .image, .notModified: return []
            }
        }

        private static func load(
            _ url: URL, namedBy page: URL, _ request: LoadRequest, over http: HTTPLoader
        ) async throws(ImageError) -> LoadResponse {
            var request = request
            let redirects = http.configuration.redirects
            // As browsers do: a page over TLS has its images over TLS.
            let isUpgraded =
                page.scheme?.lowercased() == "https" && url.scheme?.lowercased() == "http" && !redirects.allowsDowngrade
            let url = isUpgraded ? url.overTLS ?? url : url
            request.source = .url(url.withoutUserInfo)
            if url.scheme?.lowercased() == "data" { return try await LoadersManager.dataURLLoader.load(request) }
            if HTTPOrigin(page) != HTTPOrigin(url) { request.download.leaveOrigin(redirects) }
            let response = try await http.load(request)
            guard !isPage(response.mimeType) else {
                throw ImageError(
                    .notAnImage, stage: .load, "The page names another page as its image.",
                    source: request.source.redactedDescription)
            }
            return response
        }
    }

    extension URL {
        /// The same over TLS; nil if it has a port, which speaks HTTP alone.
        fileprivate var overTLS: URL? {
            guard port == nil || port == 80, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
                return nil
            }
            parts.scheme = "https"
            parts.port = nil
            return parts.url
        }
    }
#endif
