import GannetCore
import GannetImages

// Thousands at once.

func manyCases() -> [Case] {
    [
        Case(
            name: "20,000 started, all cancelled", count: 20_000,
            gannet: { count in
                let (manager, requests) = (makeManager(FakeOrigin(isOpen: false)), makeRequests(count))
                return {
                    let tasks = requests.map { manager.task(for: $0) }
                    manager.cancelAll()
                    for task in tasks { _ = try? await task.value }
                }
            },
            baseline: { count in
                let (baseline, urls) = (makeBaseline(FakeOrigin(isOpen: false)), makeURLs(count))
                return {
                    let tasks = urls.map { baseline.start($0) }
                    baseline.cancelAll()
                    for task in tasks { _ = try? await task.value }
                }
            }, guarded: "all cancelled"),
        coldInTurn("20,000 images, in turn", 20_000),
        Case(
            name: "20,000 images, at once", count: 20_000,
            gannet: { count in
                let (manager, requests) = (makeManager(FakeOrigin()), makeRequests(count))
                return {
                    let tasks = requests.map { manager.task(for: $0) }
                    for task in tasks { _ = try await task.value }
                }
            },
            baseline: { count in
                let (baseline, urls) = (makeBaseline(FakeOrigin()), makeURLs(count))
                return {
                    let tasks = urls.map { baseline.start($0) }
                    for task in tasks { _ = try await task.value }
                }
            }),
        Case(
            name: "20,000 prefetched", count: 20_000,
            gannet: { count in
                let (manager, requests) = (makeManager(FakeOrigin()), makeRequests(count))
                let prefetcher = ImagePrefetcher(manager: manager)
                return { _ = await prefetcher.prefetch(requests).wait() }
            },
            baseline: { count in
                let (baseline, urls) = (makeBaseline(FakeOrigin()), makeURLs(count))
                return { await baseline.prefetch(urls) }
            }),
    ]
}
