public import GannetCore

/// Why a request hits, misses or is stale now, tier by tier, in words. Nothing is loaded, decoded or counted as a use.
public struct LoadExplanation: Sendable, CustomStringConvertible {
    /// What a place has; `notAsked`: the request, or the manager, leaves that place out.
    public enum State: String, Hashable, Sendable {
        /// There, and used as it is.
        case fresh
        /// There, but its source is asked before or after it is shown.
        case stale
        /// Not there.
        case miss
        /// Left out.
        case notAsked
    }

    /// One place that a load would look at.
    public struct Step: Sendable {
        /// What was looked at: "picture in memory", "picture on disk", "original on disk", "source".
        public var place: String
        /// `stale`: there, but its source would be asked before or after it is shown, as the request's lookup policy says.
        public var state: State
        /// One sentence with the reason and the times.
        public var reason: String
    }

    /// In the order of a load; it ends with the first place that answers.
    public var steps: [Step]
    /// What a load would do now.
    public var verdict: String
    /// Under which the request's picture and its original are looked for.
    public var keys: RequestKeys

    /// Several lines for people.
    public var description: String {
        steps.map { "\($0.place): \($0.state.rawValue) (\($0.reason))" }.joined(separator: "\n") + "\n→ \(verdict)"
    }
}

extension ImageManager {
    /// See ``LoadExplanation``. Reads metadata from the disk. (S3-27)
    public func explain(_ request: ImageRequest) async throws(ImageError) -> LoadExplanation {
        let prepared = await prepare(try begin(request))
        let options = prepared.request.cache
        let now = configuration.time.now
        var steps: [LoadExplanation.Step] = []

        let lookup = options.lookup

        let memory = memoryStep(prepared, now)
        steps.append(memory)
        if Self.isUsed(memory, lookup) { return explanation(steps, "The picture is shown from memory at once.", prepared) }

        let diskCache = options.store ?? configuration.diskCache
        if prepared.keys.variant != prepared.keys.storage {
            let step = await diskStep(
                "picture on disk", prepared.keys.variant, diskCache, options.read.contains(.disk), prepared, now)
            steps.append(step)
            if Self.isUsed(step, lookup) {
                return explanation(steps, "The stored picture is decoded; the source is not asked.", prepared)
            }
        }
        let originalCache = originalCache(options)
        let original = await diskStep(
            "original on disk", prepared.keys.storage, originalCache,
            options.readsOriginal(isPicture: prepared.keys.isStoredResponse), prepared, now)
        steps.append(original)
        return explanation(steps, verdict(original, prepared), prepared)
    }

    /// Without a question to the source.
    private static func isUsed(_ step: LoadExplanation.Step, _ lookup: LookupPolicy) -> Bool {
        switch lookup {
        case .automatic, .loaderOnly: step.state == .fresh
        case .cacheFirst, .cacheOnly: step.state == .fresh || step.state == .stale
        case .revalidate: false
        }
    }

    private func explanation(
        _ steps: [LoadExplanation.Step], _ verdict: String, _ prepared: PreparedRequest
    ) -> LoadExplanation {
        LoadExplanation(steps: steps, verdict: verdict, keys: prepared.keys)
    }

    private func memoryStep(_ prepared: PreparedRequest, _ now: Timestamp) -> LoadExplanation.Step {
        let place = "picture in memory"
        guard configuration.memoryCache != nil else {
            return .init(place: place, state: .notAsked, reason: "this manager has no memory cache")
        }
        if let reason = reasonNotToAsk(prepared, isAllowed: prepared.request.cache.read.contains(.memory)) {
            return .init(place: place, state: .notAsked, reason: reason)
        }
        switch lookUpMemory(prepared) {
        case .fresh(let picture), .stale(let picture):
            return .init(
                place: place, state: picture.freshness.isFresh(at: now) ? .fresh : .stale,
                reason: Self.age(picture.freshness, now))
        case .miss: return .init(place: place, state: .miss, reason: "not there")
        }
    }

    private func diskStep(
        _ place: String, _ key: CacheKey, _ cache: (any ImageCaching)?, _ isAllowed: Bool, _ prepared: PreparedRequest,
        _ now: Timestamp
    ) async -> LoadExplanation.Step {
        guard let cache else { return .init(place: place, state: .notAsked, reason: "this manager has no disk cache") }
        if let reason = reasonNotToAsk(prepared, isAllowed: isAllowed) {
            return .init(place: place, state: .notAsked, reason: reason)
        }
        do throws(ImageError) {
            guard let metadata = try await cache.metadata(for: key) else {
                return .init(place: place, state: .miss, reason: "not there, or expired")
            }
            if metadata.isPartial { return .init(place: place, state: .miss, reason: "only a part, kept for resuming") }
            return .init(
                place: place, state: metadata.freshness.isFresh(at: now) ? .fresh : .stale,
                reason: "stored \(Self.text(now - metadata.storedAt)) ago, " + Self.age(metadata.freshness, now))
        } catch { return .init(place: place, state: .miss, reason: error.message) }
    }

    private func reasonNotToAsk(_ prepared: PreparedRequest, isAllowed: Bool) -> String? {
        if prepared.request.cache.lookup == .loaderOnly { return "the request asks the source only" }
        if !prepared.keys.allowsStoring {
            return "a key filter, a hook without an identifier, or a file that cannot be looked at forbids caching"
        }
        return isAllowed ? nil : "the request does not read this tier"
    }

    private func verdict(_ original: LoadExplanation.Step, _ prepared: PreparedRequest) -> String {
        let (lookup, source) = (prepared.request.cache.lookup, prepared.request.source)
        if Self.isUsed(original, lookup) { return "The stored original is decoded; the source is not asked." }
        let download = prepared.request.download
        if lookup != .cacheOnly, fetcher.savesData, let low = download.lowDataSource {
            return "Data is to be saved: \(low.redactedDescription) is loaded in the source's place."
        }
        if lookup != .cacheOnly, isLeftAlone(prepared) {
            let rest = download.alternatives.isEmpty ? "the load fails with blocked" : "its alternatives are asked"
            return original.state == .stale && lookup == .automatic
                ? "The source failed before and is not asked again yet: what is stored stands in if it may, else \(rest)."
                : "The source failed before and is not asked again yet: \(rest)."
        }
        return switch (original.state, lookup) {
        case (_, .cacheOnly): "The load fails with cacheMiss, because only the cache is allowed."
        case (.fresh, .revalidate):
            "The source is asked, because the request wants that although the stored copy is fresh; a 304 keeps it."
        case (.stale, _): "The source is asked whether the stored copy is still good; a 304 keeps it."
        default: "The source is loaded: \(source.redactedDescription)."
        }
    }

    /// It failed a moment ago. What is on this machine is looked at each time.
    private func isLeftAlone(_ prepared: PreparedRequest) -> Bool {
        let (request, source) = (prepared.request, prepared.request.source)
        let loader = request.download.loader ?? configuration.loaders.loader(for: source)
        return loader?.isRemote == true && !request.schedule.retryFailedSources
            && fetcher.failedSources.isListed(source, storedAt: prepared.keys.storage)
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
