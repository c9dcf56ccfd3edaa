import FoundationEssentials
import GannetCore

/// One call of a slot, or a reload for a larger view.
struct PresenterLoad: Sendable {
    var request: ImageRequest
    var options: ResolvedPresentation
    /// Placeholder and indicator have been dealt with.
    var isPrepared = false
    var isWaitingForSize = false
    /// A reload for a larger view: nobody is told, nothing flickers.
    var isSilent = false
    /// What such a reload asks for where the caches have nothing to make it of; nil: what is on screen stays.
    var fallback: ImageRequest?
    var progress = LoadProgress()
    /// The size of the view the request was made for.
    var pixels: PixelSize?
    /// The view's pixels for each point, at that time.
    var scale = 1.0
    var target: DecodeTarget?

    /// Not where pixels are counted that a smaller picture would not have.
    var needsSize: Bool {
        options.sizing == .automatic && request.decode.target == nil && !request.transform.needsWholePicture
            && options.animation.transformer?.needsWholePicture != true
    }

    /// A larger view can show more of it.
    func isLimited(_ image: DecodedImage) -> Bool { isLimited(image.size, image.metadata) }

    private func isLimited(_ size: PixelSize, _ metadata: ImageMetadata) -> Bool {
        pixels != nil && (metadata.isVector || !metadata.knowsOriginal || size.area < metadata.originalSize.area)
    }

    func showing(_ image: DecodedImage) -> Showing { showing(scale: pointScale(of: image.size, image.metadata)) }

    /// It stands in for what `request` asks for, and is as large in points: nothing moves when that comes.
    func showing(_ image: DecodedImage, standingInFor request: ImageRequest) -> Showing {
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

    /// What was made for the pixels of a view counts as so many points as the view has; where all of the picture counts fewer, as those.
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

/// The picture on screen, as far as sizes go.
struct ShownPicture: Sendable {
    var request: ImageRequest
    var options: ResolvedPresentation
    var pixels: PixelSize?
    var target: DecodeTarget?
    var isLimited: Bool
    /// Its source forbids to store it: another answer may be another picture.
    var forbidsStoring: Bool

    init(_ loaded: LoadedImage, by load: PresenterLoad) {
        request = load.fallback ?? load.request
        options = load.options
        (pixels, target) = (load.pixels, load.target)
        isLimited = load.isLimited(loaded.image)
        forbidsStoring = loaded.freshness.forbidsStoring
    }

    /// The same for a larger view, of what is stored. Nobody has asked for it: what a call wishes of the network – to ask it in any case, to
    /// send something – is not done once more. Nil: what is on screen is all there is.
    var reload: PresenterLoad? {
        let cache = request.cache
        guard (request.download.method ?? "GET").uppercased() == "GET", !forbidsStoring,
            // Where it was to come from its source, and its original was not stored, the caches may have another one.
            cache.lookup != .loaderOnly || cache.writeOriginal.tiers?.contains(.disk) ?? true
        else { return nil }
        var load = PresenterLoad(request: request, options: options, isPrepared: true, isSilent: true)
        load.request.cache.lookup = .cacheOnly
        switch cache.lookup {
        case nil, .automatic, .cacheFirst: load.fallback = request
        case .revalidate, .loaderOnly, .cacheOnly:
            // What is on this machine bothers no server.
            if !request.source.isOfTheNetwork { load.fallback = request }
        }
        return load
    }
}

extension ImageSource {
    fileprivate var isOfTheNetwork: Bool {
        guard case .url(let url) = self, let scheme = url.scheme?.lowercased() else { return false }
        return scheme != "data" && scheme != "file"
    }
}
