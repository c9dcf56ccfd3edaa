#if HTTP
    import NIOCore

    /// The part of a body that has arrived and not been read.
    ///
    /// An HTTP/1.1 body is kept in the pieces that arrived; the reader joins them, so that the event loop copies nothing. An
    /// HTTP/2 body is joined here: its frames share the client's read buffer, and the client copies that buffer for each read
    /// while a frame is still held.
    struct WireBody {
        /// Unread bytes, plus ``pieceCost`` for each piece to bound tiny ones too.
        var buffered = 0
        private var pieces: [ByteBuffer] = []
        private var bytes: [UInt8] = []
        private(set) var isCopied = false
        /// Length of the whole body, if announced.
        private var length: Int?

        private static let pieceCost = 256
        private static let watchedRoom = 64 << 10
        /// The announced length may be wrong: beyond this size the array grows with what arrives.
        private static let maximumRoom = 8 << 20

        var isEmpty: Bool { pieces.isEmpty && bytes.isEmpty }

        /// Called before the first byte.
        mutating func begin(length: Int?, isHTTP2: Bool) {
            self.length = length
            isCopied = isHTTP2
        }

        /// - Parameter isGathered: the reader wants the whole body in one array.
        mutating func append(_ piece: ByteBuffer, isGathered: Bool) {
            buffered += piece.readableBytes + Self.pieceCost
            guard isCopied else { return pieces.append(piece) }
            let count = bytes.count + piece.readableBytes
            if bytes.capacity < count {
                let room = min(length ?? 0, isGathered ? Self.maximumRoom : Self.watchedRoom)
                bytes.reserveCapacity(max(count, bytes.isEmpty ? room : max(room, 2 * bytes.capacity)))
            }
            piece.withUnsafeReadableBytes { bytes.append(contentsOf: $0.bindMemory(to: UInt8.self)) }
        }

        /// Takes everything, and leaves this body empty.
        mutating func take() -> WireBody {
            var taken = self
            taken.buffered = 0
            pieces = []
            bytes = []
            return taken
        }

        /// Appends the bytes of ``take()`` to the reader's array. Called once.
        consuming func move(into target: inout [UInt8], isGathered: Bool) {
            if isCopied, target.isEmpty {
                target = bytes
                return
            }
            let count = target.count + bytes.count + pieces.reduce(0) { $0 + $1.readableBytes }
            // Reserve room for the whole body at once if its length is known.
            if target.capacity < count {
                let room = isGathered ? min(length ?? 0, Self.maximumRoom) : 0
                target.reserveCapacity(max(count, room, target.isEmpty ? 0 : 2 * target.capacity))
            }
            target.append(contentsOf: bytes)
            for piece in pieces { piece.withUnsafeReadableBytes { target.append(contentsOf: $0.bindMemory(to: UInt8.self)) } }
        }
    }
#endif
