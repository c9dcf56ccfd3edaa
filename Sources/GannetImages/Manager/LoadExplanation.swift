package import GannetCore

/// Why a request hits, misses or is stale now, tier by tier, in words. Nothing is loaded, decoded or counted as a use.
package struct LoadExplanation: Sendable, CustomStringConvertible {
    /// The state of a place; `notAsked`: the request, or the manager, excludes that place.
    package enum State: String, Hashable, Sendable {
        /// There, and used as it is.
        case fresh
        /// There, but revalidated before or after it is shown.
        case stale
        /// Not there.
        case miss
        /// Excluded.
        case notAsked
    }

    /// One place that a load would look at.
    package struct Step: Sendable {
        /// Where a load would look: "image in memory", "image on disk", "original on disk", "source".
        package var place: String
        /// `stale`: there, but it would be revalidated before or after it is shown, as the request's lookup policy says.
        package var state: State
        /// One sentence with the reason and the times.
        package var reason: String
    }

    /// The places in the order of a load, up to the first that has the image.
    package var steps: [Step]
    /// The step that a load would take now, in words.
    package var verdict: String
    /// The gain map of the image in memory, or what becomes of one; nil: it is kept, if there is one.
    package var gainMap: String?
    /// The range of the image in memory, or what is wanted; nil: standard range.
    package var dynamicRange: String?
    package var keys: RequestKeys

    /// Several lines for people.
    package var description: String {
        let lines = steps.map { "\($0.place): \($0.state.rawValue) (\($0.reason))" } + [gainMap, dynamicRange].compactMap { $0 }
        return (lines + ["→ \(verdict)"]).joined(separator: "\n")
    }

    /// Why the result has no gain map, whatever the source has; nil: it keeps it.
    static func gainMapLoss(_ request: ResolvedRequest) -> String? {
        if !request.cache.encode.keepsGainMap { return "gain map: left out (the options of encoding say so)" }
        guard let transformer = request.transform.transformers.dropsGainMap else { return nil }
        let name = transformer.identifier.map { "by \($0)" } ?? "by a transformer without an identifier"
        return "gain map: left out \(name) (it changes more than size, place and sharpness, or does not say)"
    }
}
