import Synchronization

/// Counts the bytes of pixels that wait to be encoded.
final class Unencoded: Sendable {
    private let bytes = Atomic(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// False: with these there are more than the limit.
    func enter(_ count: Int) -> Bool { bytes.add(count, ordering: .relaxed).newValue <= limit }

    func leave(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
}
