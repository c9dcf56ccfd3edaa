import FoundationEssentials
package import GannetCore
import GannetFetch
package import GannetPlatform

/// Serves the public cache conformance tests: sends any HTTP request through the downloader and its cache, one JSON object per
/// line. `gannet-lab http-bridge` runs it.
package final class HTTPBridge: Sendable {
    private let fetcher: ByteFetcher
    private let time: any TimeSource

    /// `cache` belongs to the bridge alone. `isShared` applies the rules for shared caches.
    package init(
        transport: any HTTPTransport, cache: any ImageCaching, isShared: Bool = false, time: any TimeSource = SystemTimeSource()
    ) {
        var configuration = DownloaderConfiguration()
        configuration.acceptedStatuses = [100..<1000]
        configuration.maximumConcurrentDownloads = 64
        configuration.contentDecoding.isEnabled = false
        let loader = HTTPLoader(transport: transport, configuration: configuration, time: time)
        self.time = time
        fetcher = ByteFetcher(
            loaders: LoadersManager([loader]), cache: cache, time: time, slots: loader.slots,
            policy: HTTPCachePolicy(isShared: isShared), failedSources: FailedSources(age: .zero, time: time),
            resumesTransfers: false)
    }

    struct Question: Decodable {
        var n: Int
        var url: String
        var method: String?
        var headers: [[String]]?
        var body: String?
        var cache: String?
        var redirect: String?
    }

    struct Answer: Encodable {
        var n: Int
        var status: Int?
        var headers: [[String]]?
        var body: String?
        var error: String?
    }

    /// Answers one line. Never throws: an unreadable line or a failed load is reported as an `error`. A response that may be used
    /// while it is revalidated (`stale-while-revalidate`) is passed to `reply` first.
    package func respond(to line: String, reply: @Sendable (String) -> Void) async {
        guard let question = try? JSONDecoder().decode(Question.self, from: Data(line.utf8)) else {
            return reply(Self.encode(Answer(n: 0, error: "This line is no request.")))
        }
        guard let request = request(for: question) else {
            return reply(Self.encode(Answer(n: question.n, error: "The URL cannot be read.")))
        }
        do {
            let fetched = try await fetcher.fetch(request)
            reply(Self.encode(answer(question, fetched)))
            guard fetched.needsRevalidation else { return }
            var again = request
            again.asksForWhole()
            _ = try? await fetcher.fetch(again)
        } catch {
            // A cache without a usable entry answers that field with 504, RFC 9111 §5.2.1.7.
            let isTimeout = error.code == .cacheMiss && CacheDirectives(request.download.headers).contains("only-if-cached")
            reply(
                Self.encode(
                    isTimeout
                        ? Answer(n: question.n, status: 504, headers: [], body: "")
                        : Answer(n: question.n, error: error.description)))
        }
    }

    private func request(for question: Question) -> FetchRequest? {
        guard let url = URL(asWritten: question.url) else { return nil }
        var imageRequest = ImageRequest(source: .url(url))
        imageRequest.download.method = question.method ?? "GET"
        imageRequest.download.headers = HTTPHeaders((question.headers ?? []).filter { $0.count == 2 }.map { ($0[0], $0[1]) })
        if question.redirect == "manual" { imageRequest.download.redirectHandler = StopAtRedirects() }
        switch question.cache {
        case "reload": imageRequest.cache.lookup = .loaderOnly
        case "force-cache": imageRequest.cache.lookup = .cacheFirst
        case "only-if-cached": imageRequest.cache.lookup = .cacheOnly
        default: break
        }
        var resolved = ResolvedRequest(imageRequest)
        if question.cache == "no-cache" { resolved.download.forcesRevalidation = true }
        // The keys are made before the body is added: every method must find and write the entry of the URL.
        resolved.download.separatesUsers = false
        let keys = RequestKeys(resolved, nonce: 0)
        if let body = question.body { resolved.download.requestModifier = ClosureRequestModifier(body: Array(body.utf8)) }
        var request = FetchRequest(resolved, keys: keys)
        request.allowsEmptyBody = true
        if question.cache == "no-store" {
            request.readsCache = false
            request.writesCache = false
        }
        return request
    }

    private func answer(_ question: Question, _ fetched: FetchedBytes) -> Answer {
        var answer = Answer(n: question.n)
        guard let http = fetched.metadata?.http else {
            answer.error = "no HTTP"
            return answer
        }
        answer.status = http.status
        var headers = fetched.head?.headers ?? http.headers
        if fetched.origin == .disk {
            headers.set("Age", String(Int(fetcher.policy.age(of: http, now: time.now).seconds)))
        }
        answer.headers = headers.fields.map { [$0.name, $0.value] }
        answer.body = Data(fetched.encoded?.bytes ?? ByteRope()).base64EncodedString()
        return answer
    }

    private static func encode(_ answer: Answer) -> String {
        guard let data = try? JSONEncoder().encode(answer) else { return "{\"n\":\(answer.n),\"error\":\"encoding\"}" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// `redirect: "manual"`: the redirect is the answer.
private struct StopAtRedirects: RedirectHandler {
    var identifier: String? { "manual" }
    func redirect(from head: HTTPResponseHead, to request: HTTPRequest) async -> HTTPRequest? { nil }
}
