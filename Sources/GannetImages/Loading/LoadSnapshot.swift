package import GannetCore
import GannetFetch

/// How far a load is. A snapshot of the state, not an event: a slow reader sees only the newest.
package struct LoadSnapshot: Sendable {
    /// Bytes of the source. Goes back when a broken transfer has to begin again.
    package var progress = LoadProgress()
    /// The newest preview.
    @inlinable package var preview: DecodedImage? {
        get { previewBox.wrappedValue }
        set { previewBox.wrappedValue = newValue }
    }
    @usableFromInline var previewBox = BoxedOptional<DecodedImage>(wrappedValue: nil)
    /// Counts previews up, so that equal snapshots are recognised.
    package var previewNumber = 0
    /// The stored image that is being revalidated.
    @inlinable package var stale: LoadedImage? {
        get { staleBox.wrappedValue }
        set { staleBox.wrappedValue = newValue }
    }
    @usableFromInline var staleBox = BoxedOptional<LoadedImage>(wrappedValue: nil)

    /// A load that has not begun.
    package init() {}
}
