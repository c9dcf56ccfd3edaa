package import GannetCore
import GannetFetch
import GannetPlatform

/// Where the file of a request stands on disk. With it the next look-up needs neither the request nor its keys.
package struct StoredFilePlace: Sendable {
    fileprivate let file: CacheKey
    fileprivate let original: CacheKey
    fileprivate let format: ImageFormat?
}

extension ImageManager {
    /// The place that ``storedFile(for:by:)`` reads. Nil: it depends on the source's present state, or on a cache or a condition of the
    /// request's own.
    package func place(of request: ImageRequest, by encoder: FileEncoder) -> StoredFilePlace? {
        guard pipeline.configuration.optionsProcessor == nil,
            let prepared = try? pipeline.prepareAtOnce(request, as: .file(by: encoder.name)),
            pipeline.isPreparedAtOnce(prepared.request)
        else { return nil }
        let (cache, keys) = (prepared.request.cache, prepared.keys)
        guard cache.store == nil, cache.originalStore == nil, cache.countsUses, cache.lookup == .automatic,
            LoadFacts(prepared, now: pipeline.configuration.time.now).demands.isEmpty,
            StoredTiers(pipeline: pipeline, prepared: prepared).images != nil
        else { return nil }
        return StoredFilePlace(file: keys.variant, original: keys.storage, format: cache.encode.format)
    }

    /// The stored file, where it can be read without waiting, and used without a question to its source. Nil says nothing: ask
    /// ``storedFile(for:by:)``.
    package func freshFile(at place: StoredFilePlace) -> EncodedImage? {
        let configuration = pipeline.configuration
        // Of a response that came later another file is made.
        guard let images = configuration.diskCache as? any LookupAtOnce,
            let originals = (configuration.originalCache ?? configuration.diskCache) as? any LookupAtOnce,
            let newest = originals.dateAtOnce(of: place.original),
            let entry = images.entryAtOnce(for: place.file), !entry.metadata.isPartial, newest <= entry.metadata.storedAt
        else { return nil }
        var facts = LoadFacts(lookup: .automatic, now: configuration.time.now)
        facts.disk = .stored(StoredFacts(entry.metadata.freshness))
        guard case .deliver(.disk, revalidating: false) = LoadPlan.next(facts) else { return nil }
        pipeline.observer.note(nil, .diskHit(place.file))
        return EncodedImage(
            bytes: entry.bytes, format: place.format ?? configuration.coders.format(of: entry.bytes),
            freshness: entry.metadata.freshness)
    }
}
