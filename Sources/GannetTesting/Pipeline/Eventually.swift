import FoundationEssentials

/// Waits on the caller's actor until other tasks or threads make a condition true, instead of sleeping or counting turns.
/// Returns false if it is still not true after `limit`, so that a test fails and does not hang.
///
/// The default is 10 s, or as many seconds as the environment variable `GANNET_PATIENCE` says: among hundreds of tests that decode, a
/// task may wait minutes for a processor.
@discardableResult
public func eventually(
    within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + (limit ?? standardPatience)
    while !condition() {
        if ContinuousClock.now >= end { return false }
        await Task.yield()
    }
    return true
}

private let standardPatience: Duration = {
    let seconds = ProcessInfo.processInfo.environment["GANNET_PATIENCE"].flatMap { Double($0) }
    return .seconds(seconds ?? 10)
}()
