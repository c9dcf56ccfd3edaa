#if HTTP
    import NIOCore

    /// Joins small pieces of an HTTP/2 body. For each added piece, the client copies its list of all pieces of the turn; tens
    /// of thousands of tiny ones would block the event loop for minutes.
    struct PieceJoiner {
        /// Most bytes that are held back.
        static let enough = 64 << 10
        /// Pieces of this size pass on alone and uncopied.
        private static let large = 8 << 10

        private var held: ByteBuffer?
        /// The memory is not shared.
        private var isOwn = false

        /// Returns the bytes to pass on, including all that was held; nil if there are none yet.
        mutating func take(_ piece: ByteBuffer) -> ByteBuffer? {
            guard var joined = held else {
                guard piece.readableBytes < Self.large else { return piece }
                held = piece
                isOwn = false
                return nil
            }
            held = nil
            if !isOwn {
                var copy = ByteBufferAllocator().buffer(capacity: joined.readableBytes + piece.readableBytes)
                copy.writeImmutableBuffer(joined)
                joined = copy
                isOwn = true
            }
            joined.writeImmutableBuffer(piece)
            guard joined.readableBytes < Self.enough else { return joined }
            held = joined
            return nil
        }

        /// Returns the held bytes, when no more come for now.
        mutating func finish() -> ByteBuffer? {
            defer { held = nil }
            return held
        }
    }
#endif
