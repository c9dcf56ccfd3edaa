import GannetCore
import Synchronization

/// Numbers the caches that requests bring along, each for as long as it lives: its address may be another cache's afterwards.
final class RequestCaches: Sendable {
    /// Shared by all managers, because these may share a memory cache, in which each number must mean one cache.
    static let shared = RequestCaches()

    private struct Known {
        weak var cache: (any ImageCaching & AnyObject)?
        var number: UInt64
    }

    private struct State {
        var known: [ObjectIdentifier: Known] = [:]
        var count: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The name of a request's own cache in keys; nil if there is none, or if it is the manager's.
    func name(of cache: (any ImageCaching)?, besides manager: (any ImageCaching)?) -> String? {
        guard let cache, cache.sharingIdentity != manager?.sharingIdentity else { return nil }
        guard type(of: cache) is AnyObject.Type, let object = cache as? any ImageCaching & AnyObject else {
            return cache.identifier
        }
        let address = ObjectIdentifier(object)
        let number = state.withLock { state in
            if let known = state.known[address], known.cache != nil { return known.number }
            // A program has few such caches.
            state.known = state.known.filter { $0.value.cache != nil }
            state.count += 1
            state.known[address] = Known(cache: object, number: state.count)
            return state.count
        }
        return "#\(number)"
    }
}
