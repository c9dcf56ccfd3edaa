/// The bytes of a picture file, and what is known of where they came from.
public struct EncodedImage: Sendable {
    public var bytes: ByteRope
    /// By content, never by name; nil until sniffed.
    public var format: ImageFormat?
    @Boxed public var freshness: Freshness

    public init(bytes: ByteRope, format: ImageFormat? = nil, freshness: Freshness = .unknown) {
        self.bytes = bytes
        self.format = format
        self.freshness = freshness
    }
}
