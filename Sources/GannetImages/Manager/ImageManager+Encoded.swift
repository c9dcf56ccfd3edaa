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
        try await encoded(for: request, as: options, priority: nil)
    }

    /// With a priority that may be changed from outside; nil: the request's.
    package func encoded(
        for request: ImageRequest, as options: EncodeOptions, priority: LivePriority?
    ) async throws(ImageError) -> EncodedImage {
        try ImageError.checkCancellation()
        var request = request
        request.cache.encode = options
        var load = try pipeline.begin(request)
        load.isEncoded = true
        let prepared = await pipeline.prepare(load)
        return try await pipeline.encoded(prepared, priority: priority ?? LivePriority(prepared.request.schedule.priority))
    }
}
