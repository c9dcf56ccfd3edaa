/// Waits on the caller's actor until other tasks or threads make a condition true, instead of sleeping or counting turns.
/// Returns false if it is still not true after `limit`, so that a test fails and does not hang. `limit` is no measurement:
/// among hundreds of decoding tests, a task may wait minutes for a processor.
@discardableResult
public func eventually(
    within limit: Duration = .seconds(600), isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        if ContinuousClock.now >= end { return false }
        await Task.yield()
    }
    return true
}
