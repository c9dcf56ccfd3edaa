import GannetCore
import GannetPlatform
import Synchronization

/// The stored form of a body that is still arriving: known when the whole has been stored.
final class BodyReceipt: Sendable {
    private let known: Mutex<(identity: Digest128?, copy: StoredCopy?)>

    init(_ identity: Digest128? = nil) { known = Mutex((identity, nil)) }

    /// Of a body that is not stored.
    static let none = BodyReceipt()

    var identity: Digest128? { known.withLock { $0.identity } }
    /// The entry that was stored of the body.
    var copy: StoredCopy? { known.withLock { $0.copy } }

    func note(_ copy: StoredCopy) { known.withLock { $0 = (copy.metadata.identity, copy) } }
}

/// A body on its way from the server to its reader, stored when it is whole. The reader's pace is that of the transfer.
///
/// The bytes are held once: chunks are shared with the reader, and of an array that the reader fills only the length is remembered
/// until the end.
final class BodyIntake: Sendable {
    /// Where the bytes go.
    struct Outlet: Sendable {
        /// Longer bodies are passed on and not stored.
        var maximumBytes: Int
        /// The length that the whole must have; nil: any.
        var count: Int?
        /// Called once, before the reader learns of the end.
        var whole: @Sendable (ByteRope) async -> Void
        /// Called if the whole has another length: the part that it begins with is of no use.
        var misfit: @Sendable () async -> Void = {}
        /// Called with the bytes so far when a transfer breaks off, and while a long one runs. Nil: it could not be continued.
        var part: (@Sendable (ByteRope) async -> Void)?
    }

    private struct State {
        /// Chunks that were pulled.
        var rope = ByteRope()
        /// Where the bytes after them begin in the reader's array, and how many there are.
        var start = 0
        var inArray = 0
        var isKept = true
        var times: PartTimes
    }

    private let body: ByteStream
    private let outlet: Outlet
    /// Equal requests wait until it goes.
    private let place: ForwardLine.Place?
    private let time: any TimeSource
    private let state: Mutex<State>

    init(_ body: ByteStream, to outlet: Outlet, place: ForwardLine.Place?, time: any TimeSource) {
        self.body = body
        self.outlet = outlet
        self.place = place
        self.time = time
        state = Mutex(State(times: PartTimes(since: time.uptime)))
    }

    var stream: ByteStream {
        ByteStream { () async throws(ImageError) in
            try await self.next()
        } into: { (bytes, patience) async throws(ImageError) in
            try await self.next(into: &bytes, patience)
        }
    }

    private func next() async throws(ImageError) -> [UInt8]? {
        // Earlier bytes are in the reader's array alone.
        if state.withLock({ $0.inArray > 0 }) { giveUp() }
        do throws(ImageError) {
            guard let chunk = try await body.next() else {
                try await end([])
                return nil
            }
            let isTooLong = state.withLock { state in
                guard state.isKept else { return false }
                state.rope.appendMerging(chunk)
                return state.rope.count > outlet.maximumBytes
            }
            if isTooLong { giveUp() }
            await keepSoFar([])
            return chunk
        } catch {
            await broke(error, [])
            throw error
        }
    }

    private func next(into bytes: inout [UInt8], _ patience: Int) async throws(ImageError) -> Bool {
        let before = bytes.count
        let isContinued = state.withLock { state in
            if state.inArray == 0 { state.start = before }
            return before == state.start + state.inArray
        }
        if !isContinued { giveUp() }
        do throws(ImageError) {
            guard try await body.next(into: &bytes, patience: patience) else {
                try await end(bytes)
                return false
            }
            let isTooLong = state.withLock { state in
                state.inArray = bytes.count - state.start
                return state.isKept && state.rope.count + state.inArray > outlet.maximumBytes
            }
            if isTooLong { giveUp() }
            await keepSoFar(bytes)
            return true
        } catch {
            await broke(error, bytes)
            throw error
        }
    }

    private func giveUp() {
        state.withLock { state in
            state.isKept = false
            state.rope = ByteRope()
        }
        place?.leave()
    }

    /// All bytes; nil if they are not kept. `array` is the reader's.
    private func bytes(_ array: [UInt8]) -> ByteRope? {
        let (rope, start, isKept) = state.withLock { ($0.rope, $0.start, $0.isKept) }
        guard isKept else { return nil }
        if rope.isEmpty, start == 0 { return ByteRope(array) }
        var all = rope
        if start < array.count { all.append(Array(array[start...])) }
        all.isComplete = true
        return all
    }

    private func end(_ array: [UInt8]) async throws(ImageError) {
        defer { place?.leave() }
        guard let whole = bytes(array) else { return }
        if let count = outlet.count, whole.count != count {
            await outlet.misfit()
            throw BrokenTransfer.cannotContinue
        }
        await outlet.whole(whole)
    }

    private func keepSoFar(_ array: [UInt8]) async {
        guard let part = outlet.part else { return }
        let isDue = state.withLock { $0.isKept && $0.times.isDue(at: time.uptime) }
        if isDue, let bytes = bytes(array) { await part(bytes) }
    }

    private func broke(_ error: ImageError, _ array: [UInt8]) async {
        defer { place?.leave() }
        guard let part = outlet.part, BrokenTransfer.mayContinue(after: error), let bytes = bytes(array) else { return }
        await part(bytes)
    }
}

extension ByteStream {
    /// These bytes, then those of `rest`.
    static func joined(_ rope: ByteRope, _ rest: ByteStream?) -> ByteStream {
        let first = FirstChunks(rope)
        return ByteStream { () async throws(ImageError) in
            if let chunk = first.next() { return chunk }
            return try await rest?.next()
        } into: { (bytes, patience) async throws(ImageError) in
            if first.takeAll(into: &bytes) { return true }
            return try await rest?.next(into: &bytes, patience: patience) ?? false
        }
    }
}

private final class FirstChunks: Sendable {
    private let chunks: Mutex<ArraySlice<[UInt8]>>

    init(_ rope: ByteRope) { chunks = Mutex(rope.chunks[...]) }

    func next() -> [UInt8]? { chunks.withLock { $0.popFirst() } }

    /// False: there are none.
    func takeAll(into bytes: inout [UInt8]) -> Bool {
        let all = chunks.withLock { chunks in
            defer { chunks = [] }
            return chunks
        }
        for chunk in all {
            if bytes.isEmpty, bytes.capacity <= chunk.count { bytes = chunk } else { bytes.append(contentsOf: chunk) }
        }
        return !all.isEmpty
    }
}
