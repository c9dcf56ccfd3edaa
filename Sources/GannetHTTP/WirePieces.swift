#if HTTP
    import NIOCore

    /// Small pieces of a body over HTTP/2, joined: the client copies its list of all that came in one turn for each piece that is added, so
    /// that tens of thousands of tiny ones would hold up the event loop for minutes.
    struct PieceJoiner {
        /// No more is held back.
        static let enough = 64 << 10
        /// So much goes on by itself, and is not copied.
        private static let large = 8 << 10

        private var held: ByteBuffer?
        /// Its memory is nobody else's.
        private var isOwn = false

        /// What can go on, if that is something: all that was held, too.
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

        /// What is held, when nothing more comes for now.
        mutating func finish() -> ByteBuffer? {
            defer { held = nil }
            return held
        }
    }
#endif
