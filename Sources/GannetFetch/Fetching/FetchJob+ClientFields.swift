import GannetCore
import GannetPlatform

// Conditions and ranges of the caller's own request, answered from the stored response as far as it is fresh.
extension FetchRequest {
    /// For revalidation in the background, after the caller has its answer: requests the whole, without the caller's conditions.
    package mutating func asksForWhole() {
        download.forcesRevalidation = true
        for name in HTTPCachePolicy.ownConditions where download.headers.contains(name) { download.headers.remove(name) }
    }
}

extension FetchJob {
    func answeringOwnFields(_ fetched: FetchedBytes) -> FetchedBytes {
        guard let http = fetched.metadata?.http, let bytes = fetched.encoded?.bytes,
            let own = policy.answer(to: request.download.headers, from: http, bytes, now: time.now)
        else { return fetched }
        var result = fetched
        result.metadata?.http = own.http
        result.content = .encoded(EncodedImage(bytes: own.bytes, freshness: fetched.metadata?.freshness ?? .unknown))
        return result
    }
}
