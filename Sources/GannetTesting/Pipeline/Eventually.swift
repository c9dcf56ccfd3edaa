/// Waits, on the caller's actor, until something is true that other tasks or threads bring about. Instead of sleeping, and without
/// guessing how many turns that takes on a busy machine. False if it is still not true after `limit`; then a test fails, and does
/// not hang. Where hundreds of tests decode pictures at once, a task may wait minutes for a processor: the limit is no measure.
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
