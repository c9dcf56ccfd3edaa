import GannetCore
import Synchronization

/// Tells the caches that requests bring along apart, each for as long as it lives: its address may be another's afterwards.
final class OwnCaches: Sendable {
    /// One for the process: managers may share a memory cache, where a number must mean one cache.
    static let shared = OwnCaches()

    private struct Known {
        weak var cache: (any ImageCaching & AnyObject)?
        var number: UInt64
    }

    private struct State {
        var known: [ObjectIdentifier: Known] = [:]
        var count: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Nil where there is none, or it is the manager's.
    func name(of cache: (any ImageCaching)?, besides manager: (any ImageCaching)?) -> String? {
        guard let cache, cache.sharingIdentity != manager?.sharingIdentity else { return nil }
        guard type(of: cache) is AnyObject.Type, let object = cache as? any ImageCaching & AnyObject else {
            return cache.identifier
        }
        let address = ObjectIdentifier(object)
        let number = state.withLock { state in
            if let known = state.known[address], known.cache != nil { return known.number }
            // Seldom: a program has few of them.
            state.known = state.known.filter { $0.value.cache != nil }
            state.count += 1
            state.known[address] = Known(cache: object, number: state.count)
            return state.count
        }
        return "#\(number)"
    }
}
