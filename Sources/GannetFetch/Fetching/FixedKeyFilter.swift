package import GannetCore

/// One key, whatever the source.
package struct FixedKeyFilter: CacheKeyFilter, Hashable {
    /// The text that identifies the image in the caches.
    package var key: String

    /// The key may be any text that names the image.
    package init(_ key: String) { self.key = key }

    package func key(for source: ImageSource) -> String? { key }
}
