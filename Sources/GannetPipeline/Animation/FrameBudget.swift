import Glibc
import Synchronization

/// Bytes that the decoded frames of all animations of a process hold together.
///
/// Every clip that plays gets an equal share; a clip that fits into its share keeps all its frames, a longer one keeps those
/// that are due next. Two frames a clip are always allowed (the one on screen and the next), so the sum may pass the
/// capacity by that much and no more. Clips that stand still give way first.
public final class FrameBudget: Sendable {
    /// An eighth of the memory that the machine or the control group allows, at most 256 MiB.
    public static let shared = FrameBudget(capacity: capacity(ofMemory: SystemMemory().availableBytes))

    /// Bytes of the frames of all clips; passed only by the two frames that each clip may always hold.
    public let capacity: Int
    private let state = Mutex(State())
    private let watcher = Mutex<MemoryPressureWatcher?>(nil)

    private struct State {
        var clips: [ObjectIdentifier: Clip] = [:]
        var bytes = 0
        var playing = 0
    }

    private struct Clip {
        weak var buffer: FrameBuffer?
        var bytes: Int
        var isPlaying: Bool
        var number: Int
    }

    /// What a clip holds, after so many reports of its own: two threads may bring them in another order.
    struct Report {
        var bytes: Int
        var isPlaying: Bool
        var number: Int
    }

    /// In bytes; less than zero counts as zero.
    public init(capacity: Int) { self.capacity = max(capacity, 0) }

    func follow(_ new: MemoryPressureWatcher) { watcher.withLock { $0 = new } }

    /// Bytes of frames held now.
    public var usedBytes: Int { state.withLock { $0.bytes } }
    /// Clips with at least one player that plays.
    public var playingClips: Int { state.withLock { $0.playing } }

    /// Drops every frame that is not on screen; they are decoded again when they are due. For memory pressure.
    public func purge() {
        let buffers = state.withLock { $0.clips.values.compactMap(\.buffer) }
        for buffer in buffers { buffer.purge() }
    }

    /// Bytes that one playing clip may hold.
    var share: Int { state.withLock { capacity / max($0.playing, 1) } }

    /// Notes what a clip holds now. Answers the clips that must give way because the capacity is passed.
    func report(_ buffer: FrameBuffer, _ report: Report) {
        let victims = state.withLock { state -> [FrameBuffer] in
            let key = ObjectIdentifier(buffer)
            if let old = state.clips[key] {
                if old.number > report.number { return [] }
                state.bytes -= old.bytes
                if old.isPlaying { state.playing -= 1 }
            }
            state.clips[key] = Clip(
                buffer: buffer, bytes: report.bytes, isPlaying: report.isPlaying, number: report.number)
            state.bytes += report.bytes
            if report.isPlaying { state.playing += 1 }
            guard state.bytes > capacity else { return [] }
            // Handed out before anything looks at them: were one let go here, its end would ask for this lock.
            return state.clips.compactMap { $0.key == key || $0.value.isPlaying || $0.value.bytes == 0 ? nil : $0.value.buffer }
        }
        // Outside the lock: purging reports back here.
        for victim in victims { victim.purge() }
    }

    func forget(_ key: ObjectIdentifier) {
        state.withLock { state in
            guard let old = state.clips.removeValue(forKey: key) else { return }
            state.bytes -= old.bytes
            if old.isPlaying { state.playing -= 1 }
        }
    }

    package static func capacity(ofMemory bytes: Int?) -> Int {
        bytes.map { min(max($0 / 8, 8 << 20), 256 << 20) } ?? 256 << 20
    }
}
