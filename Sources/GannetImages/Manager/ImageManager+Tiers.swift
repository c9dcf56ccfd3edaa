import GannetCore
import GannetFetch

// Memory and disk on the way to one image, as the plan reads them.

/// The state of one load's way through the tiers.
struct TierLook {
    /// An image that must be revalidated.
    struct Held {
        var picture: CachedImage
        var tier: LoadTier
        /// The decoded original that the image was made of, where that alone was stored.
        var original: DecodedImage?
    }

    var facts: LoadFacts
    /// The first image that was found.
    var held: Held?
    /// The entry on disk, unless only its metadata was read.
    var entry: CacheEntry?
    /// The metadata of the entry on disk.
    var stored: CacheEntryMetadata?
    /// The entry is read whole although memory has an image: that is another one.
    var readsWhole = false

    /// `memory`: what the request found there.
    init(_ memory: CachedImage?, facts: LoadFacts) {
        self.facts = facts
        self.facts.memory = LoadFinding(memory)
        held = memory.map { Held(picture: $0, tier: .memory) }
    }

    fileprivate mutating func missesDisk() {
        facts.disk = .nothing
        entry = nil
    }
}

extension ImageManager {
    /// Carries out the plan to the point where the fetcher takes over. Not nil: the result. `job` shows a stale image from then on.
    func lookUpTiers(
        _ prepared: PreparedRequest, _ look: inout TierLook, _ job: Job<LoadSnapshot>
    ) async throws(ImageError) -> LoadedImage? {
        look.facts.disk = diskTier(prepared) == nil ? .nothing : .unread
        look.facts.original = .unread
        while true {
            switch LoadPlan.next(look.facts) {
            case .read(.disk): try await readDisk(prepared, &look, job.priority)
            case .discard(.disk):
                observer.note(prepared.id, .stale(prepared.keys.variant))
                // It would be the newest again once its original leaves the cache.
                try? await diskTier(prepared)?.remove(prepared.keys.variant)
                look.missesDisk()
            case .deliver(.disk, _):
                if let result = try await deliverFromDisk(prepared, &look, job.priority) { return result }
            case .deliver(.memory, _):
                guard let held = look.held else { return nil }
                return LoadedImage(held.picture)
            case .read(.original) where look.facts.showsStored:
                look.held = try await storedOriginal(prepared, job.priority)
                look.facts.original = LoadFinding(look.held?.picture)
            case .ask(_, let tier):
                // A caller has already seen what its memory had.
                if let tier, tier != .memory, let picture = look.held?.picture {
                    job.show(LoadedImage(image: picture.image, origin: .disk, freshness: picture.freshness))
                }
                return nil
            case .fail: throw .nothingStored
            default: return nil
            }
        }
    }

    /// Nil: this request reads no image from a disk. Only images that differ from their original are there.
    func diskTier(_ prepared: PreparedRequest) -> (any ImageCaching)? {
        guard prepared.request.cache.read.contains(.disk), prepared.keys.allowsStoring,
            prepared.keys.variant != prepared.keys.storage
        else { return nil }
        return prepared.request.cache.store ?? configuration.diskCache
    }

    private func readDisk(
        _ prepared: PreparedRequest, _ look: inout TierLook, _ priority: LivePriority
    ) async throws(ImageError) {
        look.missesDisk()
        guard let cache = diskTier(prepared) else { return }
        if look.held != nil, !look.readsWhole { return await readBesideMemory(prepared, &look, cache) }
        let entry: CacheEntry?
        do throws(ImageError) {
            entry = try await observer.stage(.cache, prepared.id) { () throws(ImageError) in
                try await cache.entry(for: prepared.keys.variant, touch: prepared.request.cache.countsUses)
            }
        } catch {
            // A cache that cannot be read is a miss that has been reported; the source is still there.
            if error.code == .cancelled { throw error }
            return
        }
        guard let entry, !entry.metadata.isPartial else { return observer.note(prepared.id, .diskMiss(prepared.keys.variant)) }
        (look.entry, look.stored) = (entry, entry.metadata)
        look.facts.disk = .stored(
            facts(of: entry.metadata, prepared, newest: await storedOriginal(of: prepared, since: entry.metadata.storedAt)))
        switch LoadPlan.next(look.facts) {
        case .deliver(.disk, _), .discard: return
        default: break
        }
        observer.note(prepared.id, .stale(prepared.keys.variant))
        guard look.held == nil, let image = try await image(of: entry, prepared, priority) else { return look.missesDisk() }
        look.held = TierLook.Held(picture: picture(image, entry.metadata.freshness, prepared), tier: .disk)
    }

    /// The metadata alone: the image in memory may be the same one, and does not need a second stale one beside it.
    private func readBesideMemory(
        _ prepared: PreparedRequest, _ look: inout TierLook, _ cache: any ImageCaching
    ) async {
        guard let stored = try? await cache.metadata(for: prepared.keys.variant), !stored.isPartial else { return }
        look.stored = stored
        look.facts.disk = .stored(facts(of: stored, prepared, newest: await storedOriginal(of: prepared, since: stored.storedAt)))
        switch LoadPlan.next(look.facts) {
        case .deliver(.disk, _), .discard: break
        default: look.missesDisk()
        }
    }

    /// Nil: the entry has to be read first, or it cannot be decoded any more.
    private func deliverFromDisk(
        _ prepared: PreparedRequest, _ look: inout TierLook, _ priority: LivePriority
    ) async throws(ImageError) -> LoadedImage? {
        guard let stored = look.stored else {
            look.missesDisk()
            return nil
        }
        let found: CachedImage
        if let entry = look.entry {
            guard let image = try await image(of: entry, prepared, priority) else {
                look.missesDisk()
                return nil
            }
            found = picture(image, stored.freshness, prepared)
        } else if let held = look.held, held.picture.freshness.matches(stored.freshness, isSentAgain: false) {
            // The image in memory is the one on disk, revalidated in the meantime.
            found = picture(held.picture.image, stored.freshness, prepared)
        } else {
            look.readsWhole = true
            look.facts.disk = .unread
            return nil
        }
        observer.note(prepared.id, .diskHit(prepared.keys.variant))
        keepInMemory(found, prepared)
        if look.entry != nil { await forgetIfReplaced(prepared.keys.variant, madeOf: stored, prepared) }
        return LoadedImage(image: found.image, origin: .disk, freshness: found.freshness)
    }

    func picture(_ image: DecodedImage, _ freshness: Freshness, _ prepared: PreparedRequest) -> CachedImage {
        CachedImage(image: image, freshness: freshness, expiration: prepared.request.cache.memoryExpiration)
    }

    /// The image made of its stored original, however old that is. Nil: there is none, or it cannot be decoded any more, which the
    /// rest of the load will find out.
    private func storedOriginal(
        _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> TierLook.Held? {
        let options = prepared.request.cache
        guard options.readsOriginal(isPicture: prepared.keys.isStoredResponse), prepared.keys.allowsStoring,
            let cache = originalCache(options),
            let entry = try? await cache.entry(for: prepared.keys.storage, touch: options.countsUses),
            !entry.metadata.isPartial, let freshness = freshness(of: entry.metadata, for: prepared)
        else { return nil }
        do throws(ImageError) {
            let original = try await decode(
                entry.bytes, prepared.request.decode, priority, prepared, prepared.request.context,
                of: prepared.origin(entry.metadata))
            let image = try await transformed(original, prepared, priority)
            observer.note(prepared.id, .stale(prepared.keys.storage))
            return TierLook.Held(picture: picture(image, freshness, prepared), tier: .original, original: original)
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }

    /// Nil: its bytes cannot be decoded any more.
    private func image(
        of entry: CacheEntry, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage? {
        do throws(ImageError) {
            if let serializer = prepared.request.cache.serializer,
                let image = try await read(entry.bytes.contiguous(), with: serializer)
            {
                return image.made(of: entry.metadata.original)
            }
            return try await decode(
                entry.bytes, Self.storedOptions(prepared.request.decode), priority, prepared, LoadContext()
            ).made(of: entry.metadata.original)
        } catch {
            if error.code == .cancelled || error.code == .limitExceeded { throw error }
            observer.note(prepared.id, .corruptEntry(prepared.keys.variant, reason: error.message))
            try? await diskTier(prepared)?.remove(prepared.keys.variant)
            return nil
        }
    }

    /// An error of a serializer says that these bytes are nothing to it; limits are the coders'.
    func read(_ bytes: [UInt8], with serializer: any CacheSerializer) async throws(ImageError) -> DecodedImage? {
        do throws(ImageError) { return try await serializer.image(from: bytes) } catch {
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
