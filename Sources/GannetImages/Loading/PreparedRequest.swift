package import GannetCore
import GannetFetch

/// A request after resolution: nothing optional, and its keys. A class, because it is more than a kilobyte, which each of a
/// load's asynchronous frames would hold once more.
package final class PreparedRequest: Sendable {
    package let request: ResolvedRequest
    package let keys: RequestKeys
    /// The source's present state as its loader knows it; see ``RequestKeys``.
    package let identity: String?
    /// See ``RequestCaches``.
    private let ownCache: String?
    package let id: LoadID
    /// This load does not undo changes made after this moment.
    let begun: Generations.Moment

    init(_ load: BegunLoad, keys: RequestKeys, identity: String?, ownCache: String?) {
        request = load.request
        self.keys = keys
        self.identity = identity
        self.ownCache = ownCache
        id = load.id
        begun = load.begun
    }

    /// The key in memory: images of the request's own cache (`cache.store`) are kept apart from those of the manager's.
    func memoryKey(_ key: CacheKey) -> CacheKey {
        ownCache.map { CacheKey(key.text + RequestKeys.ownCachePart + $0) } ?? key
    }
}

extension PreparedRequest {
    /// Whose bytes were stored, or were fetched from `source` in place of the request's own.
    func origin(of source: ImageSource? = nil, _ metadata: CacheEntryMetadata?) -> ImageOrigin? {
        ImageOrigin(of: source ?? request.source, response: metadata?.http?.url, scope: keys.scope)
    }
}
