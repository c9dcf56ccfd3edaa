package import GannetCore

/// What `gannet info` and `gannet fetch --explain` say about a gain map.
package struct GainMapFacts: Sendable {
    private let map: EncodedGainMap

    package init(_ map: EncodedGainMap) {
        var facts = map
        // A list of many files keeps none of them.
        facts.bytes = []
        self.map = facts
    }

    /// For people: `gain map 1000×750, up to 4.9 times white (Adobe XMP)`.
    package var line: String { "gain map \(map)" }

    package var json: JSON {
        let base: [(String, JSON)] = map.metadata.isBaseHDR ? [("base", .string("high"))] : []
        return .object(
            [
                ("format", .string(map.format.rawValue)), ("width", .integer(map.size.width)),
                ("height", .integer(map.size.height)),
                ("channels", .integer(map.isGray ? 1 : 3)), ("headroom", .number(map.metadata.headroom)),
            ] + base)
    }
}
