import GannetCore
import GannetFetch

/// Caches and a source that the plan is carried out on, as a load does it, and without any of its work.
struct PlanWorld {
    /// Contents of the tiers, which the load does not know before it has read them.
    var tiers: LoadFacts
    /// The answer of the source.
    var answer: LoadAnswer
    var lookup: LookupPolicy
    var demands: LoadDemands

    /// The steps of the last load, in order.
    private(set) var steps: [LoadStep] = []

    init(
        memory: LoadFinding, alternative: LoadFinding = .nothing, disk: LoadFinding = .nothing, original: LoadFinding = .nothing,
        answer: LoadAnswer, lookup: LookupPolicy, demands: LoadDemands = []
    ) {
        tiers = LoadFacts(lookup: lookup, now: PlanSamples.now)
        (tiers.memory, tiers.alternative, tiers.disk, tiers.original) = (memory, alternative, disk, original)
        (self.answer, self.lookup, self.demands) = (answer, lookup, demands)
    }

    /// No load needs more steps: four tiers are read and one is discarded, the source is contacted, and the load ends.
    static let maximumSteps = 10

    /// One load from the first step to the last. `handingOver`: as a manager and its fetcher, of which each reads its own tiers.
    mutating func load(handingOver: Bool = false) {
        steps = []
        var facts = LoadFacts(lookup: lookup, demands: demands, now: PlanSamples.now)
        (facts.memory, facts.alternative, facts.disk, facts.original) = (.unread, .unread, .unread, .unread)
        while steps.count < Self.maximumSteps {
            let step = LoadPlan.next(facts)
            steps.append(step)
            switch step {
            case .read(.original) where handingOver && !facts.showsStored: return fetch(besides: facts)
            case .ask where handingOver: return fetch(besides: facts)
            case .read(let tier): facts[tier] = tiers[tier]
            case .discard(let tier):
                tiers[tier] = .nothing
                facts[tier] = .nothing
            case .ask: facts.answer = answer
            case .renew(let tier, let keeping): return keep(keeping, tier)
            case .make(let keeping): return keep(keeping, nil)
            case .deliver, .fallback, .fail: return
            }
        }
    }

    /// The fetcher reads the original alone. A failure that it has no fallback for is the manager's, and what arrives as well.
    private mutating func fetch(besides held: LoadFacts) {
        steps.removeLast()
        var facts = LoadFacts(lookup: lookup, demands: demands, now: PlanSamples.now)
        facts.original = .unread
        while steps.count < Self.maximumSteps {
            var step = LoadPlan.next(facts)
            if step == .fail(.failure) || facts.answer.hasArrived {
                var held = held
                held.answer = facts.answer
                step = LoadPlan.next(held)
            }
            steps.append(step)
            switch step {
            case .read(let tier): facts[tier] = tiers[tier]
            case .discard(let tier): facts[tier] = .nothing
            case .ask: facts.answer = answer
            case .renew(let tier, let keeping): return keep(keeping, tier)
            case .make(let keeping): return keep(keeping, nil)
            default: return
            }
        }
    }

    /// An image that is kept is fresh from then on.
    private mutating func keep(_ keeping: LoadKeeping, _ renewed: LoadTier?) {
        let kept = PlanSamples.stored(freshUntil: Timestamp(milliseconds: PlanSamples.now.milliseconds + 1))
        switch keeping {
        case .keep: (tiers[.memory], tiers[.disk], tiers[.original]) = (kept, kept, kept)
        case .keepApart: tiers[.alternative] = kept
        // The fetcher removes the stored response of such an answer.
        case .forget: (tiers[.memory], tiers[.disk], tiers[.original]) = (.nothing, .nothing, .nothing)
        case .drop: break
        }
    }
}

extension LoadAnswer {
    fileprivate var hasArrived: Bool { if case .arrived = self { true } else { false } }
}

extension LoadFacts {
    subscript(tier: LoadTier) -> LoadFinding {
        get {
            switch tier {
            case .memory: memory
            case .alternative: alternative
            case .disk: disk
            case .original: original
            }
        }
        set {
            switch tier {
            case .memory: memory = newValue
            case .alternative: alternative = newValue
            case .disk: disk = newValue
            case .original: original = newValue
            }
        }
    }
}

extension LoadStep {
    var isAsking: Bool { if case .ask = self { true } else { false } }
    var isReading: Bool { if case .read = self { true } else { false } }
    var isFallback: Bool { if case .fallback = self { true } else { false } }

    /// It ends the load with an image.
    var hasImage: Bool {
        switch self {
        case .deliver, .renew, .make, .fallback: true
        case .read, .discard, .ask, .fail: false
        }
    }

    var isLast: Bool { if case .fail = self { true } else { hasImage } }
}
