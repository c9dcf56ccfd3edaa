public import GannetCore
public import GannetFetch

// The other calls for a URL, a text or a type of your own in place of a request.

extension ImageManager {
    /// The image in the memory cache; see ``cachedImage(for:)``.
    public func cachedImage(for source: some ImageSourceConvertible, _ options: RequestOption...) -> LoadedImage? {
        cachedImage(for: ImageRequest(source, options: options))
    }

    /// A load that reports by closures; see ``load(_:on:progress:preview:completion:)``.
    @discardableResult
    public func load(
        _ source: some ImageSourceConvertible, _ options: RequestOption...,
        on executor: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        progress: (@Sendable (LoadProgress) -> Void)? = nil, preview: (@Sendable (DecodedImage) -> Void)? = nil,
        completion: @escaping @Sendable (Result<LoadedImage, ImageError>) -> Void
    ) -> ImageTask {
        load(
            ImageRequest(source, options: options), on: executor, progress: progress, preview: preview, completion: completion)
    }

    /// The bytes; see ``fetchBytes(for:)``.
    public func fetchBytes(
        for source: some ImageSourceConvertible, _ options: RequestOption...
    ) async throws(ImageError) -> FetchedBytes {
        try await fetchBytes(for: ImageRequest(source, options: options))
    }
}

extension ManagerCache {
    /// Removes everything that was made of a source, in every size and for every credential. For names of your own see
    /// ``remove(forKey:tier:)``.
    public func remove(_ source: some ImageSourceConvertible, tier: CacheTier = .all) async throws(ImageError) {
        try await remove(forKey: source.imageSource.keyText, tier: tier)
    }
}
