import GannetCore
import GannetFetch
import GannetPlatform
import Synchronization

/// Decodes of one file that wait for a slot together: the file is then decoded once for all their sizes.
///
/// Open until its turn comes; a later decode begins another.
final class DecodeBatch: Sendable {
    /// Shared by all members, besides the bytes.
    struct Kind: Hashable {
        var byteCount: Int
        var options: String
        var isolation: DecodeIsolation?
        var origin: ImageOrigin?
    }

    let kind: Kind
    /// Names its job.
    let key: CacheKey
    let bytes: ByteRope
    /// Without the target, which each member has.
    let options: ResolvedDecodeOptions

    private struct State {
        /// Nil: the member has left.
        var targets: [DecodeTarget?] = []
        var isOpen = true
        var outcomes: [Result<DecodedImage, ImageError>?] = []
    }

    private let state = Mutex(State())
    /// As many sizes as a page asks for, twice. More of them hold too many pixels at once.
    private static let mostMembers = 16

    init(_ kind: Kind, _ key: CacheKey, _ bytes: ByteRope, _ options: ResolvedDecodeOptions) {
        (self.kind, self.key, self.bytes, self.options) = (kind, key, bytes, options)
    }

    /// The member's place. Nil: it is closed, or full.
    func add(_ target: DecodeTarget) -> Int? {
        state.withLock { state in
            guard state.isOpen, state.targets.count < Self.mostMembers else { return nil }
            state.targets.append(target)
            return state.targets.count - 1
        }
    }

    var memberCount: Int { state.withLock { $0.targets.count { $0 != nil } } }

    /// True: no member is left.
    func leave(_ place: Int) -> Bool {
        state.withLock { state in
            state.targets[place] = nil
            return state.targets.allSatisfy { $0 == nil }
        }
    }

    /// Closes it. The targets of the members that are left, with their places; nil: it was closed already.
    func close() -> [(place: Int, target: DecodeTarget)]? {
        state.withLock { state in
            guard state.isOpen else { return nil }
            state.isOpen = false
            state.outcomes = Array(repeating: nil, count: state.targets.count)
            return state.targets.enumerated().compactMap { place, target in target.map { (place, $0) } }
        }
    }

    func put(_ outcome: Result<DecodedImage, ImageError>, at place: Int) {
        state.withLock { $0.outcomes[place] = outcome }
    }

    /// Once. Nil: there is none, and the member decodes alone.
    func take(_ place: Int) -> Result<DecodedImage, ImageError>? {
        state.withLock { state in
            guard state.outcomes.indices.contains(place) else { return nil }
            defer { state.outcomes[place] = nil }
            return state.outcomes[place]
        }
    }
}

/// The open batches.
final class DecodeBatches: Sendable {
    private struct State {
        var open: [DecodeBatch.Kind: DecodeBatch] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())
    private let jobs: JobTable<Void, Void>
    private let shared = Atomic(0)

    init(_ graph: JobGraph) { jobs = JobTable(graph) }

    /// Members of the open batches.
    var waitingCount: Int { state.withLock { Array($0.open.values) }.reduce(0) { $0 + $1.memberCount } }
    var priorities: [LoadPriority] { jobs.runningPriorities }
    var openCount: Int { state.withLock { $0.open.count } }
    /// Images so far that were made in one pass with others.
    var sharedCount: Int { shared.load(ordering: .relaxed) }

    /// Waits for its turn with others that want the same file at other sizes. Nil: decode it alone.
    func image(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ origin: ImageOrigin?, _ priority: LivePriority,
        decode: @escaping @Sendable (DecodeBatch, LivePriority) async throws(ImageError) -> Void
    ) async throws(ImageError) -> DecodedImage? {
        let (batch, place) = enter(bytes, options, origin)
        guard let place else { return nil }
        defer { if batch.leave(place) { forget(batch) } }
        _ = try await jobs.join(
            batch.key, priority: priority,
            work: { job throws(ImageError) in try await decode(batch, job.priority) })
        return try batch.take(place)?.get()
    }

    func count(_ images: Int) { shared.add(images, ordering: .relaxed) }

    /// The open batch of these bytes and options, or a new one. No place: of other bytes, decoded alone.
    func enter(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ origin: ImageOrigin?
    ) -> (DecodeBatch, place: Int?) {
        let plain = options.with(.original)
        let kind = DecodeBatch.Kind(
            byteCount: bytes.count, options: plain.keyText, isolation: options.isolation, origin: origin)
        while true {
            let batch = state.withLock { state in
                if let open = state.open[kind] { return open }
                state.next += 1
                let made = DecodeBatch(kind, CacheKey(String(state.next)), bytes, plain)
                state.open[kind] = made
                return made
            }
            // The same array, as a rule: then it is one look.
            guard batch.bytes.chunks == bytes.chunks else { return (batch, nil) }
            if let place = batch.add(options.target) { return (batch, place) }
            // Closed, or full.
            forget(batch)
        }
    }

    /// The next decode begins another.
    private func forget(_ batch: DecodeBatch) {
        state.withLock { state in
            if state.open[batch.kind] === batch { state.open[batch.kind] = nil }
        }
    }
}
