public import GannetCore
import Synchronization

/// What was cancelled by name, so that a load that has begun, and joins its work only later, ends too.
final class Cancellations: Sendable {
    private struct State {
        var all: UInt64 = 0
        /// By ``ImageSource/keyText``.
        var sources: [String: UInt64] = [:]
    }

    /// A load takes its number, and joins its work a moment later: of these the newest are enough.
    private static let maximumSources: UInt64 = 10_000

    private let state = Mutex(State())
    private let count = Atomic<UInt64>(0)

    /// Cancellations so far: what a load remembers when it begins.
    var now: UInt64 { count.load(ordering: .sequentiallyConsistent) }

    /// Nil: every load.
    func note(_ sourceText: String?) {
        state.withLock { state in
            let number = count.add(1, ordering: .sequentiallyConsistent).newValue
            guard let sourceText else {
                state.all = number
                state.sources = [:]
                return
            }
            state.sources[sourceText] = number
            guard state.sources.count > Self.maximumSources else { return }
            state.sources = state.sources.filter { $0.value > number - Self.maximumSources / 2 }
        }
    }

    /// Whether a load of this source that began at `moment` was cancelled since.
    func happened(to source: ImageSource, since moment: UInt64) -> Bool {
        guard now != moment else { return false }
        let text = source.keyText
        return state.withLock { max($0.all, $0.sources[text] ?? 0) > moment }
    }
}

extension ImageManager {
    /// Cancels every load that has begun, also one whose task has not run yet. - SDWebImage: cancelAll
    public func cancelAll() {
        // First: what joins from here on sees it, what has joined is told below.
        cancellations.note(nil)
        variants.abandon()
        steps.abandon()
        originals.abandon()
        transfers.abandon()
    }

    /// Cancels every load of this source that has begun, whatever is made of it and whoever waits for it: each ends with the error
    /// `cancelled`. Those of other sources go on, also where this one stands in for theirs as an alternative, and where a key filter
    /// takes both for one. - Kingfisher: ImageDownloader.cancel(url:)
    public func cancel(_ source: ImageSource) {
        let text = source.keyText
        cancellations.note(text)
        variants.abandon { RequestKeys.isJob($0, of: text) }
        originals.abandon { RequestKeys.isJob($0, of: text) }
        transfers.abandon { RequestKeys.isJob($0, of: text) }
    }
}
