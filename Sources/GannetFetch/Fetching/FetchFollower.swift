import GannetCore

/// Follows a fetch while it runs: its priority moves a waiting download up or down, and it receives progress while it wants any.
package protocol FetchFollower: AnyObject, Sendable {
    /// The highest priority of all who wait for the bytes.
    var priority: LivePriority { get }
    /// Whether progress has a listener; without one it is not put together.
    var isWatched: Bool { get }
    func publish(_ progress: FetchProgress)
}
