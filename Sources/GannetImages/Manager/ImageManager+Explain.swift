public import GannetCore
import GannetFetch
import GannetPlatform

// The plan of a load, carried out without loading: tiers are read, and the last step is put into words.

extension ImageManager {
    /// Why a request hits, misses or is stale now, tier by tier, as several lines for people, and what a load would do. Nothing is
    /// loaded, decoded or counted as a use. Reads metadata from the disk.
    public func explain(_ request: ImageRequest) async throws(ImageError) -> String {
        try await explanation(of: request).description
    }

    package func explanation(of request: ImageRequest) async throws(ImageError) -> LoadExplanation {
        let prepared = await pipeline.prepare(try pipeline.begin(request))
        var facts = LoadFacts(prepared, now: configuration.time.now)
        var steps = [memoryStep(prepared, &facts)]
        facts.disk = StoredTiers(pipeline: pipeline, prepared: prepared).images == nil ? .nothing : .unread
        facts.original = .unread
        // The disk holds no second copy of an image that is its own original.
        var mentionsDisk = prepared.keys.variant == prepared.keys.storage
        let job = fetcher.remoteJob(
            for: ImageTransfer(pipeline: pipeline, prepared: prepared).request(LivePriority(prepared.request.schedule.priority)))
        while true {
            let step = LoadPlan.next(facts)
            switch step {
            case .read(.disk):
                steps.append(await diskStep(prepared, &facts))
                mentionsDisk = true
            case .discard(.disk): facts.disk = .nothing
            case .read(.original) where !mentionsDisk, .ask where !mentionsDisk && facts.lookup == .loaderOnly:
                // This request leaves it out.
                steps.append(await diskStep(prepared, &facts))
                mentionsDisk = true
            case .read(.original): steps.append(await originalStep(prepared, job, &facts))
            // The fetcher reads the stored response before it asks, whatever is shown.
            case .ask where facts.original == .unread: steps.append(await originalStep(prepared, job, &facts))
            default:
                return LoadExplanation(
                    steps: steps, verdict: verdict(step, facts, prepared, job),
                    gainMap: gainMapText(prepared), dynamicRange: rangeText(prepared), keys: prepared.keys)
            }
        }
    }

    private func memoryStep(_ prepared: PreparedRequest, _ facts: inout LoadFacts) -> LoadExplanation.Step {
        let place = "image in memory"
        guard configuration.memoryCache != nil else {
            return .init(place: place, state: .notAsked, reason: "this manager has no memory cache")
        }
        if let reason = reasonNotToAsk(prepared, isAllowed: prepared.request.cache.read.contains(.memory)) {
            return .init(place: place, state: .notAsked, reason: reason)
        }
        switch pipeline.lookUpMemory(prepared) {
        case .deliver(let cached), .stale(let cached, _):
            facts.memory = LoadFinding(cached)
            return .init(
                place: place, state: cached.freshness.isFresh(at: facts.now) ? .fresh : .stale,
                reason: Self.age(cached.freshness, facts.now))
        case .miss: return .init(place: place, state: .miss, reason: "not there")
        }
    }

    private func rangeText(_ prepared: PreparedRequest) -> String? {
        guard prepared.request.decode.wantsHighRange else { return nil }
        guard case .deliver(let cached) = pipeline.lookUpMemory(prepared) else {
            return "dynamic range: \(prepared.request.decode.dynamicRange), where the source has it in PQ, HLG or a gain map"
        }
        return "dynamic range: \(cached.image.bitmap.dynamicRange)"
    }

    private func gainMapText(_ prepared: PreparedRequest) -> String? {
        let found = pipeline.lookUpMemory(prepared)
        if case .deliver(let cached) = found, let map = cached.image.metadata.unusedGainMap {
            if cached.image.metadata.isStandardByGainMap {
                return "gain map: \(map), applied (standard range is what it makes of the image)"
            }
            return "gain map: \(map), left out (it belongs to an image that is brighter than standard range)"
        }
        // It is applied.
        if prepared.request.decode.wantsHighRange { return nil }
        if let text = LoadExplanation.gainMapLoss(prepared.request) { return text }
        guard case .deliver(let cached) = found else { return nil }
        return cached.image.bitmap.gainMap.map { "gain map: \($0.source.encoded)" }
    }

    private func diskStep(_ prepared: PreparedRequest, _ facts: inout LoadFacts) async -> LoadExplanation.Step {
        facts.disk = .nothing
        let cache = prepared.request.cache.store ?? configuration.diskCache
        let (step, stored) = await storedStep(
            "image on disk", prepared.keys.variant, cache, prepared.request.cache.read.contains(.disk), prepared, facts.now)
        guard let stored else { return step }
        let tiers = StoredTiers(pipeline: pipeline, prepared: prepared)
        facts.disk = .stored(tiers.facts(of: stored, newest: await tiers.newestOriginal()))
        guard LoadPlan.next(facts) == .discard(.disk) else { return step }
        return .init(place: step.place, state: .miss, reason: "made of an earlier answer than the stored original")
    }

    private func originalStep(
        _ prepared: PreparedRequest, _ job: FetchJob?, _ facts: inout LoadFacts
    ) async -> LoadExplanation.Step {
        facts.original = .nothing
        let options = prepared.request.cache
        let (step, stored) = await storedStep(
            "original on disk", prepared.keys.storage, StoredTiers(pipeline: pipeline, prepared: prepared).originals,
            options.readsOriginal(isStoredResponse: prepared.keys.isStoredResponse), prepared, facts.now)
        guard let job else { return step }
        let found = await job.look().facts
        facts.demands.formUnion(found.demands)
        if stored != nil { facts.original = found.original }
        return step
    }

    /// The entry at one key of the disk in words; its metadata where it is whole.
    private func storedStep(
        _ place: String, _ key: CacheKey, _ cache: (any ImageCaching)?, _ isAllowed: Bool, _ prepared: PreparedRequest,
        _ now: Timestamp
    ) async -> (LoadExplanation.Step, CacheEntryMetadata?) {
        func left(_ state: LoadExplanation.State, _ reason: String) -> (LoadExplanation.Step, CacheEntryMetadata?) {
            (.init(place: place, state: state, reason: reason), nil)
        }
        guard let cache else { return left(.notAsked, "this manager has no disk cache") }
        if let reason = reasonNotToAsk(prepared, isAllowed: isAllowed) { return left(.notAsked, reason) }
        do throws(ImageError) {
            guard let metadata = try await cache.metadata(for: key) else { return left(.miss, "not there, or expired") }
            if metadata.isPartial { return left(.miss, "only a part, kept for resuming") }
            let step = LoadExplanation.Step(
                place: place, state: metadata.freshness.isFresh(at: now) ? .fresh : .stale,
                reason: "stored \(Self.text(now - metadata.storedAt)) ago, " + Self.age(metadata.freshness, now))
            return (step, metadata)
        } catch { return left(.miss, error.message) }
    }

    private func reasonNotToAsk(_ prepared: PreparedRequest, isAllowed: Bool) -> String? {
        if prepared.request.cache.lookup == .loaderOnly { return "the request asks the source only" }
        if !prepared.keys.allowsStoring {
            return "a key filter, a hook without an identifier, or a file that cannot be looked at forbids caching"
        }
        return isAllowed ? nil : "the request does not read this tier"
    }

    /// The last step of the plan in words.
    private func verdict(_ step: LoadStep, _ facts: LoadFacts, _ prepared: PreparedRequest, _ job: FetchJob?) -> String {
        switch step {
        case .deliver(.memory, _), .deliver(.alternative, _): return "The image is shown from memory at once."
        case .deliver(.disk, _): return "The stored image is decoded; the source is not asked."
        case .deliver(.original, revalidating: false): return "The stored original is decoded; the source is not asked."
        case .deliver(.original, revalidating: true):
            return "The stored original is decoded and shown; the source is asked in the background."
        case .ask(let validating, let shown): return asking(validating, shown, facts, prepared, job)
        default: return "The load fails with cacheMiss, because only the cache is allowed."
        }
    }

    private func asking(
        _ validating: Bool, _ shown: LoadTier?, _ facts: LoadFacts, _ prepared: PreparedRequest, _ job: FetchJob?
    ) -> String {
        let download = prepared.request.download
        if fetcher.savesData, let low = download.lowDataSource {
            return "Data is to be saved: \(low.redactedDescription) is loaded in the source's place."
        }
        if let failure = job?.listedFailure {
            let blocked = "The source failed before and is not asked again yet: "
            switch fallback(for: failure, facts, job) {
            case .memory: return blocked + "the image in memory is the fallback."
            case .disk: return blocked + "the image on disk is the fallback."
            case .original: return blocked + "the stored original is the fallback."
            case .alternative, nil:
                return blocked + (download.alternatives.isEmpty ? "the load fails with blocked." : "its alternatives are asked.")
            }
        }
        let meanwhile = shown == nil ? "" : " Meanwhile the stored image is shown."
        if validating { return "The source is asked whether the stored copy is still good; a 304 keeps it." + meanwhile }
        return "The source is loaded: \(prepared.request.source.redactedDescription)." + meanwhile
    }

    private func fallback(for failure: LoadFailure, _ facts: LoadFacts, _ job: FetchJob?) -> LoadTier? {
        var facts = facts
        facts.answer = .failed(failure)
        guard case .fallback(let tier) = LoadPlan.next(facts) else { return nil }
        return tier
    }

    private static func age(_ freshness: Freshness, _ now: Timestamp) -> String {
        guard let until = freshness.freshUntil else { return "its source sets no end" }
        return now < until ? "fresh for \(text(until - now)) more" : "fresh until \(text(now - until)) ago"
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = duration.wholeMilliseconds / 1000
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
