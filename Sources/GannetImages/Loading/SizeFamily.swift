import GannetCore
import GannetFetch
import GannetKernels

/// The sizes of one image, which serve each other. A larger one in memory is scaled down, which costs a hundredth of loading and
/// decoding again. A smaller one can be shown until the right size is loaded.
struct SizeFamily {
    let pipeline: ImagePipeline
    let prepared: PreparedRequest

    private var request: ResolvedRequest { prepared.request }

    /// The largest smaller size in memory. With `mayBeLarger` the smallest larger size, which looks like the right one, goes before
    /// all smaller ones.
    func inMemory(mayBeLarger: Bool) -> CachedImage? {
        guard isShared, request.transform.transformers.isEmpty else { return nil }
        let family = key
        let own = prepared.memoryKey(prepared.keys.variant)
        var known = pipeline.sizes.entries(of: family).filter { $0.key != own }
        let end = known.partition { entry in
            let wanted = plan(for: entry.originalSize).scaled
            return entry.size.width > wanted.width || entry.size.height > wanted.height
        }
        let smaller = known[..<end].sorted { $0.size.area > $1.size.area }
        let larger = mayBeLarger ? known[end...].sorted { $0.size.area < $1.size.area } : []
        for entry in larger + smaller { if let cached = image(entry, family) { return cached } }
        return nil
    }

    /// Remembers an image that was decoded from its original and is neither cut nor animated.
    func note(_ image: DecodedImage, at key: CacheKey) {
        guard isShared, case .still(_, let metadata) = image, !metadata.isPartial, !metadata.isVector else { return }
        if case .size(let target) = request.decode.target, !target.keepsWhole(metadata.originalSize) { return }
        // The stored response is never encoded anew.
        let encodeText: String? =
            key == prepared.keys.storage ? nil : key == prepared.keys.variant ? prepared.keys.encodeText : ""
        let entry = KnownSizes.Entry(
            key: prepared.memoryKey(key), size: image.size, originalSize: metadata.originalSize, encodeText: encodeText)
        pipeline.sizes.add(entry, to: self.key)
    }

    /// The image in memory that the decoded image of the request can be made of; nil if there is none that is at least twice as large
    /// (below that, reducing twice would be seen) and not more than 32 times, where decoding small may be as quick.
    func larger() -> Larger? {
        guard isShared, case .size = request.decode.target else { return nil }
        let family = key
        let own = prepared.memoryKey(prepared.keys.decode)
        for entry in pipeline.sizes.entries(of: family) where entry.key != own {
            guard let cached = image(entry, family), case .still(let bitmap, let metadata) = cached.image,
                bitmap.layout.alpha != .straight
            else { continue }
            let plan = plan(for: metadata.originalSize)
            let isSame = plan.scaled == bitmap.size
            let isLarger = bitmap.width >= 2 * plan.scaled.width && bitmap.height >= 2 * plan.scaled.height
            guard isSame || isLarger && bitmap.size.area <= 1024 * plan.scaled.area else { continue }
            return Larger(
                key: entry.key, bitmap: bitmap, metadata: metadata, freshness: cached.freshness, size: plan.scaled,
                part: plan.output == plan.scaled ? nil : plan.crop)
        }
        return nil
    }

    /// A larger size in memory, and what the request wants of it.
    struct Larger {
        fileprivate var key: CacheKey
        fileprivate var bitmap: Bitmap
        fileprivate var metadata: ImageMetadata
        fileprivate var freshness: Freshness
        fileprivate var size: PixelSize
        fileprivate var part: PixelRect?
    }

    func reduced(_ larger: Larger, _ priority: LivePriority) async throws(ImageError) -> CachedImage {
        let pool = pipeline.configuration.pool
        let smaller = try await pipeline.work.run(priority: priority) { () throws(ImageError) in
            try resample(larger.bitmap, to: larger.size, keeping: larger.part, pool: pool)
        }
        pipeline.observer.note(prepared.id, .resized(prepared.keys.decode, from: larger.key))
        return CachedImage(
            image: .still(smaller, larger.metadata), freshness: larger.freshness, expiration: request.cache.memoryExpiration)
    }

    private var isShared: Bool {
        let (options, decode) = (request.cache, request.decode)
        return options.sharesSizes && options.read.contains(.memory) && prepared.keys.allowsStoring
            && decode.appliesOrientation && decode.scaleDownToBytes == nil && decode.region == nil && !decode.usesLinearLight
            && pipeline.configuration.memoryCache != nil
            && LoadFacts(prepared, now: .distantPast).deliversStored
    }

    private func image(_ entry: KnownSizes.Entry, _ family: CacheKey) -> CachedImage? {
        guard let cached = pipeline.relative(at: entry.key, prepared) else {
            if pipeline.configuration.memoryCache?.contains(entry.key) != true { pipeline.sizes.remove(entry.key, from: family) }
            return nil
        }
        guard entry.encodeText == nil || entry.encodeText == prepared.keys.encodeText, cached.image.size == entry.size,
            cached.image.metadata.knowsOriginal, cached.image.metadata.originalSize == entry.originalSize
        else { return nil }
        return cached
    }

    private func plan(for original: PixelSize) -> TargetSize.Plan {
        switch request.decode.target {
        case .size(let target): target.plan(for: original)
        case .original: TargetSize(.fit, width: nil, height: nil).plan(for: original)
        }
    }

    /// Everything that changes the decoded pixels but the size.
    private var key: CacheKey {
        var request = request
        guard request.decode.target != .original else { return prepared.memoryKey(prepared.keys.decode) }
        request.decode.target = .original
        return prepared.memoryKey(pipeline.keys(of: request, like: prepared).decode)
    }
}

extension TargetSize {
    /// Nothing is cut off, and nothing is distorted.
    fileprivate func keepsWhole(_ original: PixelSize) -> Bool {
        guard mode != .fit else { return true }
        let plan = plan(for: original)
        return plan.output == plan.scaled && TargetSize.fit(plan.scaled.width, plan.scaled.height).plan(for: original) == plan
    }
}
