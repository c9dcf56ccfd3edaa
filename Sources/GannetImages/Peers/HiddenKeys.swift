import GannetCore
import Synchronization

/// Keys that a cache no longer finds behind it. Bounded: when there are too many, it finds none there.
final class HiddenKeys: Sendable {
    private struct State {
        var isEverything = false
        /// By digest: a key more is hidden where two are equal.
        var keys: Set<Digest128> = []
        var prefixes: [String] = []
    }

    private static let maximumKeys = 1 << 18
    /// Each is compared with every key that is looked up.
    private static let maximumPrefixes = 256

    private let state = Mutex(State())

    func contains(_ key: CacheKey) -> Bool {
        state.withLock { state in
            state.isEverything || state.keys.contains(key.digest) || state.prefixes.contains { key.text.hasPrefix($0) }
        }
    }

    func insert(_ key: CacheKey) {
        state.withLock { state in
            if state.keys.count < Self.maximumKeys { state.keys.insert(key.digest) } else { state = State(isEverything: true) }
        }
    }

    /// Every key that begins with it.
    func insert(prefix: String) {
        state.withLock { state in
            if prefix.isEmpty || state.prefixes.count >= Self.maximumPrefixes {
                state = State(isEverything: true)
            } else if !state.prefixes.contains(prefix) {
                state.prefixes.append(prefix)
            }
        }
    }
}
