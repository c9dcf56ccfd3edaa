#if HTTP
    import NIOCore

    /// What has come of a body and was not taken yet.
    ///
    /// A body over HTTP/1.1 is kept as it came: the reader puts it together, so that the event loop copies nothing. One over HTTP/2 is
    /// put together here: its frames share the memory that the next ones are read into, and as long as somebody keeps one, the
    /// client copies that memory for each read.
    struct WireBody {
        /// What was not asked for yet, each piece with ``pieceCost`` on top, so that tiny ones are bounded too.
        var buffered = 0
        private var pieces: [ByteBuffer] = []
        private var bytes: [UInt8] = []
        private(set) var isCopied = false
        /// Of the whole body, if it was announced.
        private var length: Int?

        private static let pieceCost = 256
        private static let watchedRoom = 64 << 10
        /// What is announced need not come: above this the array grows with what does.
        private static let maximumRoom = 8 << 20

        var isEmpty: Bool { pieces.isEmpty && bytes.isEmpty }

        /// Before the first byte.
        mutating func begin(length: Int?, isHTTP2: Bool) {
            self.length = length
            isCopied = isHTTP2
        }

        /// `isGathered`: the reader wants the whole body in one array.
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

        /// All of it; nothing is left here.
        mutating func take() -> WireBody {
            var taken = self
            taken.buffered = 0
            pieces = []
            bytes = []
            return taken
        }

        /// After ``take()``: once, onto the end of what the reader has.
        consuming func move(into target: inout [UInt8], isGathered: Bool) {
            if isCopied, target.isEmpty {
                target = bytes
                return
            }
            let count = target.count + bytes.count + pieces.reduce(0) { $0 + $1.readableBytes }
            // Room for all is made once, if it is known how much that is.
            if target.capacity < count {
                let room = isGathered ? min(length ?? 0, Self.maximumRoom) : 0
                target.reserveCapacity(max(count, room, target.isEmpty ? 0 : 2 * target.capacity))
            }
            target.append(contentsOf: bytes)
            for piece in pieces { piece.withUnsafeReadableBytes { target.append(contentsOf: $0.bindMemory(to: UInt8.self)) } }
        }
    }
#endif
