import GannetCore
import GannetFetch

/// The result of a job: an image, or the original that it is made of, and what is known of its bytes.
struct MadeImage: Sendable {
    var image: DecodedImage
    /// The bytes of the original, if this load has them.
    var encoded: EncodedImage? {
        get { encodedBox.wrappedValue }
        set { encodedBox.wrappedValue = newValue }
    }
    fileprivate var encodedBox = BoxedOptional<EncodedImage>(wrappedValue: nil)
    var origin: LoadedImage.Origin
    var freshness: Freshness
    /// Where its bytes are stored, and what beside them; nil if it was not made of bytes, or not by this load.
    var stored: StoredCopy?
    /// The alternative source that it was made from: right for this load, but not what the request's keys name, so it is not stored
    /// under them.
    @BoxedOptional var otherSource: ImageSource?
    var timings = LoadTimings()

    init(_ image: DecodedImage, origin: LoadedImage.Origin, freshness: Freshness) {
        self.image = image
        self.origin = origin
        self.freshness = freshness
        _otherSource = BoxedOptional(wrappedValue: nil)
    }

    /// One that was stored.
    init(_ picture: CachedImage, origin: LoadedImage.Origin = .memory) {
        self.init(picture.image, origin: origin, freshness: picture.freshness)
    }
}

extension LoadedImage {
    /// `isOriginal`: the image is what its bytes say, without transformers.
    init(_ made: MadeImage, isOriginal: Bool) {
        self.init(
            image: made.image, origin: made.origin, encodedBox: isOriginal ? made.encodedBox : BoxedOptional(wrappedValue: nil),
            freshness: made.freshness, timings: made.timings)
    }
}
