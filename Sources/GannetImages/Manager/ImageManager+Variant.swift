import GannetCore
import GannetFetch
import GannetPlatform

// The job behind one image: stored variant, else original, transform, store.

extension ImageManager {
    func makeVariant(
        _ prepared: PreparedRequest, _ keys: JobKeys, _ memory: CachedImage?, _ job: Job<LoadSnapshot>
    ) async throws(ImageError) -> LoadedImage {
        let clock = configuration.time
        let start = clock.uptime
        var look = TierLook(memory, facts: LoadFacts(prepared, now: clock.now))
        if let result = try await lookUpTiers(prepared, &look, job) { return result }
        var timings = LoadTimings()
        timings.cache = clock.uptime - start

        var fetched: FetchedBytes?
        if let held = look.held {
            switch try await revalidate(held, &look.facts, prepared, keys, job) {
            case .image(let result): return result
            case .bytes(let bytes): fetched = bytes
            }
        }

        let prefetched = fetched
        let beginning = prefetched == nil ? cachedBeginning(prepared) : nil
        let original: DecodedOriginal
        if let beginning {
            original = beginning.picture
        } else {
            (original, _) = try await originals.step(
                keys.original, of: job, onProgress: { job.publish($0) },
                work: { [self] inner throws(ImageError) in try await self.makeOriginal(prepared, keys, prefetched, inner) })
        }
        timings.load = original.loadTime
        timings.decode = original.decodeTime

        let transformStart = clock.uptime
        let image = try await stepwise(original.image, prepared, after: beginning?.count ?? 0, job)
        timings.transform = clock.uptime - transformStart
        look.facts.answer = .arrived(LoadArrival(original.freshness, image, isOfOtherSource: original.standIn != nil))
        if case .make(let keeping) = LoadPlan.next(look.facts) { await finish(image, original, keeping, prepared) }
        return LoadedImage(
            image: image, origin: original.origin,
            encoded: prepared.request.transform.transformers.isEmpty ? original.encoded : nil, freshness: original.freshness,
            timings: timings)
    }

    /// The result of revalidating a stale image.
    private enum Revalidated {
        /// The stale image: confirmed, or in place of a failure.
        case image(LoadedImage)
        /// Another image is made of these.
        case bytes(FetchedBytes)
    }

    private func revalidate(
        _ held: TierLook.Held, _ facts: inout LoadFacts, _ prepared: PreparedRequest, _ keys: JobKeys,
        _ job: Job<LoadSnapshot>
    ) async throws(ImageError) -> Revalidated {
        let bytes: FetchedBytes
        do throws(ImageError) {
            bytes = try await fetch(prepared, keys.transfer, for: job)
        } catch {
            // Of several sources it is the image's own that decides.
            let own = (error.underlying as? SourcesExhausted)?.errors.first ?? error
            facts.now = configuration.time.now
            facts.answer = .failed(LoadFailure(own))
            if generations.happened(.changed, to: prepared.keys.variant, since: prepared.begun) {
                facts.demands.insert(.changesSource)
            }
            guard case .fallback = LoadPlan.next(facts) else { throw error }
            let origin = held.tier == .memory ? LoadedImage.Origin.memory : .disk
            return .image(LoadedImage(image: held.picture.image, origin: origin, freshness: held.picture.freshness))
        }
        var arrival = LoadArrival(bytes.freshness, isOfOtherSource: bytes.isStandIn(for: prepared.request))
        if held.picture.freshness.matches(bytes.freshness, isSentAgain: bytes.origin == .network) { arrival.insert(.matches) }
        facts.answer = .arrived(arrival)
        guard case .renew(_, let keeping) = LoadPlan.next(facts) else { return .bytes(bytes) }
        return .image(await renewed(held, bytes, keeping, prepared))
    }

    /// The source confirmed the stored image: nothing is decoded, only its date changes.
    private func renewed(
        _ held: TierLook.Held, _ bytes: FetchedBytes, _ keeping: LoadKeeping, _ prepared: PreparedRequest
    ) async -> LoadedImage {
        let freshness = bytes.freshness
        let image = held.picture.image
        observer.note(prepared.id, .revalidated(prepared.keys.variant))
        let origin = bytes.wasRevalidated ? LoadedImage.Origin.revalidated : bytes.origin
        var result = LoadedImage(image: image, origin: origin, freshness: freshness)
        if prepared.request.transform.transformers.isEmpty {
            result.encoded = bytes.encoded(as: image)
            // The stored image may have another format than its original.
            if let original = result.encoded?.bytes { result.encoded?.format = configuration.coders.format(of: original) }
        }
        if keeping == .keep { await renew(held.picture, freshness, prepared) } else { await forget(prepared) }
        // Nothing but the original was stored.
        if let decoded = held.original {
            let original = DecodedOriginal(
                image: decoded, encoded: bytes.encoded(as: decoded), origin: origin, freshness: freshness,
                stored: bytes.metadata.map { StoredCopy(key: bytes.storageKey, metadata: $0) })
            await finish(image, original, keeping, prepared)
        }
        return result
    }

    private func renew(_ stale: CachedImage, _ freshness: Freshness, _ prepared: PreparedRequest) async {
        var picture = stale
        picture.freshness = freshness
        keepInMemory(picture, prepared)
        let cache = prepared.request.cache.store ?? configuration.diskCache
        guard prepared.keys.variant != prepared.keys.storage, let cache,
            var metadata = try? await cache.metadata(for: prepared.keys.variant)
        else { return }
        metadata.freshness = freshness
        try? await cache.update(metadata, for: prepared.keys.variant)
    }

    /// Stores an image that was made of its original, as the plan says.
    private func finish(
        _ image: DecodedImage, _ original: DecodedOriginal, _ keeping: LoadKeeping, _ prepared: PreparedRequest
    ) async {
        switch keeping {
        case .keep:
            store(picture(image, original.freshness, prepared), original, prepared)
            await forgetIfReplaced(prepared.keys.variant, madeOf: original.stored?.metadata, prepared)
            if prepared.keys.isDecodedOnly { noteSize(of: image, at: prepared.keys.variant, prepared) }
        case .keepApart:
            if let source = original.standIn { keepStandIn(image, from: source, original, prepared) }
        case .forget: await forget(prepared)
        case .drop: break
        }
    }

    private func forget(_ prepared: PreparedRequest) async {
        guard prepared.keys.allowsStoring else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(prepared.keys.variant))
        guard prepared.keys.variant != prepared.keys.storage, let cache = prepared.request.cache.store ?? configuration.diskCache,
            (try? await cache.metadata(for: prepared.keys.variant)) != nil
        else { return }
        try? await cache.remove(prepared.keys.variant)
    }

    static func snapshot(of progress: FetchProgress) -> LoadSnapshot {
        var snapshot = LoadSnapshot()
        snapshot.progress = LoadProgress(progress)
        return snapshot
    }
}

extension FetchedBytes {
    /// The bytes as a result has them, with format and freshness.
    func encoded(as image: DecodedImage) -> EncodedImage? {
        guard case .encoded(var encoded) = content else { return nil }
        encoded.format = image.metadata.format
        encoded.freshness = freshness
        return encoded
    }
}
