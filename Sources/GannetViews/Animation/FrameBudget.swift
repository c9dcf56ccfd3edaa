import GannetCore
import GannetPlatform
import Glibc
import Synchronization

/// A limit in bytes for the decoded frames of all animations of a process.
///
/// Every playing animation gets an equal share. One that fits keeps all its frames; a longer one keeps those due next. Two
/// frames for each (on screen and next) are always allowed, so the sum may exceed the capacity by that much. Paused animations
/// give up their frames first.
public final class FrameBudget: Sendable {
    /// An eighth of the memory that the machine or the control group allows, at most 256 MiB.
    public static let shared = FrameBudget(capacity: capacity(ofMemory: SystemMemory().availableBytes))

    /// Bytes of all frames; exceeded only by the two frames that each animation may always hold.
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

    /// Bytes held by one animation, with a report number: two threads may deliver reports out of order.
    struct Report {
        var bytes: Int
        var isPlaying: Bool
        var number: Int
    }

    /// - Parameter capacity: bytes; negative counts as zero.
    public init(capacity: Int) { self.capacity = max(capacity, 0) }

    func follow(_ new: MemoryPressureWatcher) { watcher.withLock { $0 = new } }

    /// Bytes of frames held now.
    public var usedBytes: Int { state.withLock { $0.bytes } }
    /// Animations with at least one playing player.
    public var playingClips: Int { state.withLock { $0.playing } }

    /// Drops every frame that is not on screen; frames are decoded again when due. For memory pressure.
    public func purge() {
        let buffers = state.withLock { $0.clips.values.compactMap(\.buffer) }
        for buffer in buffers { buffer.purge() }
    }

    /// Bytes that one playing animation may hold.
    var share: Int { state.withLock { capacity / max($0.playing, 1) } }

    /// Records what an animation holds, and purges paused ones if the capacity is exceeded.
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
            // Returned unexamined: releasing a buffer here would run its `deinit`, which takes this lock.
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
