/// How a value in the context affects stored results.
public enum CacheInfluence: Hashable, Sendable {
    /// Affects nothing that is stored.
    case none
    /// The bytes that come from the source: part of the join key and the storage key.
    case source(String)
    /// The decoded pixels, because a coder looks at it (``DecodeEnvironment/load``): part of the decode key, and so of the variant
    /// key. - SDWebImage: imageDecodeOptions
    case pixels(String)
    /// The image: part of the variant key.
    case variant(String)
}

/// A typed entry of ``LoadContext``. An outside package declares a key and a computed property on ``LoadContext``.
public protocol ContextKey {
    /// `Hashable`, so that a request's keys can be made of it.
    associatedtype Value: Sendable & Hashable
    /// The value of ``LoadContext`` if none was set; often nil.
    static var defaultValue: Value { get }
    /// Has no default: every author states whether the value changes what is stored.
    static func cacheInfluence(of value: Value) -> CacheInfluence
}

/// Values that travel with a request to hooks, loaders, coders and transformers.
public struct LoadContext: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        var value: any Sendable & Hashable
        var influence: CacheInfluence
        var name: String

        static func == (left: Entry, right: Entry) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    /// No values.
    public init() {}

    /// The key's default if nothing was set. When a value is set, even the default, the key decides how it affects stored
    /// results.
    public subscript<Key: ContextKey>(_ key: Key.Type) -> Key.Value {
        get { entries[ObjectIdentifier(key)]?.value as? Key.Value ?? Key.defaultValue }
        set {
            entries[ObjectIdentifier(key)] = Entry(
                value: newValue, influence: Key.cacheInfluence(of: newValue), name: String(reflecting: key))
        }
    }

    /// True if nothing was set, not even a default.
    public var isEmpty: Bool { entries.isEmpty }

    /// Sorted, so that equal contexts give equal keys.
    public var sourceInfluence: [String] { texts { if case .source(let text) = $0 { text } else { nil } } }

    /// Sorted, so that equal contexts give equal keys.
    public var pixelsInfluence: [String] { texts { if case .pixels(let text) = $0 { text } else { nil } } }

    /// Sorted, so that equal contexts give equal keys.
    public var variantInfluence: [String] { texts { if case .variant(let text) = $0 { text } else { nil } } }

    private func texts(_ text: (CacheInfluence) -> String?) -> [String] {
        entries.values.compactMap { entry in text(entry.influence).map { "\(entry.name)=\($0)".keyPart() } }.sorted()
    }

    /// `other`'s values over these.
    public func merging(_ other: LoadContext) -> LoadContext {
        var copy = self
        copy.entries.merge(other.entries) { $1 }
        return copy
    }
}
