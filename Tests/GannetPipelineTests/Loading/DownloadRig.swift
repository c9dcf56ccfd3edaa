import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTesting
import GannetViews

/// A downloader over a scripted transport and a clock that stands still: no sockets, no time.
struct DownloadRig {
    static let url = "https://example.org/a.png"
    static let picture = Array("picture".utf8)

    let transport: ScriptedTransport
    let time = ManualTimeSource()
    let cache = InMemoryImageCache()
    let observer = RecordingObserver()
    let loader: HTTPLoader
    let fetcher: ByteFetcher

    init(
        retry: (any RetryStrategy)? = nil, failedAge: Duration = .zero, policy: (any LoadPolicy)? = nil,
        rules: HTTPCachePolicy = HTTPCachePolicy(),
        change: (inout DownloaderConfiguration) -> Void = { _ in }, answer: @escaping ScriptedTransport.Answer
    ) {
        transport = ScriptedTransport(answer)
        var configuration = DownloaderConfiguration()
        change(&configuration)
        loader = HTTPLoader(transport: transport, configuration: configuration, time: time, observers: [observer])
        fetcher = ByteFetcher(
            loaders: LoadersManager(LoadersManager.local + [loader]), cache: cache, time: time, slots: loader.slots,
            policy: rules, failedSources: FailedSources(age: failedAge, policy: policy, time: time), retry: retry,
            observers: [observer])
    }

    /// Answers everything with the same status, fields and body.
    static func always(
        status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = picture
    ) -> ScriptedTransport.Answer {
        { request, _ in .fixed(request, status: status, headers: headers, body: body) }
    }

    func request(_ url: String = Self.url, _ change: (inout ImageRequest) -> Void = { _ in }) -> FetchRequest {
        var wish = ImageRequest(source: ImageSource(url))
        change(&wish)
        let resolved = ResolvedRequest(wish)
        return FetchRequest(resolved, keys: RequestKeys(resolved, nonce: 1))
    }

    func fetch(
        _ url: String = Self.url, _ change: (inout ImageRequest) -> Void = { _ in }
    ) async -> Result<FetchedBytes, ImageError> {
        do throws(ImageError) { return .success(try await fetcher.fetch(request(url, change))) } catch { return .failure(error) }
    }

    func text(_ url: String = Self.url, _ change: (inout ImageRequest) -> Void = { _ in }) async throws -> String {
        String(decoding: try await fetch(url, change).get().encoded?.bytes.contiguous() ?? [], as: UTF8.self)
    }

    /// The `index`th request, as the server received it.
    func sent(_ index: Int = 0) -> HTTPRequest { transport.requests[index] }
}

extension Result where Failure == ImageError {
    /// Nil for success.
    var failureCode: ImageError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}
