import GannetCore
import GannetFetch

// The image on disk, and the one of the stored response, as the plan reads them.

extension ImageJob {
    var tiers: StoredTiers { StoredTiers(pipeline: pipeline, prepared: prepared) }

    /// The entry on disk.
    struct DiskEntry {
        var metadata: CacheEntryMetadata
        /// Nil: only the metadata was read.
        var whole: CacheEntry?
    }

    /// Carries out the plan to the point where the source is asked. Not nil: the result. `job` shows a stale image from then on.
    func stored(_ job: Job<LoadSnapshot>) async throws(ImageError) -> MadeImage? {
        var entry: DiskEntry?
        while true {
            switch LoadPlan.next(facts) {
            case .read(.disk): entry = try await hold(readDisk(whole: held == nil), job.priority)
            case .discard(.disk): await discardEntry()
            case .deliver(.disk, _):
                guard let found = entry, let image = try await delivered(found, job.priority) else {
                    // The entry is read whole although memory has an image: that is another one.
                    entry = entry?.whole == nil ? try await hold(readDisk(whole: true), job.priority) : nil
                    if entry == nil { facts.disk = .nothing }
                    continue
                }
                return image
            case .deliver(.memory, _): return held.map { MadeImage($0.picture) }
            case .read(.original) where facts.showsStored:
                held = try await storedOriginal(job.priority)
                facts.original = LoadFinding(held?.picture)
            case .ask(_, let tier):
                // A caller has already seen what its memory had.
                if let tier, tier != .memory, let picture = held?.picture {
                    job.show(LoadedImage(image: picture.image, origin: .disk, freshness: picture.freshness))
                }
                return nil
            case .fail: throw .nothingStored
            default: return nil
            }
        }
    }

    /// The entry was made of an earlier response. It would be the newest again once its original leaves the cache.
    func discardEntry() async {
        observer.note(prepared.id, .stale(prepared.keys.variant))
        try? await tiers.images?.remove(prepared.keys.variant)
        facts.disk = .nothing
    }

    /// Nil: there is nothing. With `whole` false the metadata alone is read: the image in memory may be the same one, and does not need
    /// a second stale one beside it.
    func readDisk(whole: Bool) async throws(ImageError) -> DiskEntry? {
        facts.disk = .nothing
        let key = prepared.keys.variant
        guard let cache = tiers.images else { return nil }
        let found: DiskEntry?
        do throws(ImageError) {
            if whole {
                let entry = try await observer.stage(.cache, prepared.id) { () throws(ImageError) in
                    try await cache.entry(for: key, touch: request.cache.countsUses)
                }
                found = entry.map { DiskEntry(metadata: $0.metadata, whole: $0) }
            } else {
                found = try await cache.metadata(for: key).map { DiskEntry(metadata: $0) }
            }
        } catch {
            // A cache that cannot be read is a miss that has been reported; the source is still there.
            if error.code == .cancelled { throw error }
            return nil
        }
        guard let found, !found.metadata.isPartial else {
            if whole { observer.note(prepared.id, .diskMiss(key)) }
            return nil
        }
        let newest = await tiers.newestOriginal(since: found.metadata.storedAt)
        facts.disk = .stored(tiers.facts(of: found.metadata, newest: newest))
        return found
    }

    /// Nil: there is nothing to deliver, and a stale image is held.
    private func hold(_ found: DiskEntry?, _ priority: LivePriority) async throws(ImageError) -> DiskEntry? {
        guard let found else { return nil }
        switch LoadPlan.next(facts) {
        case .deliver(.disk, _), .discard: return found
        default: break
        }
        if found.whole != nil { observer.note(prepared.id, .stale(prepared.keys.variant)) }
        guard held == nil, let entry = found.whole, let image = try await image(of: entry, priority) else {
            facts.disk = .nothing
            return nil
        }
        held = Held(picture: cached(image, entry.metadata.freshness), tier: .disk)
        return found
    }

    /// Nil: the entry has to be read whole first, or it cannot be decoded any more.
    private func delivered(_ entry: DiskEntry, _ priority: LivePriority) async throws(ImageError) -> MadeImage? {
        let found: CachedImage
        if let whole = entry.whole {
            guard let image = try await image(of: whole, priority) else { return nil }
            found = cached(image, entry.metadata.freshness)
        } else if let held, held.picture.freshness.matches(entry.metadata.freshness, isSentAgain: false) {
            // The image in memory is the one on disk, whose source was asked in the meantime.
            found = cached(held.picture.image, entry.metadata.freshness)
        } else {
            return nil
        }
        observer.note(prepared.id, .diskHit(prepared.keys.variant))
        keepInMemory(found)
        if entry.whole != nil { await forgetIfReplaced(prepared.keys.variant, madeOf: entry.metadata) }
        return MadeImage(found, origin: .disk)
    }

    func cached(_ image: DecodedImage, _ freshness: Freshness) -> CachedImage {
        CachedImage(image: image, freshness: freshness, expiration: request.cache.memoryExpiration)
    }

    /// The image made of its stored original, however old that is. Nil: there is none, or it cannot be decoded any more, which the
    /// rest of the load will find out.
    private func storedOriginal(_ priority: LivePriority) async throws(ImageError) -> Held? {
        guard tiers.readsOriginals, let cache = tiers.originals,
            let copy = try? await cache.storedResponse(for: prepared.keys.storage),
            let entry = try? await cache.entry(for: copy.key, touch: request.cache.countsUses),
            !entry.metadata.isPartial, let freshness = tiers.freshness(of: copy.metadata)
        else { return nil }
        do throws(ImageError) {
            let original = try await decoded(
                entry.bytes, request.decode, priority, request.context, of: prepared.origin(entry.metadata))
            let image = try await transformed(original, priority)
            observer.note(prepared.id, .stale(prepared.keys.storage))
            return Held(picture: cached(image, freshness), tier: .original, original: original)
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    /// Nil: its bytes cannot be decoded any more.
    private func image(of entry: CacheEntry, _ priority: LivePriority) async throws(ImageError) -> DecodedImage? {
        do throws(ImageError) {
            if let serializer = request.cache.serializer, let image = try await serializer.read(entry.bytes.contiguous()) {
                return image.made(of: entry.metadata.original)
            }
            return try await decoded(
                entry.bytes, ImagePipeline.storedOptions(request.decode), priority, LoadContext()
            ).made(of: entry.metadata.original)
        } catch {
            if error.code == .cancelled || error.code == .limitExceeded { throw error }
            observer.note(prepared.id, .corruptEntry(prepared.keys.variant, reason: error.message))
            try? await tiers.images?.remove(prepared.keys.variant)
            return nil
        }
    }
}

extension CacheSerializer {
    /// An error of a serializer says that these bytes are nothing to it; limits are the coders'.
    func read(_ bytes: [UInt8]) async throws(ImageError) -> DecodedImage? {
        do throws(ImageError) { return try await image(from: bytes) } catch {
            if error.code == .cancelled { throw error }
            throw ImageError(.corrupt, stage: .cache, "The cache serializer failed: \(error.message)")
        }
    }
}

extension Job<LoadSnapshot> {
    /// Publishes the stale image, now and with all that follows: a reader that is slow, or comes later, sees only the newest snapshot.
    fileprivate func show(_ stale: LoadedImage) {
        publishing { $0.stale = stale }
        publish(LoadSnapshot())
    }
}
