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

/// The result of an original's job.
struct DecodedOriginal: Sendable {
    var image: DecodedImage
    @BoxedOptional var encoded: EncodedImage?
    var origin: LoadedImage.Origin
    @Boxed var freshness: Freshness
    /// Where its bytes are stored, and what beside them; nil if it was not made of bytes, or not by this load.
    @BoxedOptional var stored: StoredCopy?
    /// The alternative source that it was made from: right for this load, but not what the request's keys name, so it is not
    /// stored under them.
    @BoxedOptional var standIn: ImageSource?
    var loadTime = Duration.zero
    var decodeTime = Duration.zero
}
