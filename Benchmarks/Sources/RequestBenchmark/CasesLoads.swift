import GannetCore
import GannetImages

// Loads of one image at a time, and waiters that share one. Requests are made beforehand.

func loadCases() -> [Case] {
    [
        coldInTurn("cold", 2000, guarded: "cold"), coldInTurn("cold, baseline with a queue", 2000, by: makeBaselineWithQueue),
        joined("joined", 1000, guarded: "joined"),
        startedAndCancelled("started and cancelled", 1000, guarded: "started and cancelled"),
        cancelled("cancelled at once", 2000, atOnce: true, guarded: "cancelled at once"),
        cancelled("cancelled at its origin", 2000, atOnce: false),
    ]
}

/// One load after the other, each of another image.
func coldInTurn(
    _ name: String, _ count: Int, by makeBaseline: @escaping (FakeOrigin) -> Baseline = makeBaseline, guarded: String? = nil
) -> Case {
    Case(
        name: name, count: count,
        gannet: { count in
            let (manager, requests) = (makeManager(FakeOrigin()), makeRequests(count))
            return { for request in requests { _ = try await manager.image(for: request) } }
        },
        baseline: { count in
            let (baseline, urls) = (makeBaseline(FakeOrigin()), makeURLs(count))
            return { for url in urls { _ = try await baseline.image(for: url) } }
        }, guarded: guarded)
}

/// Waiters for a load that runs already; it ends when all of them wait.
func joined(_ name: String, _ count: Int, guarded: String? = nil) -> Case {
    Case(
        name: name, count: count,
        gannet: { count in
            let origin = FakeOrigin(isOpen: false)
            let (manager, request) = (makeManager(origin), makeRequests(1)[0])
            let first = Task { try await manager.image(for: request) }
            await origin.isReached(by: 1)
            return {
                let waiters = (0..<count).map { _ in Task { try await manager.image(for: request) } }
                try await until { manager.waiterCount == count + 1 }
                origin.open()
                for waiter in waiters { _ = try await waiter.value }
                _ = try await first.value
            }
        },
        baseline: { count in
            let origin = FakeOrigin(isOpen: false)
            let (baseline, url) = (makeBaseline(origin), makeURLs(1)[0])
            let first = Task { try await baseline.image(for: url) }
            await origin.isReached(by: 1)
            return {
                let waiters = (0..<count).map { _ in Task { try await baseline.image(for: url) } }
                try await until { baseline.waiterCount == count + 1 }
                origin.open()
                for waiter in waiters { _ = try await waiter.value }
                _ = try await first.value
            }
        }, guarded: guarded)
}

/// As in a list that was scrolled on: many loads have started and wait, most of them for a slot, and each is cancelled. The baseline has
/// no slots: its loads all wait for the origin.
private func startedAndCancelled(_ name: String, _ count: Int, guarded: String) -> Case {
    Case(
        name: name, count: count,
        gannet: { count in
            let (manager, requests) = (makeManager(FakeOrigin(isOpen: false)), makeRequests(count))
            return {
                let tasks = requests.map { manager.task(for: $0) }
                try await until { manager.waiterCount == count }
                for task in tasks { task.cancel() }
                for task in tasks { _ = try? await task.value }
            }
        },
        baseline: { count in
            let origin = FakeOrigin(isOpen: false)
            let (baseline, urls) = (makeBaseline(origin), makeURLs(count))
            return {
                let tasks = urls.map { baseline.start($0) }
                await origin.isReached(by: count)
                for task in tasks { task.cancel() }
                for task in tasks { _ = try? await task.value }
            }
        }, guarded: guarded)
}

/// One load after the other, cancelled before its task has run (mostly, where there is more than one processor), or once its transfer
/// waits for the origin.
private func cancelled(_ name: String, _ count: Int, atOnce: Bool, guarded: String? = nil) -> Case {
    Case(
        name: name, count: count,
        gannet: { count in
            let origin = FakeOrigin(isOpen: false)
            let (manager, requests) = (makeManager(origin), makeRequests(count))
            return {
                for (index, request) in requests.enumerated() {
                    let task = manager.task(for: request)
                    if !atOnce { await origin.isReached(by: index + 1) }
                    task.cancel()
                    _ = try? await task.value
                }
            }
        },
        baseline: { count in
            let origin = FakeOrigin(isOpen: false)
            let (baseline, urls) = (makeBaseline(origin), makeURLs(count))
            return {
                for (index, url) in urls.enumerated() {
                    let task = baseline.start(url)
                    if !atOnce { await origin.isReached(by: index + 1) }
                    task.cancel()
                    _ = try? await task.value
                }
            }
        }, guarded: guarded)
}
