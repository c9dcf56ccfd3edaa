public import GannetCore
import Synchronization

/// The decoded frames of one animation, shared by all its players, decoded ahead on `BlockingExecutor.decoding`.
///
/// One frame is decoded at a time: file formats build each frame on the one before. What is decoded next, and what goes first
/// when memory is short, is decided by which frame some player needs soonest.
public final class FrameBuffer: Sendable {
    public let image: AnimatedImage
    public let transformer: (any ImageTransformer)?
    private let budget: FrameBudget
    private let executor: BlockingExecutor
    private let time: any TimeSource
    private let state = Mutex(State())

    /// Names one player of the buffer.
    struct Client: Hashable, Sendable { let number: UInt64 }

    private struct Viewer {
        /// Soonest first; the first is on screen or should be.
        var wants: [Int] = []
        var isPlaying = false
        /// Bytes this player allows; nil: its share of the budget.
        var limit: Int?
        var onFrame: @Sendable (Int) -> Void
    }

    private struct State {
        var frames: [Int: Entry] = [:]
        /// The frame that was expanded last: it is asked for again as long as it is on screen.
        var expanded: (index: Int, bitmap: Bitmap)?
        var failed: [Int: ImageError] = [:]
        var viewers: [Client: Viewer] = [:]
        var bytes = 0
        /// How many frames may be kept.
        var room = 2
        var clock: UInt64 = 0
        var isPumping = false
        var keepsAll = false
        /// How long a frame takes to decode, lately.
        var pace = Duration.zero
        /// Counts purges, so that a frame decoded before one is not kept after it.
        var epoch = 0
        var decoded = 0

        /// The wanted frames there is room for, soonest first: the two that each player needs next always, others as far as
        /// they fit. Decoding ahead and throwing away agree on this set, so that neither undoes the other's work.
        private func needed() -> [Int] {
            var rank: [Int: Int] = [:]
            for viewer in viewers.values {
                for (position, frame) in viewer.wants.enumerated() { rank[frame] = min(rank[frame] ?? .max, position) }
            }
            let order = rank.sorted { $0.value != $1.value ? $0.value < $1.value : $0.key < $1.key }
            return order.enumerated().filter { $0.element.value < 2 || keepsAll || $0.offset < room }.map(\.element.key)
        }

        func nextMissing() -> Int? { needed().first { frames[$0] == nil && failed[$0] == nil } }

        /// What goes: frames nobody waits for, the ones shown last first, because in a loop they are due last.
        func victims() -> [Int] {
            guard frames.count > room else { return [] }
            let needed = Set(needed())
            let free = frames.filter { !needed.contains($0.key) }.sorted { $0.value.used > $1.value.used }
            return free.prefix(frames.count - max(room, needed.count)).map(\.key)
        }

        mutating func drop(_ index: Int) {
            guard let entry = frames.removeValue(forKey: index) else { return }
            bytes -= entry.bytes
            if expanded?.index == index { expanded = nil }
        }
    }

    private struct Entry {
        var pixels: WaitingFrame
        var bytes: Int
        var used: UInt64
    }

    init(
        image: AnimatedImage, transformer: (any ImageTransformer)? = nil, budget: FrameBudget, executor: BlockingExecutor,
        time: any TimeSource
    ) {
        self.image = image
        self.transformer = transformer
        self.budget = budget
        self.executor = executor
        self.time = time
    }

    deinit { budget.forget(ObjectIdentifier(self)) }

    // MARK: What is there

    /// Nil if the frame is not decoded now.
    public func frame(at index: Int) -> Bitmap? {
        let waiting = state.withLock { state -> WaitingFrame? in
            guard let entry = state.frames[index] else { return nil }
            state.clock += 1
            state.frames[index]?.used = state.clock
            if let expanded = state.expanded, expanded.index == index { return .whole(expanded.bitmap) }
            return entry.pixels
        }
        switch waiting {
        case .none: return nil
        case .whole(let bitmap): return bitmap
        case .paletted(let frame):
            guard let bitmap = try? frame.expanded() else { return nil }
            state.withLock { if $0.frames[index] != nil { $0.expanded = (index, bitmap) } }
            return bitmap
        }
    }

    /// Why a frame cannot be decoded; it is not tried again until ``purge()``.
    public func error(at index: Int) -> ImageError? { state.withLock { $0.failed[index] } }

    public var allFramesLoaded: Bool { state.withLock { $0.frames.count == image.frameCount } }
    public var loadedFrames: [Int] { state.withLock { $0.frames.keys.sorted() } }
    /// Bytes of the decoded frames held.
    public var byteCount: Int { state.withLock { $0.bytes } }
    /// Frames decoded since the buffer was made; what tests and metrics count.
    public var decodedFrames: Int { state.withLock { $0.decoded } }
    var pace: Duration { state.withLock { $0.pace } }

    // MARK: Players

    func add(_ client: Client, limit: Int?, onFrame: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.viewers[client] = Viewer(limit: limit, onFrame: onFrame) }
    }

    func remove(_ client: Client) {
        state.withLock { _ = $0.viewers.removeValue(forKey: client) }
        settle()
    }

    /// Says what a player needs, soonest first, and starts decoding what is missing.
    func want(_ frames: [Int], isPlaying: Bool, by client: Client) {
        let changed = state.withLock { state -> Bool in
            guard let viewer = state.viewers[client] else { return false }
            if viewer.wants == frames, viewer.isPlaying == isPlaying { return false }
            state.viewers[client]?.wants = frames
            state.viewers[client]?.isPlaying = isPlaying
            return true
        }
        if changed { settle() }
    }

    /// Drops what no player shows.
    public func purge() {
        state.withLock { state in
            state.epoch += 1
            state.keepsAll = false
            state.failed = [:]
            let shown = Set(state.viewers.values.compactMap(\.wants.first))
            for index in Array(state.frames.keys) where !shown.contains(index) { state.drop(index) }
            // Standing clips want nothing until they are looked at again.
            for (client, viewer) in state.viewers where !viewer.isPlaying {
                state.viewers[client]?.wants = Array(viewer.wants.prefix(1))
            }
        }
        settle()
    }

    /// Decodes every frame and keeps them until ``purge()``, whatever the budget says. - SDWebImage: preloadAllFrames
    public func preloadAll() async throws(ImageError) {
        state.withLock { $0.keepsAll = true }
        for index in 0..<image.frameCount where state.withLock({ $0.frames[index] == nil }) {
            let frame = try await decode(index)
            keep(frame, at: index, took: nil, epoch: state.withLock { $0.epoch })
        }
    }

    // MARK: Decoding ahead

    private func decode(_ index: Int) async throws(ImageError) -> WaitingFrame {
        let image = image
        let transformer = transformer
        return try await executor.run { () throws(ImageError) -> WaitingFrame in
            var frame = try image.blockingFrame(at: index)
            if let transformer {
                frame = try transformer.transform(frame, context: TransformContext(metadata: image.metadata, frame: index))
            }
            return WaitingFrame(frame, isHeldElsewhere: frame.identity == image.poster.identity)
        }
    }

    private func keep(_ frame: WaitingFrame, at index: Int, took: Duration?, epoch: Int) {
        let listeners = state.withLock { state -> [@Sendable (Int) -> Void] in
            state.decoded += 1
            if let took { state.pace = state.pace == .zero ? took : (state.pace * 3 + took) / 4 }
            let isWanted = state.viewers.values.contains { $0.wants.contains(index) }
            guard state.epoch == epoch || isWanted else { return [] }
            state.drop(index)
            state.clock += 1
            let bytes = cost(of: frame)
            state.frames[index] = Entry(pixels: frame, bytes: bytes, used: state.clock)
            state.bytes += bytes
            return state.viewers.values.map(\.onFrame)
        }
        trim()
        for listener in listeners { listener(index) }
    }

    /// The poster is held by the image anyway.
    private func cost(of frame: WaitingFrame) -> Int {
        switch frame {
        case .whole(let bitmap): bitmap.identity == image.poster.identity ? 0 : bitmap.byteCount
        case .paletted(let frame): frame.byteCount
        }
    }

    /// Makes room, reports, and decodes on if something is missing.
    private func settle() {
        trim()
        let starts = state.withLock { state -> Bool in
            guard !state.isPumping, state.nextMissing() != nil else { return false }
            state.isPumping = true
            return true
        }
        // Unstructured, because players are driven by a synchronous tick. It ends by itself as soon as no player wants a
        // missing frame, which is also how it is cancelled: a player that goes away takes its wishes with it.
        if starts { Task { await pump() } }
    }

    private func pump() async {
        while let (index, epoch) = nextJob() {
            let start = time.uptime
            let result: Result<WaitingFrame, ImageError>
            do throws(ImageError) { result = .success(try await decode(index)) } catch { result = .failure(error) }
            switch result {
            case .success(let frame): keep(frame, at: index, took: time.uptime - start, epoch: epoch)
            case .failure(let error):
                let listeners = state.withLock { state -> [@Sendable (Int) -> Void] in
                    state.failed[index] = error
                    return state.viewers.values.map(\.onFrame)
                }
                for listener in listeners { listener(index) }
            }
        }
    }

    private func nextJob() -> (Int, Int)? {
        state.withLock { state in
            guard let index = state.nextMissing() else {
                state.isPumping = false
                return nil
            }
            return (index, state.epoch)
        }
    }

    /// Keeps as many frames as the share allows, those needed soonest; at least the one on screen and the next.
    private func trim() {
        let share = budget.share
        let posterBytes = image.poster.byteCount
        let (bytes, isPlaying) = state.withLock { state -> (Int, Bool) in
            let isPlaying = state.viewers.values.contains(where: \.isPlaying)
            if !state.keepsAll {
                let allowed = state.viewers.values.compactMap(\.limit).max() ?? share
                // By the largest frame there is: those of few colours are small.
                let largest = state.frames.values.map(\.bytes).max() ?? 0
                state.room = max(allowed / max(largest > 0 ? largest : posterBytes, 1), 2)
                for index in state.victims() { state.drop(index) }
            }
            if state.viewers.isEmpty, !state.keepsAll { for index in Array(state.frames.keys) { state.drop(index) } }
            return (state.bytes, isPlaying)
        }
        budget.report(self, bytes: bytes, isPlaying: isPlaying)
    }
}
