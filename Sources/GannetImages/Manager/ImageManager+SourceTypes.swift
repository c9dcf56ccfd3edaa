public import FoundationEssentials
public import GannetCore
public import GannetFetch

// The same calls for a URL or a string in a variable; literals are requests and sources automatically.

extension ImageManager {
    /// The image at a URL: `options` in order, later ones over earlier ones.
    public func image(for url: URL, _ options: RequestOption...) async throws(ImageError) -> LoadedImage {
        try await image(for: ImageRequest(ImageSource(url), options: options))
    }

    /// The image at a URL or path in a `String`.
    @_disfavoredOverload
    public func image(for text: String, _ options: RequestOption...) async throws(ImageError) -> LoadedImage {
        try await image(for: ImageRequest(ImageSource(text), options: options))
    }

    /// A running load of a URL.
    public func task(for url: URL, _ options: RequestOption...) -> ImageTask {
        task(for: ImageRequest(ImageSource(url), options: options))
    }

    /// A running load of a URL or path in a `String`.
    @_disfavoredOverload
    public func task(for text: String, _ options: RequestOption...) -> ImageTask {
        task(for: ImageRequest(ImageSource(text), options: options))
    }

    /// The image of a URL in the memory cache; see ``cachedImage(for:)``.
    public func cachedImage(for url: URL, _ options: RequestOption...) -> LoadedImage? {
        cachedImage(for: ImageRequest(ImageSource(url), options: options))
    }

    /// A load of a URL that reports by closures; see ``load(_:on:progress:preview:completion:)``.
    @discardableResult
    public func load(
        _ url: URL, _ options: RequestOption...,
        on executor: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        progress: (@Sendable (LoadProgress) -> Void)? = nil, preview: (@Sendable (DecodedImage) -> Void)? = nil,
        completion: @escaping @Sendable (Result<LoadedImage, ImageError>) -> Void
    ) -> ImageTask {
        load(
            ImageRequest(ImageSource(url), options: options), on: executor, progress: progress, preview: preview,
            completion: completion)
    }

    /// The bytes at a URL; see ``fetchBytes(for:)``.
    public func fetchBytes(for url: URL, _ options: RequestOption...) async throws(ImageError) -> FetchedBytes {
        try await fetchBytes(for: ImageRequest(ImageSource(url), options: options))
    }
}

extension ManagerCache {
    /// Removes everything that was made of a source, in every size and for every credential. A literal is a source, too: a URL or
    /// a path. For names of your own see ``remove(forKey:tier:)``.
    public func remove(_ source: ImageSource, tier: CacheTier = .all) async throws(ImageError) {
        try await remove(forKey: source.keyText, tier: tier)
    }

    /// Removes everything that was made of a URL or path in a `String`.
    @_disfavoredOverload
    public func remove(_ text: String, tier: CacheTier = .all) async throws(ImageError) {
        try await remove(ImageSource(text), tier: tier)
    }

    /// Removes everything that was made of the image at a URL.
    public func remove(_ url: URL, tier: CacheTier = .all) async throws(ImageError) {
        try await remove(ImageSource(url), tier: tier)
    }
}
