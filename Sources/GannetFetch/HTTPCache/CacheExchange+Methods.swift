import FoundationEssentials
import GannetCore
import GannetPlatform

// Methods other than GET: never answered from the store, but they say something of what is stored.

extension CacheExchange {
    func answerOtherMethod() async throws(ImageError) -> CachedResponse {
        guard facts.lookup != .cacheOnly, !facts.demands.contains(.onlyIfCached) else { throw .nothingStored }
        status.forward = .method
        let answer: Answer
        do throws(ImageError) { answer = try await ask(request) } catch {
            // The server may have carried it out all the same.
            if wasSent, !HTTPCachePolicy.isSafe(request.method), !HTTPCachePolicy.wasNotSent.contains(error.code) {
                await invalidate([])
            }
            throw error
        }
        let head = answer.head
        if request.method == "HEAD" {
            if use.writes {
                await responses?.follow(
                    head: head, request.headers, sent: request.headers, requestTime: answer.requestTime,
                    responseTime: answer.responseTime)
            }
        } else if policy.invalidates(method: request.method, status: head.status) {
            // The target of a redirect is requested next, maybe with a GET, which changes nothing there.
            let others = head.status < 300 ? policy.invalidatedURLs(head) : []
            await invalidate(others)
        }
        if policy.answersGet(method: request.method, head, request: request.headers) {
            return await received(answer, replacing: nil, nil)
        }
        let record = policy.record(
            head, request: request.headers, requestTime: answer.requestTime, responseTime: answer.responseTime)
        var freshness = policy.freshness(of: record)
        freshness.forbidsStoring = true
        return CachedResponse(
            head: head, body: .stream(answer.response.body), status: status, freshness: freshness, times: answer.response.times,
            copy: wouldBe(record, freshness), receipt: .none)
    }

    private func invalidate(_ others: [URL]) async {
        await cache.generations.invalidate(
            [key.sourceText] + ([request.url] + others).map { ImageSource.url($0).keyText },
            in: &responses, use.caller)
    }
}
