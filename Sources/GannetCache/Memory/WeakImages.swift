import GannetCore

/// Evicted images that other code may still hold. Dead references are swept when their number doubles, so adding is O(1) on
/// average.
struct WeakImages {
    private struct Reference {
        weak var storage: BitmapStorage?
        weak var animation: AnimatedImage?
        var metadata: ImageMetadata
        var freshness: Freshness
        var expiration: CacheExpiration
        var extended: [UInt8]
        var cost: PixelCost
        var deadline: MemoryDeadline

        var cached: CachedImage? {
            let image: DecodedImage
            if let animation {
                image = .animated(animation)
            } else if let storage {
                image = .still(Bitmap(storage: storage), metadata)
            } else {
                return nil
            }
            return CachedImage(image: image, freshness: freshness, expiration: expiration, extended: extended)
        }
    }

    private var references: [CacheKey: Reference] = [:]
    private var sweepAt = 64

    mutating func add(
        _ cached: CachedImage, cost: PixelCost, deadline: MemoryDeadline, for key: CacheKey, garbage: inout [CachedImage]
    ) {
        var reference = Reference(
            metadata: cached.image.metadata, freshness: cached.freshness, expiration: cached.expiration,
            extended: cached.extended, cost: cost, deadline: deadline)
        switch cached.image {
        case .still(let bitmap, _): reference.storage = bitmap.storage
        case .animated(let animation): reference.animation = animation
        }
        references[key] = reference
        if references.count >= sweepAt { sweep(&garbage) }
    }

    /// Removes and returns an image: the caller holds it strongly again.
    mutating func take(_ key: CacheKey) -> (CachedImage, PixelCost, MemoryDeadline)? {
        guard !references.isEmpty, let reference = references.removeValue(forKey: key), let cached = reference.cached else {
            return nil
        }
        return (cached, reference.cost, reference.deadline)
    }

    /// False: certainly not known.
    func mayKnow(_ key: CacheKey) -> Bool { !references.isEmpty && references[key] != nil }

    func peek(_ key: CacheKey) -> (cached: CachedImage, deadline: MemoryDeadline)? {
        guard let reference = references[key], let cached = reference.cached else { return nil }
        return (cached, reference.deadline)
    }

    mutating func remove(_ key: CacheKey) {
        if !references.isEmpty { references[key] = nil }
    }

    mutating func removeAll() { references = [:] }

    mutating func removeAll(where matches: (CacheKey) -> Bool) {
        references = references.filter { !matches($0.key) }
    }

    /// Checking a weak reference creates a strong one, perhaps the last: it goes to the garbage.
    private mutating func sweep(_ garbage: inout [CachedImage]) {
        references = references.filter {
            guard let cached = $0.value.cached else { return false }
            garbage.append(cached)
            return true
        }
        sweepAt = max(64, references.count * 2)
    }
}
