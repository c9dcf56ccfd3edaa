#if HTTP
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetFetch
    import GannetTesting

    /// A fetcher over real sockets, with short deadlines.
    struct Rig {
        let loader: HTTPLoader
        let fetcher: ByteFetcher
        let cache = DictionaryCache()

        static let transport = Result { () throws(ImageError) in try CURLTransport() }

        init(
            _ transport: (any HTTPTransport)? = nil, deadlines: LoadDeadlines = Rig.patient, retry: (any RetryStrategy)? = nil,
            _ change: (inout DownloaderConfiguration) -> Void = { _ in }
        ) throws {
            var configuration = DownloaderConfiguration()
            configuration.deadlines = deadlines
            change(&configuration)
            loader = HTTPLoader(transport: try transport ?? Self.transport.get(), configuration: configuration)
            fetcher = ByteFetcher(
                loaders: LoadersManager([loader]), cache: cache, slots: loader.slots, failedSources: FailedSources(age: .zero),
                retry: retry)
        }

        /// Long enough for a machine under load.
        static let patient = LoadDeadlines(connect: .seconds(20), idle: .seconds(20), total: .seconds(60))
        /// For servers that never answer.
        static let hasty = LoadDeadlines(connect: .milliseconds(300), idle: .milliseconds(300), total: .milliseconds(900))

        func request(_ url: String, _ change: (inout ImageRequest) -> Void = { _ in }) -> FetchRequest {
            var wish = ImageRequest(source: ImageSource(url))
            change(&wish)
            let resolved = ResolvedRequest(wish)
            return FetchRequest(resolved, keys: RequestKeys(resolved, nonce: 1))
        }

        func fetch(_ url: String, _ change: (inout ImageRequest) -> Void = { _ in }) async -> Result<FetchedBytes, ImageError> {
            do throws(ImageError) { return .success(try await fetcher.fetch(request(url, change))) } catch {
                return .failure(error)
            }
        }

        func bytes(_ url: String) async throws -> [UInt8] {
            try await fetch(url).get().encoded?.bytes.contiguous() ?? []
        }
    }
#endif
