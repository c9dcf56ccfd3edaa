import GannetCore

// The job behind one picture: stored variant, else original, transform, store.

extension ImageManager {
    func makeVariant(
        _ prepared: PreparedRequest, _ stale: CachedPicture?, _ job: SharedWork<LoadSnapshot, LoadedImage>.Job
    ) async throws(ImageError) -> LoadedImage {
        var stale = stale
        let clock = configuration.time
        let start = clock.uptime
        switch try await diskVariant(prepared, besides: stale, job.priority) {
        case .fresh(let result): return result
        case .stale(let picture):
            if prepared.request.cache.lookup == .revalidate, stale == nil {
                var snapshot = LoadSnapshot()
                snapshot.stale = LoadedImage(image: picture.image, origin: .disk, freshness: picture.freshness)
                job.publish(snapshot)
            }
            stale = stale ?? picture
        case .miss: break
        }
        var timings = LoadTimings()
        timings.cache = clock.uptime - start

        var fetched: FetchedBytes?
        if let stale {
            let bytes = try await fetch(prepared, priority: job.priority) { job.publish(Self.snapshot(of: $0)) }
            if !bytes.isStandIn(for: prepared.request), Self.isSame(stale.freshness, bytes.freshness) {
                return await keep(stale, bytes.freshness, prepared, origin: bytes.wasRevalidated ? .revalidated : bytes.origin)
            }
            fetched = bytes
        }

        let prefetched = fetched
        let beginning = prefetched == nil ? cachedBeginning(prepared) : nil
        let original: DecodedOriginal
        if let beginning {
            original = beginning.picture
        } else {
            (original, _) = try await originals.join(
                prepared.originalShareKey, priority: job.priority, onProgress: { job.publish($0) },
                work: { [self] inner throws(ImageError) in try await self.makeOriginal(prepared, prefetched, inner) })
        }
        timings.load = original.loadTime
        timings.decode = original.decodeTime

        let transformStart = clock.uptime
        let image = try await stepwise(original.image, prepared, after: beginning?.count ?? 0, job.priority)
        timings.transform = clock.uptime - transformStart
        let picture = CachedPicture(
            image: image, freshness: original.freshness, expiration: prepared.request.cache.memoryExpiration)
        if !original.isStandIn { store(picture, original, prepared) }
        if !original.isStandIn, prepared.keys.isDecodedOnly { noteSize(of: image, at: prepared.keys.variant, prepared) }
        return LoadedImage(
            image: image, origin: original.origin,
            encoded: prepared.request.transform.transformers.isEmpty ? original.encoded : nil, freshness: original.freshness,
            timings: timings)
    }

    enum DiskAnswer {
        case fresh(LoadedImage)
        case stale(CachedPicture)
        case miss
    }

    /// The picture itself on disk, as it was stored by an earlier load. Only pictures that differ from their original are there.
    /// `known`: what memory has; it is not decoded a second time only to be stale as well.
    private func diskVariant(
        _ prepared: PreparedRequest, besides known: CachedPicture?, _ priority: LivePriority
    ) async throws(ImageError) -> DiskAnswer {
        guard prepared.request.cache.lookup != .loaderOnly, prepared.request.cache.read.contains(.disk),
            prepared.keys.allowsStoring,
            prepared.keys.variant != prepared.keys.storage, let cache = prepared.request.cache.store ?? configuration.diskCache
        else { return .miss }
        if let known {
            let stored = try? await cache.metadata(for: prepared.keys.variant)
            guard let stored, prepared.request.cache.lookup == .automatic, !stored.isPartial,
                stored.freshness.isFresh(at: configuration.time.now)
            else { return .miss }
            if Self.isSame(known.freshness, stored.freshness) { return .fresh(renewed(known, stored.freshness, prepared)) }
        }
        let entry: CacheEntry?
        do throws(ImageError) {
            entry = try await observer.stage(.cache, prepared.id) { () throws(ImageError) in
                try await cache.entry(for: prepared.keys.variant, touch: prepared.request.cache.accessExtension != .none)
            }
        } catch {
            // A cache that cannot be read is a miss that has been reported; the picture still has its source.
            if error.code == .cancelled { throw error }
            return .miss
        }
        guard let entry, !entry.metadata.isPartial else {
            observer.note(prepared.id, .diskMiss(prepared.keys.variant))
            return .miss
        }
        guard let image = try await decodeStored(entry, prepared, priority)?.made(of: entry.metadata.original) else {
            return .miss
        }
        let picture = CachedPicture(
            image: image, freshness: entry.metadata.freshness, expiration: prepared.request.cache.memoryExpiration)
        let isFresh: Bool =
            switch prepared.request.cache.lookup {
            case .cacheFirst, .cacheOnly: true
            case .revalidate: false
            case .automatic, .loaderOnly: entry.metadata.freshness.isFresh(at: configuration.time.now)
            }
        guard isFresh else {
            observer.note(prepared.id, .stale(prepared.keys.variant))
            return .stale(picture)
        }
        observer.note(prepared.id, .diskHit(prepared.keys.variant))
        keepInMemory(picture, prepared)
        return .fresh(LoadedImage(image: image, origin: .disk, freshness: picture.freshness))
    }

    /// The picture that memory has is the one on disk, whose source was asked in the meantime.
    private func renewed(_ known: CachedPicture, _ freshness: Freshness, _ prepared: PreparedRequest) -> LoadedImage {
        var picture = known
        picture.freshness = freshness
        observer.note(prepared.id, .diskHit(prepared.keys.variant))
        keepInMemory(picture, prepared)
        return LoadedImage(image: picture.image, origin: .disk, freshness: freshness)
    }

    /// Nil: its bytes cannot be decoded any more.
    private func decodeStored(
        _ entry: CacheEntry, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage? {
        do throws(ImageError) {
            if let serializer = prepared.request.cache.serializer,
                let image = try await read(entry.bytes.contiguous(), with: serializer)
            {
                return image
            }
            return try await decode(
                entry.bytes, Self.storedOptions(prepared.request.decode), priority, prepared, LoadContext())
        } catch {
            if error.code == .cancelled || error.code == .limitExceeded { throw error }
            observer.note(prepared.id, .corruptEntry(prepared.keys.variant, reason: error.message))
            try? await (prepared.request.cache.store ?? configuration.diskCache)?.remove(prepared.keys.variant)
            return nil
        }
    }

    /// What a serializer throws says that these bytes are nothing to it; limits are the coders'.
    private func read(_ bytes: [UInt8], with serializer: any CacheSerializer) async throws(ImageError) -> DecodedImage? {
        do throws(ImageError) { return try await serializer.image(from: bytes) } catch {
            if error.code == .cancelled { throw error }
            throw ImageError(.corrupt, stage: .cache, "The cache serializer failed: \(error.message)")
        }
    }

    /// The source says that what is stored is still right: no decoding, only a new date.
    private func keep(
        _ stale: CachedPicture, _ freshness: Freshness, _ prepared: PreparedRequest, origin: LoadedImage.Origin
    ) async -> LoadedImage {
        var picture = stale
        picture.freshness = freshness
        observer.note(prepared.id, .revalidated(prepared.keys.variant))
        let options = prepared.request.cache
        keepInMemory(picture, prepared)
        if prepared.keys.variant != prepared.keys.storage, let cache = options.store ?? configuration.diskCache,
            var metadata = try? await cache.metadata(for: prepared.keys.variant)
        {
            metadata.freshness = freshness
            try? await cache.update(metadata, for: prepared.keys.variant)
        }
        return LoadedImage(image: picture.image, origin: origin, freshness: freshness)
    }

    /// Two pictures of one representation: a validator that both have and that is equal (RFC 9110 §8.8).
    private static func isSame(_ stored: Freshness, _ current: Freshness) -> Bool {
        if let etag = stored.etag, let other = current.etag { return etag == other }
        if stored.etag == nil, current.etag == nil, let modified = stored.lastModified { return modified == current.lastModified }
        return false
    }

    static func snapshot(of progress: FetchProgress) -> LoadSnapshot {
        var snapshot = LoadSnapshot()
        snapshot.bytesReceived = progress.bytes.count
        snapshot.bytesExpected = progress.expected
        return snapshot
    }
}
