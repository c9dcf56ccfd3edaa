import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting

/// A cache over a scripted transport and a clock that stands still.
struct HTTPCacheRig {
    static let url = "https://example.org/a.png"

    let transport: ScriptedTransport
    let time = ManualTimeSource()
    let store = DictionaryCache()
    let cache: HTTPCache

    init(
        _ configuration: HTTPCacheConfiguration = HTTPCacheConfiguration(), answer: @escaping ScriptedTransport.Answer
    ) {
        transport = ScriptedTransport(answer)
        cache = HTTPCache(transport, store: store, configuration: configuration, time: time)
    }

    /// Answers the nth request with the nth of these, and all further ones with the last.
    init(_ answers: (status: Int, headers: [(String, String)], body: String)...) {
        self.init { request, number in
            let answer = answers[min(number, answers.count) - 1]
            return .fixed(request, status: answer.status, headers: answer.headers, body: Array(answer.body.utf8))
        }
    }

    static func request(
        _ url: String = url, method: String = "GET", _ headers: [(String, String)] = []
    ) throws(ImageError) -> HTTPRequest {
        guard let url = URL(string: url) else { throw ImageError(.misuse, "no URL") }
        return HTTPRequest(method: method, url: url, headers: HTTPHeaders(headers))
    }

    /// The answer, and its body, read to its end.
    func get(
        _ url: String = url, method: String = "GET", _ headers: [(String, String)] = [],
        _ change: (inout CacheUse) -> Void = { _ in }
    ) async throws(ImageError) -> Got {
        var use = CacheUse()
        change(&use)
        let answer = try await cache.exchange(Self.request(url, method: method, headers), use)
        switch answer.body {
        case .same: return Got(answer: answer, text: nil)
        case .stored(let rope): return Got(answer: answer, text: String(decoding: rope.contiguous(), as: UTF8.self))
        case .stream(let stream):
            var bytes: [UInt8] = []
            while try await stream.next(into: &bytes, patience: 1 << 20) {}
            return Got(answer: answer, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    struct Got {
        var answer: CachedResponse
        /// Nil: the caller has it.
        var text: String?

        var status: String { answer.status.description }
    }

    /// The number of requests that reached the server.
    var count: Int { transport.requests.count }
}
