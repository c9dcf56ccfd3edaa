import Synchronization

/// A coder whose decoders may be ``RegionDecoder``s.
package protocol RegionCoder: ImageCoder {}

/// A decoder that can decode ``ResolvedDecodeOptions/region`` without the rest of the image.
///
/// Other decoders are never told of a region: it is cut out of their pixels.
package protocol RegionDecoder: ImageDecoder {
    /// Whether ``ImageDecoder/outputLayout`` and the pixels are those of the region alone. False without a region, before the header is
    /// known, and for files that are decoded as a whole; another decoder is then asked for the whole.
    var decodesRegion: Bool { get }
}

/// What decoders of one file have learnt of it, for those of later regions. A decoder that is given none, as in the sandbox, begins anew
/// each time.
package final class RegionMemory: Sendable {
    private let kept = Mutex<(any Sendable)?>(nil)

    package init() {}

    /// What was kept, or is now made. Nil: there is nothing of this kind.
    package func value<Value: Sendable>(or make: () -> Value?) -> Value? {
        kept.withLock { kept in
            if kept == nil { kept = make() }
            return kept as? Value
        }
    }
}
