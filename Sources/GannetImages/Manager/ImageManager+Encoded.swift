public import GannetCore
package import GannetFetch

extension ImageManager {
    /// The image of a request as a file, for programs that send or write it and need no pixels.
    ///
    ///     let file = try await manager.encoded(for: ImageRequest(url, .fit(400, 300)), as: EncodeOptions(format: .webp, quality: 80))
    ///
    /// A stored file is returned byte for byte while it is fresh, and when its source confirms it: nothing is decoded. Otherwise the
    /// image is made as for ``image(for:)``, encoded once before waiting decodes, stored on disk as the request's cache options and the
    /// source allow, and returned. Equal calls at the same time share all of it.
    ///
    /// - Parameter options: take the place of ``CacheOptions/encode``, and are read as that is: without a format an opaque image is a JPEG,
    ///   an image with alpha or 16 bits a PNG, an animation what has its frames; a JPEG without a quality has 92.
    ///
    /// Thumbnails and transformed images share their entry on disk with ``image(for:)``. The memory cache is not filled with the
    /// result, and not read for it: its pixels may come from a stored file, with the losses of that. For equal bytes whatever memory
    /// has, set ``CacheOptions/sharesSizes`` to false. Interceptors, the request's modifier and its cache serializer have no part in
    /// it. Observers see stages and events, and no load. For the source's own bytes use ``fetchBytes(for:)``.
    ///
    /// Throws what ``image(for:)`` throws. Besides, `unsupported` before anything is fetched if no coder writes the format,
    /// `encodeFailed`, and `limitExceeded` if the decode budget is smaller than the image. A file that cannot be stored is returned all
    /// the same.
    public func encoded(for request: ImageRequest, as options: EncodeOptions) async throws(ImageError) -> EncodedImage {
        try ImageError.checkCancellation()
        var request = request
        request.cache.encode = options
        let prepared = try await prepared(request, by: nil)
        return try await pipeline.encoded(
            prepared, by: nil, holding: nil, priority: LivePriority(prepared.request.schedule.priority))
    }

    /// The same by a caller's encoder, which the key of the file names; no image is read from it.
    ///
    /// - Parameter held: a file of this request that the caller has, and that is stale: it is delivered if its source confirms it.
    ///   The disk is then not read: see ``storedFile(for:by:)``.
    package func encoded(
        for request: ImageRequest, by encoder: FileEncoder, holding held: EncodedImage? = nil, priority: LivePriority
    ) async throws(ImageError) -> EncodedImage {
        try ImageError.checkCancellation()
        return try await pipeline.encoded(
            try await prepared(request, by: encoder), by: encoder, holding: held, priority: priority)
    }

    /// The file that is stored, and whether it may be used without a question to its source; nil: there is none. Asks no source and
    /// joins nothing, so a caller that admits work by its cost can look before. One read of the cache; throws `misuse` and `cancelled`.
    package func storedFile(
        for request: ImageRequest, by encoder: FileEncoder
    ) async throws(ImageError) -> (file: EncodedImage, isFresh: Bool)? {
        let prepared = try await prepared(request, by: encoder)
        return try await ImageJob(pipeline, prepared, ImageJobKeys(prepared), memory: nil).storedFile()
    }

    /// Stores a file that was made elsewhere, as if it had been made here. Returns when the cache has it; what fails is kept for
    /// ``waitForStores()``.
    package func store(
        _ file: EncodedImage, for request: ImageRequest, by encoder: FileEncoder
    ) async throws(ImageError) {
        let prepared = try await prepared(request, by: encoder)
        await ImageJob(pipeline, prepared, ImageJobKeys(prepared), memory: nil).store(file)
    }

    private func prepared(_ request: ImageRequest, by encoder: FileEncoder?) async throws(ImageError) -> PreparedRequest {
        var load = try pipeline.begin(request)
        load.product = .file(by: encoder?.name)
        return await pipeline.prepare(load)
    }
}
