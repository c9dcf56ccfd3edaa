import FoundationEssentials
import Gannet

/// Makes a thumbnail of each source. A second run continues where the first one ended: it makes what is missing.
struct ThumbnailJob: Sendable {
    struct Item: Sendable {
        var source: ImageSource
        /// The path of the thumbnail. Its extension names the format.
        var output: String
    }

    struct Report: Sendable {
        var item: Item
        var outcome: Outcome
    }

    enum Outcome: Sendable {
        case made
        /// An earlier run made the thumbnail.
        case skipped
        case failed(ImageError)
    }

    var manager = ImageManager.shared
    var size = TargetSize.fit(320, 320)
    /// Items in progress at the same time.
    var width = 8

    /// Calls `report` for each item when it ends. If the task is cancelled, items in progress fail with `cancelled`, and no further item
    /// begins.
    func run(_ items: [Item], report: (Report) -> Void) async {
        await withTaskGroup(of: Report.self) { group in
            var rest = items.makeIterator()
            for _ in 0..<width {
                if let item = rest.next() { group.addTask { await make(item) } }
            }
            for await result in group {
                report(result)
                if !Task.isCancelled, let item = rest.next() { group.addTask { await make(item) } }
            }
        }
    }

    private func make(_ item: Item) async -> Report {
        // A thumbnail is written under a temporary name and then renamed, so one that exists is complete.
        if FileManager.default.fileExists(atPath: item.output) { return Report(item: item, outcome: .skipped) }
        var request = ImageRequest(item.source, .target(size), .firstFrameOnly, .retryingFailed)
        request.cache.write = .none  // the output file is the only copy of the thumbnail
        request.download.retry = DelayRetryStrategy(maximumCount: 3, interval: .exponential(first: 0.5, maximum: 8), jitter: 0.3)
        do {
            let loaded = try await manager.image(for: request)
            try await loaded.write(to: item.output)
            return Report(item: item, outcome: .made)
        } catch {
            return Report(item: item, outcome: .failed(error))
        }
    }
}
