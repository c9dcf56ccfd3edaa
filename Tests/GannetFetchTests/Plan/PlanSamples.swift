import GannetCore
import GannetFetch

/// Facts for the tests of the plan, each with its name in the tables of Documentation/LoadPlan.md. Samples with one name differ
/// only in what must not matter, and lie on both sides of every moment.
enum PlanSamples {
    struct Named<Value: Sendable>: Sendable {
        var name: String
        var value: Value
    }

    static let now = Timestamp(milliseconds: 1_000_000)
    private static let soon = Timestamp(milliseconds: 1_000_001)
    private static let before = Timestamp(milliseconds: 999_999)

    static func stored(
        freshUntil: Timestamp? = nil, unreachableUntil: Timestamp? = nil, serverErrorUntil: Timestamp? = nil,
        storedAt: Timestamp = now, verdict: HTTPVerdict? = nil, mayFallBack: Bool? = nil, newest: NewestOriginal = .unknown
    ) -> LoadFinding {
        var facts = StoredFacts(
            freshUntil: freshUntil, unreachableUntil: unreachableUntil, serverErrorUntil: serverErrorUntil)
        (facts.storedAt, facts.verdict, facts.mayFallBack, facts.newest) = (storedAt, verdict, mayFallBack, newest)
        return .stored(facts)
    }

    private static func named(_ name: String, _ values: LoadFinding...) -> [Named<LoadFinding>] {
        values.map { Named(name: name, value: $0) }
    }

    private static let absent = named("unread", .unread) + named("nothing", .nothing)

    /// Stored after its original, at the same moment, from the same bytes, or while the clock was ahead: never void.
    private static let current: [(Timestamp, NewestOriginal)] = [
        (now, .unknown), (now, .stored(at: before, resemblance: [])), (before, .stored(at: before, resemblance: [])),
        (before, .stored(at: now, resemblance: .sameBytes)), (before, .stored(at: soon, resemblance: .identical)),
        (before, .stored(at: now, resemblance: [.sameBytes, .identical])),
    ]

    private static let void = named(
        "void", stored(newest: .gone), stored(storedAt: before, newest: .stored(at: now, resemblance: [])),
        stored(storedAt: before, newest: .stored(at: now, resemblance: .identical)),
        stored(freshUntil: now, storedAt: now, newest: .stored(at: soon, resemblance: .sameBytes)),
        stored(unreachableUntil: soon, serverErrorUntil: soon, mayFallBack: true, newest: .gone))

    /// Of an image: in memory, on disk, of another source.
    static let images =
        absent + void
        + current.flatMap { storedAt, newest in
            named(
                "fresh", stored(freshUntil: soon, storedAt: storedAt, newest: newest),
                stored(unreachableUntil: before, storedAt: storedAt, newest: newest))
                + named(
                    "stale", stored(freshUntil: now, storedAt: storedAt, newest: newest),
                    stored(freshUntil: before, unreachableUntil: soon, storedAt: storedAt, newest: newest))
        }

    /// One of each name, for sums over several tiers.
    static let fewImages: [Named<LoadFinding>] =
        absent + [void[1]] + named("fresh", stored(freshUntil: soon)) + named("stale", stored(freshUntil: now))

    /// The verdict of HTTP counts, whatever the end of freshness says.
    static let originals =
        fewImages
        + [soon, now].flatMap { until in
            named("HTTP: use", stored(freshUntil: until, verdict: .use))
                + named("HTTP: use and revalidate", stored(freshUntil: until, verdict: .useAndRevalidate))
                + named("HTTP: ask", stored(freshUntil: until, verdict: .ask))
        }

    /// By the failures that they allow. An image that is no fallback for one kind of failure may still be one for the other.
    static func fallbacks(for failure: LoadFailure) -> [Named<LoadFinding>] {
        let isServerError = if case .status(let status) = failure { [500, 502, 503, 504].contains(status) } else { false }
        let combinations = [now, before, soon, nil].flatMap { unreachable in
            [now, before, soon, nil].map { serverError in
                Named(
                    name: failure == .unreachable && unreachable == soon || isServerError && serverError == soon
                        ? "allows" : "refuses",
                    value: stored(freshUntil: before, unreachableUntil: unreachable, serverErrorUntil: serverError))
            }
        }
        return absent + void + combinations
    }

    static func originalFallbacks(for failure: LoadFailure) -> [Named<LoadFinding>] {
        fallbacks(for: failure) + named("HTTP allows", stored(freshUntil: before, mayFallBack: true))
            + named(
                "HTTP refuses", stored(freshUntil: before, unreachableUntil: soon, serverErrorUntil: soon, mayFallBack: false))
    }

    static let failures: [LoadFailure] =
        [.unreachable, .final] + [200, 404, 499, 500, 501, 502, 503, 504, 505].map { .status($0) }

    static let allDemands: [LoadDemands] = (0..<64).map { LoadDemands(rawValue: $0) }
    static let allArrivals: [LoadArrival] = (0..<16).map { LoadArrival(rawValue: $0) }
}
