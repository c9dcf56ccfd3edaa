/// Chunks of bytes, pulled one at a time: nobody is handed the next chunk before he asks, so back-pressure costs nothing.
///
/// One reader. `next` answers nil at the proper end and throws if the bytes ended any other way; after either it is not
/// called again. Dropping the stream cancels the transfer.
public struct ByteStream: Sendable {
    private let pull: @Sendable () async throws(ImageError) -> [UInt8]?
    private let pullInto: (@Sendable (inout [UInt8], Int) async throws(ImageError) -> Bool)?

    /// `pull` brings the next chunk, waits for it where it must, and answers nil at the proper end; it is never called twice at
    /// once.
    public init(_ pull: @escaping @Sendable () async throws(ImageError) -> [UInt8]?) {
        self.pull = pull
        pullInto = nil
    }

    /// `pullInto` appends what `pull` would bring, and answers false where that would answer nil: for readers that want all bytes in
    /// one array, which are then copied once. It may wait until so many bytes have come, or the end.
    package init(
        _ pull: @escaping @Sendable () async throws(ImageError) -> [UInt8]?,
        into pullInto: @escaping @Sendable (inout [UInt8], Int) async throws(ImageError) -> Bool
    ) {
        self.pull = pull
        self.pullInto = pullInto
    }

    /// Nil at the proper end. Throws what the source throws, `cancelled` included.
    public func next() async throws(ImageError) -> [UInt8]? { try await pull() }

    /// The next bytes, appended to `bytes`; false at the proper end. Whoever need not see them at once is woken less often if he
    /// lets the stream wait for up to `patience` of them.
    package func next(into bytes: inout [UInt8], patience: Int = 1) async throws(ImageError) -> Bool {
        if let pullInto { return try await pullInto(&bytes, patience) }
        guard let chunk = try await pull() else { return false }
        if bytes.isEmpty, bytes.capacity <= chunk.count { bytes = chunk } else { bytes.append(contentsOf: chunk) }
        return true
    }
}
