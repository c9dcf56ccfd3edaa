import GannetCore
import GannetImages

/// One call of a slot, or a reload for a larger view.
struct PresenterLoad: Sendable {
    var request: ImageRequest
    var options: ResolvedPresentation
    /// Placeholder and indicator have been handled.
    var isPrepared = false
    var isWaitingForSize = false
    /// A reload for a larger view: no handler is called, nothing flickers.
    var isSilent = false
    /// The request to make if the caches cannot serve such a reload; nil: the content on screen stays.
    var fallback: ImageRequest?
    var progress = LoadProgress()
    /// The size of the view that the request was made for.
    var pixels: PixelSize?
    /// The view's pixels for each point, at that time.
    var scale = 1.0
    var target: DecodeTarget?

    /// False if pixels matter that a smaller image would not have.
    var needsSize: Bool {
        options.decodesForView && request.decode.target == nil && !request.transform.needsWholeImage
            && options.animation.transformer?.needsWholeImage != true
    }

    /// True if a larger view can show more detail.
    func isLimited(_ image: DecodedImage) -> Bool { isLimited(image.size, image.metadata) }

    private func isLimited(_ size: PixelSize, _ metadata: ImageMetadata) -> Bool {
        pixels != nil && (metadata.isVector || !metadata.knowsOriginal || size.area < metadata.originalSize.area)
    }

    func showing(_ image: DecodedImage) -> Showing { showing(scale: pointScale(of: image.size, image.metadata)) }

    /// For an image shown until that of `request` is there. It gets the same size in points, so that nothing moves when the final
    /// one comes.
    func showing(_ image: DecodedImage, inPlaceOf request: ImageRequest) -> Showing {
        guard case .size(let target) = request.decode.target, image.metadata.knowsOriginal else { return showing(image) }
        let (size, metadata) = (image.size, image.metadata)
        let wanted = target.plan(for: metadata.originalSize).output
        let points = pointScale(of: wanted, metadata) ?? (metadata.scale.isFinite ? max(metadata.scale, 0.01) : 1)
        let reduction = max(Double(size.width) / Double(wanted.width), Double(size.height) / Double(wanted.height))
        return showing(scale: points * reduction)
    }

    private func showing(scale: Double?) -> Showing {
        Showing(animation: options.animation, followsView: options.call.animation == nil, scale: scale)
    }

    /// Pixels for each point of an image that was decoded for the view's pixels: it takes as many points as the view, or those of
    /// the whole image if these are fewer. Nil: the image's own scale.
    private func pointScale(of size: PixelSize, _ metadata: ImageMetadata) -> Double? {
        guard let pixels, isLimited(size, metadata), size.width >= pixels.width || size.height >= pixels.height else {
            return nil
        }
        guard metadata.knowsOriginal, !metadata.isVector, metadata.scale.isFinite else { return scale }
        let original = metadata.originalSize
        let reduction = max(Double(size.width) / Double(original.width), Double(size.height) / Double(original.height))
        return max(scale, metadata.scale * reduction)
    }
}

/// The sizes of the image on screen.
struct ShownImage: Sendable {
    var request: ImageRequest
    var options: ResolvedPresentation
    var pixels: PixelSize?
    var target: DecodeTarget?
    var isLimited: Bool
    /// The source forbids storing the image: another response may be another image.
    var forbidsStoring: Bool

    init(_ loaded: LoadedImage, by load: PresenterLoad) {
        request = load.fallback ?? load.request
        options = load.options
        (pixels, target) = (load.pixels, load.target)
        isLimited = load.isLimited(loaded.image)
        forbidsStoring = loaded.freshness.forbidsStoring
    }

    /// The same request for a larger view, served from the caches. No caller requested it, so the network actions of the call,
    /// such as a revalidation or an upload, are not repeated. Nil: the content on screen is all there is.
    var reload: PresenterLoad? {
        let cache = request.cache
        guard (request.download.method ?? "GET").uppercased() == "GET", !forbidsStoring,
            // After `loaderOnly` without storing the original, the caches may hold another image.
            cache.lookup != .loaderOnly || cache.writeOriginal == .inherited || cache.writeOriginal.contains(.disk)
        else { return nil }
        var load = PresenterLoad(request: request, options: options, isPrepared: true, isSilent: true)
        load.request.cache.lookup = .cacheOnly
        switch cache.lookup {
        case nil, .automatic, .cacheFirst: load.fallback = request
        case .revalidate, .loaderOnly, .cacheOnly:
            // Local sources can be read again without contacting a server.
            if !request.source.isOfTheNetwork { load.fallback = request }
        }
        return load
    }
}
