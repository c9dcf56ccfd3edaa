import FoundationEssentials
import GannetCore
package import GannetFetch

/// Answers the public cache conformance tests through ``HTTPCache`` alone: no redirects are followed, and nothing is decoded.
package struct HTTPCacheBridge: Sendable {
    private let cache: HTTPCache

    package init(_ cache: HTTPCache) { self.cache = cache }

    /// Returns when nothing runs in the background either.
    package func answer(_ question: ConformanceChecker.Question) async -> ConformanceChecker.Reply {
        guard let url = URL(asWritten: question.url) else { return .init(n: question.n, error: "The URL cannot be read.") }
        let request = HTTPRequest(
            method: question.method, url: url, headers: HTTPHeaders(question.headers.map { ($0[0], $0[1]) }),
            body: question.body.map { Array($0.utf8) })
        do throws(ImageError) {
            let answer = try await cache.exchange(request, use(question.cache)).response
            var bytes: [UInt8] = []
            while try await answer.body.next(into: &bytes) {}
            await cache.waitForRevalidations()
            return .init(
                n: question.n, status: answer.head.status, headers: answer.head.headers.fields.map { [$0.name, $0.value] },
                body: Data(bytes).base64EncodedString())
        } catch {
            let isTimeout = error.code == .cacheMiss && CacheDirectives(request.headers).contains("only-if-cached")
            return .init(n: question.n, status: isTimeout ? 504 : nil, error: isTimeout ? nil : error.description, headers: [])
        }
    }

    /// The modes of fetch(), as far as they concern caches.
    private func use(_ mode: String?) -> CacheUse {
        var use = CacheUse()
        switch mode {
        case "reload": use.lookup = .loaderOnly
        case "force-cache": use.lookup = .cacheFirst
        case "only-if-cached": use.lookup = .cacheOnly
        case "no-cache": use.forcesRevalidation = true
        case "no-store": (use.reads, use.writes) = (false, false)
        default: break
        }
        return use
    }
}
