package import GannetCore
package import GannetFetch
package import GannetTesting

/// A downloader over a scripted transport and a clock that stands still: no sockets, no time.
package struct DownloadRig {
    package static let url = "https://example.org/a.png"
    package static let picture = Array("picture".utf8)

    package let transport: ScriptedTransport
    package let time = ManualTimeSource()
    package let cache = InMemoryImageCache()
    package let observer = RecordingObserver()
    package let loader: HTTPLoader
    package let loaders: LoadersManager
    package let fetcher: ByteFetcher

    package init(
        retry: (any RetryStrategy)? = nil, failedAge: Duration = .zero, policy: (any LoadPolicy)? = nil,
        rules: HTTPCachePolicy = HTTPCachePolicy(),
        change: (inout DownloaderConfiguration) -> Void = { _ in }, answer: @escaping ScriptedTransport.Answer
    ) {
        transport = ScriptedTransport(answer)
        var configuration = DownloaderConfiguration()
        change(&configuration)
        loader = HTTPLoader(transport: transport, configuration: configuration, time: time, observers: [observer])
        loaders = LoadersManager(LoadersManager.local + [loader])
        fetcher = ByteFetcher(
            loaders: loaders, cache: cache, time: time, slots: loader.slots,
            policy: rules, failedSources: FailedSources(age: failedAge, policy: policy, time: time), retry: retry,
            observers: [observer])
    }

    /// Answers everything with the same status, fields and body.
    package static func always(
        status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = picture
    ) -> ScriptedTransport.Answer {
        { request, _ in .fixed(request, status: status, headers: headers, body: body) }
    }

    package static let broken = ImageError(.network, stage: .load, "broken")

    /// Fails `count` times with the error, then delivers.
    package static func failing(_ count: Int, _ error: ImageError = broken) -> ScriptedTransport.Answer {
        { request, number throws(ImageError) in
            if number <= count { throw error }
            return .fixed(request, body: picture)
        }
    }

    package func request(_ url: String = Self.url, _ change: (inout ImageRequest) -> Void = { _ in }) -> FetchRequest {
        var wish = ImageRequest(source: ImageSource(url))
        change(&wish)
        let resolved = ResolvedRequest(wish)
        return FetchRequest(resolved, keys: RequestKeys(resolved, nonce: 1))
    }

    package func fetch(
        _ url: String = Self.url, _ change: (inout ImageRequest) -> Void = { _ in }
    ) async -> Result<FetchedBytes, ImageError> {
        do throws(ImageError) { return .success(try await fetcher.fetch(request(url, change))) } catch { return .failure(error) }
    }

    package func text(_ url: String = Self.url, _ change: (inout ImageRequest) -> Void = { _ in }) async throws -> String {
        String(decoding: try await fetch(url, change).get().encoded?.bytes.contiguous() ?? [], as: UTF8.self)
    }

    /// The `index`th request, as the server received it.
    package func sent(_ index: Int = 0) -> HTTPRequest { transport.requests[index] }
}

extension Result where Failure == ImageError {
    /// Nil for success.
    package var failureCode: ImageError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}
