package import GannetCore

/// The result of a view's look-up in memory, and the load that follows a miss.
package struct MemoryLookup: Sendable {
    /// The image itself; nil is a miss.
    package var cached: LoadedImage?
    /// Another size of it, to show until the load ends.
    package var otherSize: LoadedImage?
    /// Nil if the request has to be prepared again, because the state of a file is not known without waiting.
    fileprivate var prepared: PreparedRequest?
}

extension ImageManager {
    /// The same as ``cachedImage(for:)`` and ``otherSize(for:)``, with one preparation for both and for the load.
    package func look(for request: ImageRequest) -> MemoryLookup {
        if let hit = simpleHit(for: request) { return MemoryLookup(cached: hit) }
        // The load reports the error.
        guard let prepared = try? pipeline.prepareAtOnce(request) else { return MemoryLookup() }
        let next = pipeline.isPreparedAtOnce(prepared.request) ? prepared : nil
        guard configuration.interceptors.isEmpty else { return MemoryLookup(prepared: next) }
        if let hit = pipeline.memoryImage(prepared) { return MemoryLookup(cached: hit) }
        return MemoryLookup(otherSize: cachedSize(of: prepared, mayBeLarger: true), prepared: next)
    }

    /// The load after a look that missed.
    package func task(for request: ImageRequest, after look: MemoryLookup) -> ImageTask {
        look.prepared.map { ImageTask(request, prepared: $0, manager: self) } ?? task(for: request)
    }
}
