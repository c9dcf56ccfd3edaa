/// Chunks of bytes, pulled one at a time: nobody is handed the next chunk before he asks, so back-pressure costs nothing.
///
/// One reader. `next` answers nil at the proper end and throws if the bytes ended any other way; after either it is not
/// called again. Dropping the stream cancels the transfer.
public struct ByteStream: Sendable {
    private let pull: @Sendable () async throws(ImageError) -> [UInt8]?

    public init(_ pull: @escaping @Sendable () async throws(ImageError) -> [UInt8]?) { self.pull = pull }

    public func next() async throws(ImageError) -> [UInt8]? { try await pull() }
}
