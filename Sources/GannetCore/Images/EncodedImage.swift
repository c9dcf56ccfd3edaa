/// The bytes of a picture file, and what is known of where they came from.
public struct EncodedImage: Sendable {
    /// The whole file.
    public var bytes: ByteRope
    /// By content, never by name; nil until sniffed.
    public var format: ImageFormat?
    /// Default unknown, which is good for ever.
    @Boxed public var freshness: Freshness

    /// Copies no bytes and does not look at them.
    public init(bytes: ByteRope, format: ImageFormat? = nil, freshness: Freshness = .unknown) {
        self.bytes = bytes
        self.format = format
        self.freshness = freshness
    }
}
