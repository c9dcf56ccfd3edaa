import GannetCore
import GannetFetch
import Testing

/// Properties of every load, whatever the caches have and the source answers.
@Suite struct PlanPropertyTests {
    /// Every load that begins with nothing read: tiers of every kind, every kind of answer, every lookup.
    private static func worlds(_ body: (PlanWorld) throws -> Void) rethrows -> Int {
        let images = PlanSamples.fewImages.filter { $0.value != .unread }.map(\.value)
        let originals = images + PlanSamples.originals.suffix(3).map(\.value)
        let answers: [LoadAnswer] = [
            .failed(.unreachable), .failed(.status(404)), .arrived([]), .arrived(.matches), .arrived(.forbidsStoring),
            .arrived([.matches, .forbidsStoring]), .arrived(.isOfOtherSource),
        ]
        var count = 0
        for lookup in LookupPolicy.allCases {
            for demands: LoadDemands in [[], .limitsAge, .forcesRevalidation, .onlyIfCached, .hasOwnConditions] {
                for answer in answers {
                    for memory in images {
                        for disk in images {
                            for original in originals {
                                count += 1
                                try body(
                                    PlanWorld(
                                        memory: memory, alternative: images[count % images.count], disk: disk, original: original,
                                        answer: answer, lookup: lookup, demands: demands))
                            }
                        }
                    }
                }
            }
        }
        return count
    }

    @Test func `Every load ends, reads a tier once, and asks once`() {
        let count = Self.worlds { world in
            var world = world
            world.load()
            let (steps, reads) = (world.steps, world.steps.filter(\.isReading))
            let isRight = steps.last?.isLast == true && Set(reads).count == reads.count && steps.count(where: \.isAsking) <= 1
            if !isRight { Issue.record("\(world)") }
        }
        #expect(count > 5000)
    }

    @Test func `Equal facts give equal steps`() {
        _ = Self.worlds { world in
            var (first, second) = (world, world)
            first.load()
            second.load()
            if first.steps != second.steps { Issue.record("\(world)") }
        }
    }

    @Test func `A manager and its fetcher carry out the same plan together`() {
        _ = Self.worlds { world in
            // A manager leaves the response's own verdict to the fetcher, and only shows the stored image.
            if world.lookup == .revalidate { return }
            var (whole, parts) = (world, world)
            whole.load()
            parts.load(handingOver: true)
            if whole.steps.last?.isLast == true, whole.steps.last != parts.steps.last, !Self.isRenewedElsewhere(whole, parts) {
                Issue.record("\(whole.steps) \(parts.steps)")
            }
        }
    }

    /// The stored response of the same image: a manager without an image makes it of the bytes.
    private static func isRenewedElsewhere(_ whole: PlanWorld, _ parts: PlanWorld) -> Bool {
        guard case .renew(.original, let keeping) = whole.steps.last else { return false }
        return parts.steps.last == .make(keeping)
    }

    @Test func `Only the caches: the source is never asked`() {
        _ = Self.worlds { world in
            guard world.lookup == .cacheOnly || world.demands.contains(.onlyIfCached) else { return }
            var world = world
            world.load()
            if world.steps.contains(where: \.isAsking) { Issue.record("\(world)") }
        }
    }

    @Test func `Only the source: nothing stored is read, delivered or a fallback`() {
        _ = Self.worlds { world in
            guard world.lookup == .loaderOnly else { return }
            var world = world
            world.load()
            for step in world.steps {
                switch step {
                case .ask(validating: false, showing: nil), .make, .fail: break
                case .renew: Issue.record("\(world)")
                default: Issue.record("\(world)")
                }
            }
        }
    }

    @Test func `A fresh image in memory is delivered, and nothing else is read`() {
        let fresh = PlanSamples.fewImages[3].value
        _ = Self.worlds { world in
            guard world.lookup == .automatic, world.demands.isDisjoint(with: [.limitsAge, .forcesRevalidation]) else { return }
            var world = world
            world.tiers[.memory] = fresh
            world.load()
            if world.steps != [.read(.memory), .deliver(.memory, revalidating: false)] { Issue.record("\(world)") }
        }
    }

    @Test func `A fallback is never fresher than what it replaces`() {
        _ = Self.worlds { world in
            var world = world
            world.load()
            guard case .fallback(let tier) = world.steps.last else { return }
            // It would have been delivered before the source was contacted.
            var alone = PlanWorld(memory: .nothing, answer: .failed(.final), lookup: world.lookup, demands: world.demands)
            alone.tiers[tier] = world.tiers[tier]
            alone.load()
            if alone.steps.last?.hasImage == true { Issue.record("\(world)") }
        }
    }

    @Test func `An answer that forbids storing is never delivered twice`() {
        _ = Self.worlds { world in
            guard case .arrived(let arrival) = world.answer, arrival.contains(.forbidsStoring) else { return }
            var world = world
            world.load()
            guard world.steps.last?.hasImage == true, world.steps.contains(where: \.isAsking) else { return }
            world.tiers[.alternative] = .nothing
            world.load()
            if !world.steps.contains(where: \.isAsking) || world.steps.contains(where: \.isFallback) { Issue.record("\(world)") }
        }
    }

    @Test func `What was kept is delivered to the next load, which does not ask`() {
        _ = Self.worlds { world in
            guard case .arrived(let arrival) = world.answer, arrival.isDisjoint(with: [.forbidsStoring, .isOfOtherSource]),
                world.lookup == .automatic, world.demands.isDisjoint(with: [.limitsAge, .forcesRevalidation])
            else { return }
            var world = world
            world.load()
            guard world.steps.contains(where: \.isAsking) else { return }
            world.load()
            if world.steps != [.read(.memory), .deliver(.memory, revalidating: false)] { Issue.record("\(world)") }
        }
    }

    @Test func `Only what must be revalidated is shown meanwhile`() {
        _ = Self.worlds { world in
            let tiers = world.tiers
            var world = world
            world.load()
            for case .ask(_, let tier?) in world.steps {
                if world.lookup != .revalidate || tiers[tier] == .nothing { Issue.record("\(world)") }
            }
        }
    }
}
