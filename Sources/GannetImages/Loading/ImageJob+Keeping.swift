import GannetCore
import GannetFetch
import GannetPlatform

// Keep: memory at once; the image's bytes on disk behind the result, waited for only if asked.

extension ImageJob {
    /// As the plan says, for an image that was made of its original.
    func keep(_ made: MadeImage, _ keeping: LoadKeeping) async {
        switch keeping {
        case .keep:
            store(made)
            await forgetIfReplaced(prepared.keys.variant, madeOf: made.stored?.metadata)
            if prepared.keys.isDecodedOnly { sizes.note(made.image, at: prepared.keys.variant) }
        case .keepApart:
            if let source = made.otherSource { OtherSources(pipeline: pipeline, prepared: prepared).keep(made, from: source) }
        case .forget: await forget()
        case .drop: break
        }
    }

    /// The original in memory, where the request wants that.
    func keepOriginal(_ made: MadeImage) async {
        guard request.cache.writeOriginal.contains(.memory), prepared.keys.allowsStoring else { return }
        var facts = LoadFacts(prepared, now: configuration.time.now)
        facts.answer = .arrived(LoadArrival(made.freshness, made.image, isOfOtherSource: made.otherSource != nil))
        guard LoadPlan.next(facts) == .make(.keep) else { return }
        let key = prepared.keys.decode
        pipeline.keepInMemory(cached(made.image, made.freshness), for: prepared.memoryKey(key), since: prepared.begun)
        await forgetIfReplaced(key, madeOf: made.stored?.metadata)
        sizes.note(made.image, at: key)
    }

    private var sizes: SizeFamily { SizeFamily(pipeline: pipeline, prepared: prepared) }

    /// Stores the finished image in memory, if the request allows it and the entry was not removed meanwhile.
    func keepInMemory(_ picture: CachedImage) { pipeline.keepInMemory(picture, prepared) }

    /// A new date for an image that its source has confirmed.
    func renew(_ stale: CachedImage, _ freshness: Freshness) async {
        var picture = stale
        picture.freshness = freshness
        keepInMemory(picture)
        await renewEntry(freshness)
    }

    /// The same for the entry alone.
    func renewEntry(_ freshness: Freshness) async {
        guard let cache = imageStore, var metadata = try? await cache.metadata(for: prepared.keys.variant) else { return }
        metadata.freshness = freshness
        try? await cache.update(metadata, for: prepared.keys.variant)
    }

    /// Removes the image wherever it is stored.
    func forget() async {
        guard prepared.keys.allowsStoring else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(prepared.keys.variant))
        guard let cache = imageStore, (try? await cache.metadata(for: prepared.keys.variant)) != nil else { return }
        try? await cache.remove(prepared.keys.variant)
    }

    /// Where images that differ from their original are stored.
    private var imageStore: (any ImageCaching)? {
        prepared.keys.variant == prepared.keys.storage ? nil : request.cache.store ?? configuration.diskCache
    }

    /// The same if this request may write there now.
    var writableStore: (any ImageCaching)? {
        let options = request.cache
        guard prepared.keys.allowsStoring, options.write.contains(.disk), options.diskExpiration != .expired else { return nil }
        return imageStore
    }

    /// After an image was kept: another load may have stored newer bytes while it was made, and what was in memory of the older ones
    /// went before this came.
    func forgetIfReplaced(_ key: CacheKey, madeOf made: CacheEntryMetadata?) async {
        guard let made, pipeline.generations.hasReplaced(since: prepared.begun) else { return }
        let newest = await tiers.newestOriginal()
        var facts = tiers.facts(of: made, newest: newest)
        // None is stored where there was one: its source no longer allows that.
        if newest == nil, request.cache.writesOriginal(isStoredResponse: prepared.keys.isStoredResponse) { facts.newest = .gone }
        guard facts.isVoid(at: configuration.time.now) else { return }
        configuration.memoryCache?.remove(prepared.memoryKey(key))
    }

    private func store(_ made: MadeImage) {
        let options = request.cache
        guard prepared.keys.allowsStoring else { return }
        let picture = cached(made.image, made.freshness)
        if options.memoryExpiration != .expired { keepInMemory(picture) }
        if options.summarizes, prepared.keys.variant == prepared.keys.storage {
            pipeline.summarizeOriginal(picture, made.stored, prepared)
        }
        // An image that is all of its bytes is made of them each time: what an encoder leaves of it would be another one. A loader's
        // finished image has none.
        guard let cache = writableStore, !isOriginal(made), !picture.image.isAnimated || options.serializer != nil else { return }
        let store = ImageStore(pipeline: pipeline, prepared: prepared, made: made)
        pipeline.stores.launch(pipeline.storeName(prepared.keys.variant, cache)) { () throws(ImageError) in
            try await store.write(picture, to: cache)
        }
    }

    private func isOriginal(_ made: MadeImage) -> Bool {
        prepared.keys.isStoredResponse && request.cache.serializer == nil
            && request.cache.writesOriginal(isStoredResponse: true) && (made.encoded != nil || made.origin == .memory)
    }
}

extension ImagePipeline {
    func keepInMemory(_ picture: CachedImage, _ prepared: PreparedRequest) {
        guard prepared.request.cache.write.contains(.memory), !picture.freshness.forbidsStoring else { return }
        keepInMemory(picture, for: prepared.memoryKey(prepared.keys.variant), since: prepared.begun)
    }

    /// Looks before and after: a removal at the same time finds it, or is found.
    func keepInMemory(_ picture: CachedImage, for key: CacheKey, since begun: Generations.Moment) {
        guard let memory = configuration.memoryCache, !generations.happened(.ofMemory, to: key, since: begun) else {
            return
        }
        memory.store(picture, for: key)
        if generations.happened(.ofMemory, to: key, since: begun) { memory.remove(key) }
    }
}
