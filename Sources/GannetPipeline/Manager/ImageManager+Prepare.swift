import FoundationEssentials
package import GannetCore

// Resolve: request over manager defaults over built-in, then the options processor, then the keys. Pure but for one `stat` of
// a file source, because a file's identity is its path, size, time and inode.

extension ImageManager {
    package func prepare(_ request: ImageRequest) throws(ImageError) -> PreparedRequest {
        var resolved = ResolvedRequest(request, defaults: configuration.defaults)
        if let processor = configuration.optionsProcessor { resolved = processor.process(resolved) }
        return try prepare(resolved: resolved, id: LoadID(nextNumber()), epoch: cancellations.now)
    }

    func prepare(resolved: ResolvedRequest, id: LoadID, epoch: UInt64) throws(ImageError) -> PreparedRequest {
        try check(resolved.source)
        var (identity, isKnown) = (String?.none, true)
        do throws(ImageError) { identity = try loader(for: resolved)?.identity(of: resolved.source) } catch { isKnown = false }
        // A file that comes between this look and the next would be kept under a name that says nothing of its state.
        let keys = RequestKeys(
            resolved, identity: identity, isStateKnown: isKnown, scopeKey: scopeKey(of: resolved.cache), nonce: nextNumber())
        return PreparedRequest(
            request: resolved, keys: keys, identity: identity,
            // Of those that wish nothing of caches, as most do, nothing is copied.
            ownCache: resolved.hasStandardCache
                ? nil : ownCaches.name(of: resolved.cache.store, besides: configuration.diskCache),
            id: id, epoch: epoch, begun: fetcher.removals.now, replaced: replacementCount)
    }

    /// The keys of a request that differs from a prepared one in what is made of the source.
    func keys(of request: ResolvedRequest, like prepared: PreparedRequest) -> RequestKeys {
        RequestKeys(
            request, identity: prepared.identity, isStateKnown: true, scopeKey: scopeKey(of: request.cache), nonce: 0)
    }

    /// The key of the cache whose entries outlive this process.
    func scopeKey(of options: ResolvedCacheOptions) -> ScopeKey {
        let cache = options.store ?? options.originalStore ?? configuration.diskCache ?? configuration.originalCache
        return cache?.scopeKey ?? .process
    }

    /// Who knows the source's present state: for files, and for schemes that are not the web's.
    private func loader(for request: ResolvedRequest) -> (any ImageLoader)? {
        switch request.source {
        case .file: break
        case .url(let url):
            let text = HTTPAddress.normalized(url.absoluteString)
            if text.hasPrefix("https://") || text.hasPrefix("http://") || text.hasPrefix("data:") { return nil }
        default: return nil
        }
        return request.download.loader ?? configuration.loaders.loader(for: request.source)
    }

    private func check(_ source: ImageSource) throws(ImageError) {
        guard case .file(let path) = source, path.isEmpty else { return }
        throw ImageError(.misuse, stage: .resolve, "The source is empty; give a URL or a path.")
    }
}
