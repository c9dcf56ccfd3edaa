public import GannetCore
import GannetFetch
import GannetKernels

// Sizes of one image serve each other. A larger image in memory is scaled down, which costs a hundredth of loading and
// decoding again. A smaller image can be shown until the right size is loaded.

extension ImageManager {
    /// The largest smaller size of the same image that is fresh in memory: a placeholder that looks like the image. Nil if there
    /// is none, or if the request's image itself is in memory. Synchronous; microseconds.
    public func smallerCachedImage(for request: ImageRequest) -> LoadedImage? { cachedSize(for: request, mayBeLarger: false) }

    package func cachedSize(for request: ImageRequest, mayBeLarger: Bool) -> LoadedImage? {
        (try? prepareAtOnce(request)).flatMap { cachedSize(of: $0, mayBeLarger: mayBeLarger) }
    }

    /// Another size in memory: the largest smaller one. With `mayBeLarger` the smallest larger size, which looks like the right
    /// one, precedes it.
    func cachedSize(of prepared: PreparedRequest, mayBeLarger: Bool) -> LoadedImage? {
        guard mayShareSizes(prepared), prepared.request.transform.transformers.isEmpty else { return nil }
        let family = familyKey(prepared)
        let own = prepared.memoryKey(prepared.keys.variant)
        var known = sizes.entries(of: family).filter { $0.key != own }
        let end = known.partition { entry in
            let wanted = plan(prepared, for: entry.originalSize).scaled
            return entry.size.width > wanted.width || entry.size.height > wanted.height
        }
        let smaller = known[..<end].sorted { $0.size.area > $1.size.area }
        let larger = mayBeLarger ? known[end...].sorted { $0.size.area < $1.size.area } : []
        for entry in larger + smaller {
            if let picture = imageInMemory(entry, family, prepared) { return loaded(picture, prepared) }
        }
        return nil
    }

    /// Remembers an image that was decoded from its original and is neither cropped nor animated.
    func noteSize(of image: DecodedImage, at key: CacheKey, _ prepared: PreparedRequest) {
        guard mayShareSizes(prepared), case .still(_, let metadata) = image, !metadata.isPartial, !metadata.isVector else {
            return
        }
        if case .size(let target) = prepared.request.decode.target, !target.keepsWhole(metadata.originalSize) { return }
        // The stored response is never re-encoded.
        let encodeText: String? =
            key == prepared.keys.storage ? nil : key == prepared.keys.variant ? prepared.keys.encodeText : ""
        let entry = KnownSizes.Entry(
            key: prepared.memoryKey(key), size: image.size, originalSize: metadata.originalSize, encodeText: encodeText)
        sizes.add(entry, to: familyKey(prepared))
    }

    /// The decoded image of `prepared`, scaled down from a larger one in memory; nil if none has between 2 and 32 times its size.
    /// Below that, scaling twice would be visible; above it, decoding at the small size may be as fast.
    func derived(_ prepared: PreparedRequest, _ priority: LivePriority) async throws(ImageError) -> CachedImage? {
        guard mayShareSizes(prepared), case .size = prepared.request.decode.target else { return nil }
        let family = familyKey(prepared)
        let own = prepared.memoryKey(prepared.keys.decode)
        for entry in sizes.entries(of: family) where entry.key != own {
            guard let picture = imageInMemory(entry, family, prepared), case .still(let bitmap, let metadata) = picture.image,
                bitmap.layout.alpha != .straight
            else { continue }
            let plan = plan(prepared, for: metadata.originalSize)
            let isSame = plan.scaled == bitmap.size
            let isLarger = bitmap.width >= 2 * plan.scaled.width && bitmap.height >= 2 * plan.scaled.height
            guard isSame || isLarger && bitmap.size.area <= 1024 * plan.scaled.area else { continue }
            let pool = configuration.pool
            let part = plan.output == plan.scaled ? nil : plan.crop
            let smaller = try await work.run(priority: priority) { () throws(ImageError) in
                try resample(bitmap, to: plan.scaled, keeping: part, pool: pool)
            }
            observer.note(prepared.id, .resized(prepared.keys.decode, from: entry.key))
            return CachedImage(
                image: .still(smaller, metadata), freshness: picture.freshness,
                expiration: prepared.request.cache.memoryExpiration)
        }
        return nil
    }

    private func mayShareSizes(_ prepared: PreparedRequest) -> Bool {
        let (options, decode) = (prepared.request.cache, prepared.request.decode)
        return options.sharesSizes && options.read.contains(.memory) && prepared.keys.allowsStoring
            && decode.appliesOrientation && decode.scaleDownToBytes == nil && configuration.memoryCache != nil
            && LoadFacts(prepared, now: .distantPast).deliversStored
    }

    private func imageInMemory(_ entry: KnownSizes.Entry, _ family: CacheKey, _ prepared: PreparedRequest) -> CachedImage? {
        guard let picture = relative(at: entry.key, prepared) else {
            if configuration.memoryCache?.contains(entry.key) != true { sizes.remove(entry.key, from: family) }
            return nil
        }
        guard entry.encodeText == nil || entry.encodeText == prepared.keys.encodeText, picture.image.size == entry.size,
            picture.image.metadata.knowsOriginal, picture.image.metadata.originalSize == entry.originalSize
        else { return nil }
        return picture
    }

    private func plan(_ prepared: PreparedRequest, for original: PixelSize) -> TargetSize.Plan {
        switch prepared.request.decode.target {
        case .size(let target): target.plan(for: original)
        case .original: TargetSize(.fit, width: nil, height: nil).plan(for: original)
        }
    }

    /// Everything that changes the decoded pixels, except the size.
    private func familyKey(_ prepared: PreparedRequest) -> CacheKey {
        var request = prepared.request
        guard request.decode.target != .original else { return prepared.memoryKey(prepared.keys.decode) }
        request.decode.target = .original
        return prepared.memoryKey(keys(of: request, like: prepared).decode)
    }
}

extension TargetSize {
    /// Neither cropped nor distorted.
    fileprivate func keepsWhole(_ original: PixelSize) -> Bool {
        guard mode != .fit else { return true }
        let plan = plan(for: original)
        return plan.output == plan.scaled && TargetSize.fit(plan.scaled.width, plan.scaled.height).plan(for: original) == plan
    }
}
