package import GannetCore
import GannetImages
import GannetPlatform
import Synchronization

/// The decoded frames of one animation, shared by all its players, decoded ahead on `BlockingExecutor.decoding`.
/// Decodes one frame at a time, because most formats build each frame on the previous one. How soon players need a frame
/// decides what is decoded and what is dropped.
package final class FrameBuffer: Sendable {
    /// The animation.
    package let image: AnimatedImage
    /// Transforms each frame, once for all players; nil: frames are kept as decoded.
    package let transformer: (any ImageTransformer)?
    private let budget: FrameBudget
    private let executor: BlockingExecutor
    private let time: any TimeSource
    private let state: Mutex<State>

    /// Identifies one player of the buffer.
    struct Client: Hashable, Sendable { let number: UInt64 }

    init(
        image: AnimatedImage, transformer: (any ImageTransformer)? = nil, budget: FrameBudget, executor: BlockingExecutor,
        time: any TimeSource
    ) {
        self.image = image
        self.transformer = transformer
        self.budget = budget
        self.executor = executor
        self.time = time
        state = Mutex(State(count: image.frameCount, shortestDelay: image.delays.min()))
    }

    deinit { budget.forget(ObjectIdentifier(self)) }

    // MARK: State

    /// Nil if the frame is not decoded now.
    package func frame(at index: Int) -> Bitmap? {
        let waiting = state.withLock { state -> WaitingFrame? in
            guard state.frames.indices.contains(index), let entry = state.frames[index] else { return nil }
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

    /// Why a frame cannot be decoded; it is not retried until ``purge()``.
    package func error(at index: Int) -> ImageError? { state.withLock { $0.failed[index] } }
    /// True while no frame has to be decoded again. - SDWebImage: allFramesLoaded
    package var allFramesLoaded: Bool { state.withLock { $0.kept == image.frameCount } }
    /// Indices of the decoded frames that are held, ascending.
    package var loadedFrames: [Int] { state.withLock { state in state.frames.indices.filter { state.frames[$0] != nil } } }
    /// Bytes of the decoded frames that are held.
    package var byteCount: Int { state.withLock { $0.bytes } }
    /// Frames decoded since the buffer was created; for tests and metrics.
    package var decodedFrames: Int { state.withLock { $0.decoded } }
    var pace: Duration { state.withLock { $0.pace } }

    // MARK: Players

    func add(_ client: Client, limit: Int?, onFrame: @escaping @Sendable (Int) -> Void) {
        state.withLock { state in
            state.viewers.removeAll { $0.client == client }
            state.viewers.append(Viewer(client: client, limit: limit, onFrame: onFrame))
        }
    }

    /// Takes over frames that another buffer has decoded of the same, since grown, source.
    func adopt(from other: FrameBuffer) {
        // Values that are not objects are never identical.
        guard other !== self, other.image.source as AnyObject === image.source as AnyObject else { return }
        let (frames, pace) = other.state.withLock { ($0.frames, $0.pace) }
        state.withLock { state in
            for (index, entry) in frames.enumerated().prefix(state.frames.count) where state.frames[index] == nil {
                guard let entry else { continue }
                state.frames[index] = entry
                state.failed[index] = nil
                state.kept += 1
                state.bytes += entry.bytes
                state.largest = max(state.largest, entry.bytes)
                state.clock = max(state.clock, entry.used)
            }
            if state.pace == .zero { state.pace = pace }
        }
    }

    func remove(_ client: Client) {
        let isAlone = state.withLock { state in
            state.viewers.removeAll { $0.client == client }
            return state.viewers.isEmpty
        }
        settle()
        if isAlone { rest() }
    }

    /// Sets the frames that a player needs, soonest first, and starts decoding missing ones.
    func want(_ frames: [Int], isPlaying: Bool, by client: Client) {
        let share = budget.share
        let (isSettled, stands) = state.withLock { state -> (Bool, Bool) in
            guard let place = state.viewers.firstIndex(where: { $0.client == client }) else { return (true, false) }
            let wasPlaying = state.viewers[place].isPlaying
            if wasPlaying == isPlaying, state.viewers[place].wants == frames { return (true, false) }
            // Reuse the array: one allocation less for every frame.
            state.viewers[place].wants.removeAll(keepingCapacity: true)
            state.viewers[place].wants.append(contentsOf: frames)
            state.viewers[place].isPlaying = isPlaying
            let isSettled = state.isComplete && share == state.share && wasPlaying == isPlaying
            return (isSettled, wasPlaying && !state.viewers.contains(where: \.isPlaying))
        }
        // The last playing player has stopped, for an unknown time.
        if stands { rest() }
        if !isSettled { settle() }
    }

    /// Drops the frames that no player shows.
    package func purge() {
        let isPlaying = state.withLock { state in
            state.epoch += 1
            state.keepsAll = false
            state.failed = [:]
            state.largest = 0
            let shown = state.viewers.compactMap(\.wants.first)
            for index in state.frames.indices where !shown.contains(index) { state.drop(index) }
            // Paused animations need nothing until the next tick.
            for place in state.viewers.indices where !state.viewers[place].isPlaying {
                state.viewers[place].wants = Array(state.viewers[place].wants.prefix(1))
            }
            return state.viewers.contains(where: \.isPlaying)
        }
        // While playing, keep the decoder: the next frame would have to restart it.
        if !isPlaying { rest() }
        settle()
    }

    /// Decodes every frame and keeps them while the buffer lives, until ``purge()``. Ignores the share of the budget, even for
    /// a paused animation when others need the memory. If a frame fails or the task is cancelled, the budget applies again.
    /// - SDWebImage: preloadAllFrames
    package func preloadAll() async throws(ImageError) {
        state.withLock { ($0.keepsAll, $0.preloads) = (true, $0.preloads + 1) }
        defer { restIfOwed(endsPreload: true) }
        do throws(ImageError) {
            for index in 0..<image.frameCount where state.withLock({ $0.frames[index] == nil }) {
                let frame = try await decode(index)
                keep(frame, at: index, took: nil, epoch: state.withLock { $0.epoch })
            }
        } catch {
            // Not all can be kept, so the budget decides again.
            state.withLock { $0.keepsAll = false }
            settle()
            throw error
        }
    }

    // MARK: Decoding ahead

    private func decode(_ index: Int) async throws(ImageError) -> WaitingFrame {
        use()
        let image = image
        let transformer = transformer
        return try await image.frame(at: index, on: executor) { frame throws(ImageError) -> WaitingFrame in
            var frame = frame
            if let transformer {
                var context = TransformContext(metadata: image.metadata, frame: index)
                context.isAnimated = true
                frame = try transformer.transform(frame, context: context)
            }
            return WaitingFrame(frame, isHeldElsewhere: frame.identity == image.poster.identity)
        }
    }

    /// Makes the source keep its decoder.
    private func use() {
        guard state.withLock({ $0.use == nil }) else { return }
        let new = FrameUse(image.source)
        let unused = state.withLock { state -> FrameUse? in
            if state.use != nil { return new }
            state.use = new
            return nil
        }
        withExtendedLifetime(unused) {}
    }

    /// Releases the decoder for now, or after the running decode, because a source cannot release a decoder in use.
    /// `isComplete`: every frame is kept.
    private func rest(isComplete: Bool = false) {
        let (isLater, old) = state.withLock { state -> (Bool, FrameUse?) in
            state.owesRest = !isComplete && (state.isPumping || state.preloads > 0)
            return state.owesRest ? (true, nil) : (false, state.use.take())
        }
        if !isLater, old == nil { image.source.rest() }
        // Released here, outside the lock.
        withExtendedLifetime(old) {}
    }

    private func restIfOwed(endsPreload: Bool = false) {
        let isDue = state.withLock { state in
            if endsPreload { state.preloads -= 1 }
            guard !state.isPumping, state.preloads == 0 else { return false }
            defer { state.owesRest = false }
            return (state.owesRest || state.viewers.isEmpty) && !state.viewers.contains(where: \.isPlaying)
        }
        if isDue { rest() }
    }

    private func keep(_ frame: WaitingFrame, at index: Int, took: Duration?, epoch: Int) {
        let listeners = state.withLock { state -> [@Sendable (Int) -> Void] in
            state.decoded += 1
            if let took { state.pace = state.pace == .zero ? took : (state.pace * 3 + took) / 4 }
            let isWanted = state.viewers.contains { $0.wants.contains(index) }
            guard state.epoch == epoch || isWanted else { return [] }
            state.drop(index)
            state.clock += 1
            let bytes = cost(of: frame)
            state.frames[index] = Entry(pixels: frame, bytes: bytes, used: state.clock)
            state.kept += 1
            // It may have failed before; count it once.
            state.failed[index] = nil
            state.bytes += bytes
            state.largest = max(state.largest, bytes)
            return state.viewers.map(\.onFrame)
        }
        if trim() { rest(isComplete: true) }
        for listener in listeners { listener(index) }
    }

    /// The poster costs nothing: the image holds it anyway.
    private func cost(of frame: WaitingFrame) -> Int {
        switch frame {
        case .whole(let bitmap): bitmap.identity == image.poster.identity ? 0 : bitmap.byteCount
        case .paletted(let frame): frame.byteCount
        }
    }

    /// Makes room, reports to the budget, and continues decoding if frames are missing.
    private func settle() {
        trim()
        let starts = state.withLock { state -> Bool in
            guard !state.isPumping, state.isShort() else { return false }
            state.isPumping = true
            return true
        }
        // Unstructured, because a synchronous tick drives players. It ends, or is effectively cancelled, as soon as no player
        // needs a missing frame; a removed player takes its needs with it. On the thread that decodes, which then wakes no other one between
        // two frames.
        if starts { Task(executorPreference: executor) { await self.pump() } }
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
                    if state.frames[index] == nil { state.failed[index] = error }
                    return state.viewers.map(\.onFrame)
                }
                for listener in listeners { listener(index) }
            }
            // Another animation may wait for its first frame.
            if executor.hasWaitingJobs { await Task.yield() }
        }
        restIfOwed()
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

    /// Keeps the frames needed soonest that fit the share; at least the one on screen and the next. True: all are kept.
    @discardableResult private func trim() -> Bool {
        let share = budget.share
        let posterBytes = image.poster.byteCount
        let (news, isComplete) = state.withLock { state -> (FrameBudget.Report?, Bool) in
            state.share = share
            let isPlaying = state.viewers.contains(where: \.isPlaying)
            if !state.keepsAll {
                let allowed = state.viewers.map { $0.limit ?? share }.max() ?? share
                // By the largest frame so far: frames with few colours are small.
                state.room = max(allowed / max(state.largest > 0 ? state.largest : posterBytes, 1), 2)
                for index in state.victims() { state.drop(index) }
            }
            if state.viewers.isEmpty, !state.keepsAll { state.dropAll() }
            let isComplete = state.kept == state.frames.count
            if let told = state.told, told == (state.bytes, isPlaying) { return (nil, isComplete) }
            state.told = (state.bytes, isPlaying)
            state.reports += 1
            return (FrameBudget.Report(bytes: state.bytes, isPlaying: isPlaying, number: state.reports), isComplete)
        }
        if let news { budget.report(self, news) }
        return isComplete
    }
}
