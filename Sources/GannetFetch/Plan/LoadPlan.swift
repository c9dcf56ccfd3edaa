package import GannetCore

/// Decides whether a stored image is delivered, revalidated, a fallback or void. Pure and total: equal facts give equal steps.
///
/// Each caller fills in the facts of the tiers that it reads, and carries out the steps. The manager hands the original and the
/// source over to the fetcher, which continues with the same plan.
/// `Documentation/LoadPlan.md` shows the plan as a table.
package enum LoadPlan {
    package static func next(_ facts: LoadFacts) -> LoadStep {
        switch facts.answer {
        case .pending: beforeAsking(facts)
        case .failed(let failure): afterFailure(failure, facts)
        case .arrived(let arrival): afterArrival(arrival, facts)
        }
    }

    private static func beforeAsking(_ facts: LoadFacts) -> LoadStep {
        var held: LoadTier?
        if facts.lookup != .loaderOnly {
            if let step = step(.memory, facts.memory, &held, facts) { return step }
            if let step = step(.alternative, facts.alternative, &held, facts) { return step }
            if let step = step(.disk, facts.disk, &held, facts) { return step }
            if let step = step(.original, facts.original, &held, facts) { return step }
        }
        if facts.lookup == .cacheOnly || facts.demands.contains(.onlyIfCached) { return .fail(.cacheMiss) }
        return .ask(validating: facts.validates, showing: facts.showsStored ? held : nil)
    }

    /// Nil: the tier neither delivers nor needs to be read. `held`: the first tier with an image whose source must be asked.
    private static func step(
        _ tier: LoadTier, _ finding: LoadFinding, _ held: inout LoadTier?, _ facts: LoadFacts
    ) -> LoadStep? {
        // Images of other sources serve only where the source's own image is missing and the source may be asked.
        if tier == .alternative, held != nil || !facts.deliversStored || facts.lookup == .cacheOnly { return nil }
        switch finding {
        case .nothing: return nil
        case .unread: return held == nil || facts.reads(tier) ? .read(tier) : nil
        case .stored(let stored):
            if stored.isVoid(at: facts.now) { return .discard(tier) }
            switch facts.verdict(on: stored) {
            case .use: return .deliver(tier, revalidating: false)
            case .useAndRevalidate: return .deliver(tier, revalidating: true)
            case .ask:
                held = held ?? tier
                return nil
            }
        }
    }

    /// The original first: its own response says most about it.
    private static func afterFailure(_ failure: LoadFailure, _ facts: LoadFacts) -> LoadStep {
        guard facts.lookup == .automatic, facts.demands.isDisjoint(with: [.forcesRevalidation, .changesSource]) else {
            return .fail(.failure)
        }
        if facts.isFallback(facts.original, for: failure) { return .fallback(.original) }
        if facts.isFallback(facts.memory, for: failure) { return .fallback(.memory) }
        if facts.isFallback(facts.disk, for: failure) { return .fallback(.disk) }
        return .fail(.failure)
    }

    private static func afterArrival(_ arrival: LoadArrival, _ facts: LoadFacts) -> LoadStep {
        let isOfOtherSource = arrival.contains(.isOfOtherSource)
        if arrival.contains(.matches), !isOfOtherSource, let tier = facts.held { return .renew(tier, arrival.keeping) }
        return .make(arrival.keeping)
    }
}

extension LoadFacts {
    /// Whether any image that was made of a response can be delivered before its source is asked.
    package var deliversStored: Bool {
        switch lookup {
        case .cacheFirst, .cacheOnly: true
        case .automatic: demands.isDisjoint(with: [.limitsAge, .forcesRevalidation])
        case .revalidate, .loaderOnly: false
        }
    }

    /// Whether stored images are judged by how fresh they are. A load that never reads them needs no verdict.
    package var obeysHTTP: Bool { lookup == .automatic || lookup == .revalidate }

    /// Whether a stored image is shown while its source is asked.
    package var showsStored: Bool { lookup == .revalidate }

    /// Whether RFC 9111 is to judge the stored response as that of a request that wants its source asked.
    package var isForced: Bool { lookup == .revalidate || demands.contains(.forcesRevalidation) }

    /// Whether a tier below a stale image is read: an image for a fresher one, the original because only HTTP can judge it. Where
    /// the stale image is shown, the fetcher reads the original meanwhile.
    fileprivate func reads(_ tier: LoadTier) -> Bool { tier == .original ? !showsStored : deliversStored }

    fileprivate func verdict(on stored: StoredFacts) -> HTTPVerdict {
        guard obeysHTTP else { return .use }
        if let verdict = stored.verdict { return verdict }
        return deliversStored && now < stored.freshUntil ? .use : .ask
    }

    /// Whether the source is asked with the validators of the stored original.
    fileprivate var validates: Bool {
        guard case .stored = original else { return false }
        return lookup != .loaderOnly && !demands.contains(.hasOwnConditions)
    }

    /// The first tier that has an image.
    fileprivate var held: LoadTier? {
        if case .stored = memory { return .memory }
        if case .stored = disk { return .disk }
        if case .stored = original { return .original }
        return nil
    }

    fileprivate func isFallback(_ finding: LoadFinding, for failure: LoadFailure) -> Bool {
        guard case .stored(let stored) = finding, !stored.isVoid(at: now) else { return false }
        if let allowed = stored.mayFallBack { return allowed }
        guard demands.isDisjoint(with: [.limitsAge, .limitsFallbacks]) else { return false }
        return switch failure {
        case .unreachable: now < stored.unreachableUntil
        case .status(let status): Freshness.errorStatuses.contains(status) && now < stored.serverErrorUntil
        case .final: false
        }
    }
}

extension StoredFacts {
    /// Whether the image was made of an earlier response than the one that is stored now.
    package func isVoid(at now: Timestamp) -> Bool {
        switch newest {
        case .unknown: return false
        case .gone: return true
        case .stored(let moment, let resemblance):
            guard storedAt < moment else { return false }
            // Stored while the clock was ahead: no image could ever be newer, so a different response shows only by its fields.
            return !resemblance.contains(moment > now ? .identical : .sameBytes)
        }
    }
}

extension LoadArrival {
    fileprivate var keeping: LoadKeeping {
        if contains(.isOfOtherSource) { return isDisjoint(with: [.forbidsStoring, .isPartial]) ? .keepApart : .drop }
        if contains(.forbidsStoring) { return .forget }
        return contains(.isPartial) ? .drop : .keep
    }
}
