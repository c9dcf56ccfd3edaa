import GannetCore

// The job behind one picture: stored variant, else original, transform, store.

extension ImageManager {
    func makeVariant(
        _ prepared: PreparedRequest, _ stale: CachedPicture?, _ job: SharedWork<LoadSnapshot, LoadedImage>.Job
    ) async throws(ImageError) -> LoadedImage {
        let isInMemory = stale != nil
        var stale = stale
        let clock = configuration.time
        let start = clock.uptime
        var job = job
        var decoded: DecodedImage?
        if case .fresh(let result) = try await staleFromDisk(prepared, &stale, &decoded, &job) { return result }
        var timings = LoadTimings()
        timings.cache = clock.uptime - start

        var fetched: FetchedBytes?
        if let stale {
            let bytes: FetchedBytes
            do throws(ImageError) {
                bytes = try await fetch(prepared, priority: job.priority) { job.publish(Self.snapshot(of: $0)) }
            } catch {
                guard mayStandIn(stale, for: error, prepared) else { throw error }
                return LoadedImage(image: stale.image, origin: isInMemory ? .memory : .disk, freshness: stale.freshness)
            }
            if !bytes.isStandIn(for: prepared.request), Self.isSame(stale.freshness, bytes.freshness, bytes.origin) {
                let origin = bytes.wasRevalidated ? LoadedImage.Origin.revalidated : bytes.origin
                var kept = await keep(stale, bytes.freshness, prepared, origin: origin)
                if prepared.request.transform.transformers.isEmpty {
                    kept.encoded = bytes.encoded(as: kept.image)
                    // What was kept may be stored in another format than its original.
                    if let original = kept.encoded?.bytes { kept.encoded?.format = configuration.coders.format(of: original) }
                }
                // Nothing but the original was stored.
                if let decoded {
                    let original = DecodedOriginal(
                        image: decoded, encoded: bytes.encoded(as: decoded), origin: origin, freshness: bytes.freshness,
                        stored: bytes.metadata.map { StoredCopy(key: bytes.storageKey, metadata: $0) })
                    await finish(kept.image, original, prepared)
                }
                return kept
            }
            fetched = bytes
        }

        let (prefetched, shown) = (fetched, job)
        let beginning = prefetched == nil ? cachedBeginning(prepared) : nil
        let original: DecodedOriginal
        if let beginning {
            original = beginning.picture
        } else {
            (original, _) = try await originals.join(
                prepared.originalShareKey, priority: job.priority, onProgress: { shown.publish($0) },
                work: { [self] inner throws(ImageError) in try await self.makeOriginal(prepared, prefetched, inner) })
        }
        timings.load = original.loadTime
        timings.decode = original.decodeTime

        let transformStart = clock.uptime
        let image = try await stepwise(original.image, prepared, after: beginning?.count ?? 0, job.priority)
        timings.transform = clock.uptime - transformStart
        if let source = original.standIn {
            keepStandIn(image, from: source, original, prepared)
        } else {
            await finish(image, original, prepared)
        }
        return LoadedImage(
            image: image, origin: original.origin,
            encoded: prepared.request.transform.transformers.isEmpty ? original.encoded : nil, freshness: original.freshness,
            timings: timings)
    }

    /// Its source cannot be asked, and what was made of it is still there: as the stored response itself would stand in.
    private func mayStandIn(_ stale: CachedPicture, for error: ImageError, _ prepared: PreparedRequest) -> Bool {
        // Of several sources it is the picture's own that decides.
        let error = (error.underlying as? SourcesExhausted)?.errors.first ?? error
        return prepared.request.cache.lookup == .automatic && prepared.request.download.method == "GET"
            && !prepared.request.asksAboutFreshness && !prepared.request.limitsStandIns
            && !prepared.request.download.forcesRevalidation && stale.freshness.mayStandIn(for: error, at: configuration.time.now)
            && !fetcher.removals.happened(to: prepared.keys.variant, in: nil, since: prepared.begun)
    }

    /// Stores what was made of its original; where that must not be, an earlier one goes.
    private func finish(_ image: DecodedImage, _ original: DecodedOriginal, _ prepared: PreparedRequest) async {
        if original.freshness.forbidsStoring { return await forget(prepared) }
        store(
            CachedPicture(image: image, freshness: original.freshness, expiration: prepared.request.cache.memoryExpiration),
            original, prepared)
        await forgetIfReplaced(prepared.keys.variant, madeOf: original.stored?.metadata, prepared)
        if prepared.keys.isDecodedOnly { noteSize(of: image, at: prepared.keys.variant, prepared) }
    }

    private func forget(_ prepared: PreparedRequest) async {
        guard prepared.keys.allowsStoring else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(prepared.keys.variant))
        guard prepared.keys.variant != prepared.keys.storage, let cache = prepared.request.cache.store ?? configuration.diskCache,
            (try? await cache.metadata(for: prepared.keys.variant)) != nil
        else { return }
        try? await cache.remove(prepared.keys.variant)
    }

    /// What the disk has: the result, or what is shown while the source is asked. `decoded`: the original that this was made of.
    private func staleFromDisk(
        _ prepared: PreparedRequest, _ stale: inout CachedPicture?, _ decoded: inout DecodedImage?,
        _ job: inout SharedWork<LoadSnapshot, LoadedImage>.Job
    ) async throws(ImageError) -> DiskAnswer {
        let found: CachedPicture
        switch try await diskVariant(prepared, besides: stale, job.priority) {
        case .fresh(let result): return .fresh(result)
        case .stale(let picture): found = picture
        case .miss:
            guard prepared.request.cache.lookup == .revalidate, stale == nil,
                let made = try await storedOriginal(prepared, job.priority)
            else { return .miss }
            (found, decoded) = (made.picture, made.original)
        }
        if prepared.request.cache.lookup == .revalidate, stale == nil {
            job = job.showing(LoadedImage(image: found.image, origin: .disk, freshness: found.freshness))
        }
        stale = stale ?? found
        return .miss
    }

    /// The picture made of its stored original, however old that is. Nil: there is none, or it cannot be decoded any more, which the
    /// rest of the load will find out.
    private func storedOriginal(
        _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> (picture: CachedPicture, original: DecodedImage)? {
        let options = prepared.request.cache
        guard options.readsOriginal(isPicture: prepared.keys.isStoredResponse), prepared.keys.allowsStoring,
            let cache = originalCache(options),
            let entry = try? await cache.entry(for: prepared.keys.storage, touch: options.countsUses),
            !entry.metadata.isPartial, let freshness = freshness(of: entry.metadata, for: prepared)
        else { return nil }
        do throws(ImageError) {
            let original = try await decode(
                entry.bytes, prepared.request.decode, priority, prepared, prepared.request.context)
            let image = try await transformed(original, prepared, priority)
            observer.note(prepared.id, .stale(prepared.keys.storage))
            return (CachedPicture(image: image, freshness: freshness, expiration: options.memoryExpiration), original)
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
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
                stored.freshness.isFresh(at: configuration.time.now), !prepared.request.asksAboutFreshness
            else { return .miss }
            if Self.isSame(known.freshness, stored.freshness, .disk) { return .fresh(renewed(known, stored.freshness, prepared)) }
        }
        let entry: CacheEntry?
        do throws(ImageError) {
            entry = try await observer.stage(.cache, prepared.id) { () throws(ImageError) in
                try await cache.entry(for: prepared.keys.variant, touch: prepared.request.cache.countsUses)
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
        guard !isOlder(entry.metadata, than: await storedOriginal(of: prepared), prepared) else {
            observer.note(prepared.id, .stale(prepared.keys.variant))
            // It would be the newest again once its original leaves the cache.
            try? await cache.remove(prepared.keys.variant)
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
            case .automatic, .loaderOnly:
                entry.metadata.freshness.isFresh(at: configuration.time.now) && !prepared.request.asksAboutFreshness
            }
        guard isFresh else {
            observer.note(prepared.id, .stale(prepared.keys.variant))
            return .stale(picture)
        }
        observer.note(prepared.id, .diskHit(prepared.keys.variant))
        keepInMemory(picture, prepared)
        await forgetIfReplaced(prepared.keys.variant, madeOf: entry.metadata, prepared)
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
    func read(_ bytes: [UInt8], with serializer: any CacheSerializer) async throws(ImageError) -> DecodedImage? {
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
        let result = LoadedImage(image: picture.image, origin: origin, freshness: freshness)
        if freshness.forbidsStoring {
            await forget(prepared)
            return result
        }
        let options = prepared.request.cache
        keepInMemory(picture, prepared)
        if prepared.keys.variant != prepared.keys.storage, let cache = options.store ?? configuration.diskCache,
            var metadata = try? await cache.metadata(for: prepared.keys.variant)
        {
            metadata.freshness = freshness
            try? await cache.update(metadata, for: prepared.keys.variant)
        }
        return result
    }

    /// Two pictures of one representation: a validator that both have and that is equal (RFC 9110 §8.8). Of bytes that were sent once
    /// more, although the server knew the validator, only a strong tag says so.
    private static func isSame(_ stored: Freshness, _ current: Freshness, _ origin: LoadedImage.Origin) -> Bool {
        if let etag = stored.etag, let other = current.etag {
            return origin == .network ? HTTPValidators.strongMatch(etag, other) : etag == other
        }
        if origin == .network { return false }
        if stored.etag == nil, current.etag == nil, let modified = stored.lastModified { return modified == current.lastModified }
        return false
    }

    /// The stored picture is of a time before the bytes that are stored now: others came since, for another request of this source.
    func isOlder(_ variant: CacheEntryMetadata, than original: CacheEntryMetadata?, _ prepared: PreparedRequest) -> Bool {
        guard let original, !original.isPartial, variant.storedAt < original.storedAt,
            freshness(of: original, for: prepared) != nil
        else { return false }
        // Stored while the clock was ahead: nothing that is made of it could ever be newer.
        guard original.storedAt <= configuration.time.now else {
            let (made, newest) = (variant.freshness, original.freshness)
            return made.etag != newest.etag || made.lastModified != newest.lastModified || made.freshUntil != newest.freshUntil
        }
        guard let etag = variant.freshness.etag, let other = original.freshness.etag else { return true }
        return !HTTPValidators.strongMatch(etag, other)
    }

    static func snapshot(of progress: FetchProgress) -> LoadSnapshot {
        var snapshot = LoadSnapshot()
        snapshot.bytesReceived = progress.bytes.count
        snapshot.bytesExpected = progress.expected
        return snapshot
    }
}

extension SharedWork<LoadSnapshot, LoadedImage>.Job {
    /// Publishes the stale picture, now and with all that follows: who is slow, or comes later, sees only the newest snapshot.
    fileprivate func showing(_ stale: LoadedImage) -> Self {
        var first = LoadSnapshot()
        first.stale = stale
        publish(first)
        return Self(id: id, priority: priority) { [publish] snapshot in
            var snapshot = snapshot
            snapshot.stale = stale
            publish(snapshot)
        }
    }
}

extension FetchedBytes {
    /// As a result has them.
    func encoded(as image: DecodedImage) -> EncodedImage? {
        guard case .encoded(var encoded) = content else { return nil }
        encoded.format = image.metadata.format
        encoded.freshness = freshness
        return encoded
    }
}

extension ResolvedRequest {
    /// The request itself says how fresh the answer must be (RFC 9111 §5.2.1): that is asked of the stored response, each time.
    var asksAboutFreshness: Bool {
        guard !hasStandardDownload, !download.headers.isEmpty else { return false }
        let wishes = CacheDirectives(download.headers)
        return ["no-cache", "max-age", "min-fresh"].contains { wishes.contains($0) }
            || (wishes.all.isEmpty && CacheDirectives(download.headers, field: "Pragma").noCache)
    }
}

extension ResolvedRequest {
    /// The request itself says how old what stands in may be (RFC 5861 §4), which only the stored response can be asked.
    fileprivate var limitsStandIns: Bool {
        !hasStandardDownload && !download.headers.isEmpty && CacheDirectives(download.headers).contains("stale-if-error")
    }
}
