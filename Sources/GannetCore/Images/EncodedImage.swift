/// The bytes of an image file, and the known facts about their origin.
public struct EncodedImage: Sendable {
    /// The whole file.
    public var bytes: ByteRope
    /// Determined by content, never by name; nil until sniffed.
    public var format: ImageFormat?
    /// Default: unknown, which is fresh for ever.
    public var freshness: Freshness

    /// Neither copies nor inspects the bytes.
    public init(bytes: ByteRope, format: ImageFormat? = nil, freshness: Freshness = .unknown) {
        self.bytes = bytes
        self.format = format
        self.freshness = freshness
    }
}
