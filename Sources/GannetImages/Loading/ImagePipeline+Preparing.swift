import FoundationEssentials
package import GannetCore
import GannetFetch
import GannetPlatform

// Resolve: request over manager defaults over built-in, then the options processor, then the keys.
//
// The keys of a file contain its size, time and inode. Asking the file system for them can block for as long as another machine
// does, so loads ask on the file executor. Synchronous look-ups use what can be said without waiting.

extension ImagePipeline {
    /// The load as it is called: its options, its number, and what was cancelled and removed before it. Never blocks.
    ///
    /// `begun`: when the call began that this load is a part of; nil: this is the call.
    func begin(_ request: ImageRequest, at begun: Generations.Moment? = nil) throws(ImageError) -> BegunLoad {
        // Before the options processor runs: what is cancelled from now on includes this load.
        let begun = begun ?? generations.now
        var resolved = ResolvedRequest(request, defaults: defaults)
        if let process = configuration.optionsProcessor { resolved = process(resolved) }
        return try begin(resolved: resolved, id: LoadID(nextNumber()), at: begun)
    }

    func begin(resolved: ResolvedRequest, id: LoadID, at begun: Generations.Moment) throws(ImageError) -> BegunLoad {
        try check(resolved.source)
        return BegunLoad(request: resolved, id: id, begun: begun)
    }

    /// Prepares a load with its source's present state, which is looked up on the file executor. Sources of the web have no
    /// state, so nothing suspends.
    func prepare(_ load: BegunLoad) async -> PreparedRequest {
        guard let loader = loader(for: load.request) else { return prepared(load, identity: nil) }
        let source = load.request.source
        let known = prepared(load, identity: loader.identityAtOnce(of: source))
        // An image found under these keys was stored under them, so they match the source's present state.
        if configuration.memoryCache?.contains(known.memoryKey(known.keys.variant)) == true { return known }
        do throws(ImageError) {
            return prepared(
                load,
                identity: try await stateExecutor(of: source).run { () throws(ImageError) in try loader.identity(of: source) })
        } catch { return prepared(load, identity: nil, isStateKnown: false) }
    }

    /// The executor that looks up a source's state: for files the threads of their mounted file system, unless the configuration
    /// names others.
    private func stateExecutor(of source: ImageSource) -> BlockingExecutor {
        guard configuration.fileExecutor === BlockingExecutor.files, case .file(let path) = source else {
            return configuration.fileExecutor
        }
        return FileLanes.shared.executor(for: WorkingFolder.absolute(path))
    }

    /// For look-ups in memory that must not block. Where the source's state cannot be said without waiting, these are keys under which
    /// nothing is stored.
    func prepareAtOnce(
        _ request: ImageRequest, as product: RequestKeys.Product = .image
    ) throws(ImageError) -> PreparedRequest {
        var load = try begin(request)
        load.product = product
        return prepared(load, identity: loader(for: load.request)?.identityAtOnce(of: load.request.source))
    }

    /// Whether ``prepareAtOnce(_:)`` gives what ``prepare(_:)`` would: the source has no state to ask for.
    func isPreparedAtOnce(_ request: ResolvedRequest) -> Bool { loader(for: request) == nil }

    /// The same as ``prepare(_:)``, on this thread: **blocks** for files, and for other sources whose loaders know their state.
    package func blockingPrepare(_ request: ImageRequest) throws(ImageError) -> PreparedRequest {
        let load = try begin(request)
        guard let loader = loader(for: load.request) else { return prepared(load, identity: nil) }
        do throws(ImageError) { return prepared(load, identity: try loader.identity(of: load.request.source)) } catch {
            return prepared(load, identity: nil, isStateKnown: false)
        }
    }

    /// `isStateKnown` false: a file that appears between this look and the next would be kept under a name that says nothing of its
    /// state, so nothing is kept.
    private func prepared(_ load: BegunLoad, identity: String?, isStateKnown: Bool = true) -> PreparedRequest {
        let request = load.request
        let keys = RequestKeys(
            request, identity: identity, isStateKnown: isStateKnown, product: load.product,
            scopeKey: scopeKey(of: request.cache), nonce: nextNumber())
        return PreparedRequest(
            load, keys: keys, identity: identity,
            // Fast path: standard cache options name no cache.
            ownCache: request.hasStandardCache
                ? nil : requestCaches.name(of: request.cache.store, besides: configuration.diskCache))
    }

    /// The keys of a request that differs from a prepared one in what is made of the source.
    func keys(of request: ResolvedRequest, like prepared: PreparedRequest) -> RequestKeys {
        RequestKeys(
            request, identity: prepared.identity, isStateKnown: true, scopeKey: scopeKey(of: request.cache),
            nonce: nextNumber())
    }

    /// The key of the cache whose entries outlive this process.
    func scopeKey(of options: ResolvedCacheOptions) -> ScopeKey {
        let cache = options.store ?? options.originalStore ?? configuration.diskCache ?? configuration.originalCache
        return cache?.scopeKey ?? .process
    }

    /// The loader that knows the source's present state: for files, and for schemes that are not the web's.
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

/// A load whose keys are not made yet.
struct BegunLoad: Sendable {
    let request: ResolvedRequest
    let id: LoadID
    /// This load does not undo changes made after this moment.
    let begun: Generations.Moment
    var product = RequestKeys.Product.image
}
