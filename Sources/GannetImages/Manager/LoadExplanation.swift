package import GannetCore

/// Why a request hits, misses or is stale now, tier by tier, in words. Nothing is loaded, decoded or counted as a use.
package struct LoadExplanation: Sendable, CustomStringConvertible {
    /// The state of a place; `notAsked`: the request, or the manager, leaves that place out.
    package enum State: String, Hashable, Sendable {
        /// There, and used as it is.
        case fresh
        /// There, but its source is asked before or after it is shown.
        case stale
        /// Not there.
        case miss
        /// Left out.
        case notAsked
    }

    /// One place that a load would look at.
    package struct Step: Sendable {
        /// Where a load would look: "image in memory", "image on disk", "original on disk", "source".
        package var place: String
        /// `stale`: there, but its source would be asked before or after it is shown, as the request's lookup policy says.
        package var state: State
        /// One sentence with the reason and the times.
        package var reason: String
    }

    /// In the order of a load; it ends with the first place that answers.
    package var steps: [Step]
    /// The step that a load would take now, in words.
    package var verdict: String
    /// Under which the request's image is looked for.
    package var imageKey: CacheKey { keys.variant }
    /// Under which the bytes of its source are looked for.
    package var originalKey: CacheKey { keys.storage }
    package var keys: RequestKeys

    /// Several lines for people.
    package var description: String {
        steps.map { "\($0.place): \($0.state.rawValue) (\($0.reason))" }.joined(separator: "\n") + "\n→ \(verdict)"
    }
}
