import GannetCore
import GannetImages

/// The frames and players of a buffer, and the choice of frames to decode and to drop.
extension FrameBuffer {
    /// One player, and what it needs.
    struct Viewer {
        let client: Client
        /// Frames by need, soonest first; the first is on screen or due.
        var wants: [Int] = []
        var isPlaying = false
        /// Bytes this player allows; nil: its share of the budget.
        var limit: Int?
        var onFrame: @Sendable (Int) -> Void
    }

    /// The frames and the players of a buffer. Used below its lock.
    struct State {
        /// Frames by index; nil: not decoded. Few arrays and no dictionaries: this runs for every frame of every animation.
        var frames: [Entry?]
        var kept = 0
        /// The last expanded frame: requested repeatedly while it is on screen.
        var expanded: (index: Int, bitmap: Bitmap)?
        var failed: [Int: ImageError] = [:]
        var viewers: [Viewer] = []
        var bytes = 0
        /// How many frames may be kept.
        var room = 2
        /// The share for which ``room`` was computed.
        var share = 0
        /// Bytes of the largest frame so far.
        var largest = 0
        /// The last report to the budget, and the number of reports.
        var told: (bytes: Int, isPlaying: Bool)?
        var reports = 0
        var clock: UInt64 = 0
        var isPumping = false
        var keepsAll = false
        /// Recent decode time of a frame.
        var pace = Duration.zero
        private let shortestDelay: Duration?
        /// The source keeps its decoder while this is set.
        var use: FrameUse?
        /// Release the decoder when the current decode has ended.
        var owesRest = false
        /// Running preloads.
        var preloads = 0
        /// Counts purges: a frame whose decode began before a purge is not kept.
        var epoch = 0
        var decoded = 0

        init(count: Int, shortestDelay: Duration? = nil) {
            frames = Array(repeating: nil, count: count)
            self.shortestDelay = shortestDelay
        }

        /// Whether nothing is left to decode or to drop.
        var isComplete: Bool { kept + failed.count >= frames.count && (kept <= room || keepsAll) }

        /// The wanted frames that fit, soonest first, and always the next two of each player. Decoding and dropping follow it.
        private func needed() -> [Int] {
            var order: [(rank: Int, frame: Int)] = []
            for viewer in viewers {
                for (rank, frame) in viewer.wants.enumerated() { order.append((rank, frame)) }
            }
            if viewers.count > 1 { order.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.frame < $1.frame } }
            var needed: [Int] = []
            var seen = 0
            for (place, wanted) in order.enumerated() where !order[..<place].contains(where: { $0.frame == wanted.frame }) {
                if wanted.rank < 2 || keepsAll || seen < room { needed.append(wanted.frame) }
                seen += 1
            }
            return needed
        }

        private func isMissing(_ frame: Int) -> Bool { frames[frame] == nil && failed[frame] == nil }

        func nextMissing() -> Int? {
            if kept + failed.count >= frames.count { return nil }
            return needed().first(where: isMissing)
        }

        /// Whether to begin decoding: a player lacks one of its next two frames, or half of the needed ones are missing. Frames that are
        /// decoded one after the other cost less than each alone, for which threads have to wake up and caches are cold. Where a frame takes
        /// a third of its time on screen or longer, one that is missing is enough: a slow one among them needs all of the lead.
        func isShort() -> Bool {
            if kept + failed.count >= frames.count { return false }
            if viewers.contains(where: { $0.wants.prefix(2).contains(where: isMissing) }) { return true }
            let needed = needed()
            let isSlow = shortestDelay.map { pace * 3 > $0 } ?? false
            return needed.count(where: isMissing) >= (isSlow ? 1 : max(1, needed.count / 2))
        }

        /// Frames to drop: unneeded ones, last shown first, because in a loop those are due last.
        func victims() -> [Int] {
            guard kept > room else { return [] }
            let needed = needed()
            let free = frames.indices.filter { frames[$0] != nil && !needed.contains($0) }
                .sorted { (frames[$0]?.used ?? 0) > (frames[$1]?.used ?? 0) }
            // The needed frames may exceed the room, and may not be decoded yet.
            return Array(free.prefix(max(kept - max(room, needed.count), 0)))
        }

        mutating func drop(_ index: Int) {
            guard let entry = frames[index] else { return }
            frames[index] = nil
            kept -= 1
            bytes -= entry.bytes
            if expanded?.index == index { expanded = nil }
        }

        mutating func dropAll() { for index in frames.indices { drop(index) } }
    }

    /// A frame that is kept.
    struct Entry {
        var pixels: WaitingFrame
        var bytes: Int
        var used: UInt64
    }
}
