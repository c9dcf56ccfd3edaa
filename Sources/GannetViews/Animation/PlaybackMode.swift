/// The order of frames in one loop. - SDWebImage: SDAnimatedImagePlaybackMode
public enum PlaybackMode: String, Hashable, Sendable, CaseIterable {
    /// 0 … N−1
    case normal
    /// N−1 … 0
    case reverse
    /// 0 … N−1 … 0; the turning points are shown once.
    case bounce
    /// N−1 … 0 … N−1; the turning points are shown once.
    case reversedBounce

    /// The frames of one loop, without the closing frame that a bounce shares with the next loop.
    public func order(frameCount count: Int) -> [Int] {
        guard count > 1 else { return count == 1 ? [0] : [] }
        switch self {
        case .normal: return Array(0..<count)
        case .reverse: return Array((0..<count).reversed())
        case .bounce: return Array(0..<count) + (1..<(count - 1)).reversed()
        case .reversedBounce: return (0..<count).reversed() + Array(1..<(count - 1))
        }
    }

    /// Whether a loop ends with the frame it began with.
    var returnsToStart: Bool { self == .bounce || self == .reversedBounce }
}
