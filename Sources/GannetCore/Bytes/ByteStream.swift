/// A stream of byte chunks, pulled one at a time: the reader's pace provides back-pressure.
///
/// For one reader. `next` returns nil at the proper end and throws if the bytes ended any other way; it is not called again
/// after either. Dropping the stream cancels the transfer.
public struct ByteStream: Sendable {
    private let pull: @Sendable () async throws(ImageError) -> [UInt8]?
    private let pullInto: (@Sendable (inout [UInt8], Int) async throws(ImageError) -> Bool)?

    /// `pull` returns the next chunk, waits for it if necessary, and returns nil at the proper end. Calls never overlap.
    public init(_ pull: @escaping @Sendable () async throws(ImageError) -> [UInt8]?) {
        self.pull = pull
        pullInto = nil
    }

    /// `pullInto` appends what `pull` would return, and returns false at the proper end. For readers that want all bytes in one
    /// array: these are copied only once. It may wait until so many bytes have arrived, or the end, but not much longer than a
    /// second if there are some: the reader decides whether they come too slowly.
    package init(
        _ pull: @escaping @Sendable () async throws(ImageError) -> [UInt8]?,
        into pullInto: @escaping @Sendable (inout [UInt8], Int) async throws(ImageError) -> Bool
    ) {
        self.pull = pull
        self.pullInto = pullInto
    }

    /// The next chunk; nil at the proper end. Throws errors of the source, including `cancelled`.
    public func next() async throws(ImageError) -> [UInt8]? { try await pull() }

    /// Appends the next bytes to `bytes`; false at the proper end. A larger `patience` lets the stream wait for up to so many
    /// bytes, and wakes the reader less often.
    package func next(into bytes: inout [UInt8], patience: Int = 1) async throws(ImageError) -> Bool {
        if let pullInto { return try await pullInto(&bytes, patience) }
        guard let chunk = try await pull() else { return false }
        if bytes.isEmpty, bytes.capacity <= chunk.count { bytes = chunk } else { bytes.append(contentsOf: chunk) }
        return true
    }
}
