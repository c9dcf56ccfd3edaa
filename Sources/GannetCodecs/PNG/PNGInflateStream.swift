#if PNG
    import CZlib
    import GannetCore

    /// Unpacks a zlib stream whose bytes lie in several places of a rope that may still grow. Owns zlib's state, which must
    /// not move: hence the allocation.
    final class PNGInflateStream {
        private let z: UnsafeMutablePointer<z_stream>
        private var rope: ByteRope
        private var pieces: [Range<Int>]
        /// The piece being read, and the offset in the rope.
        private var current = 0
        private var position: Int
        /// The stream's own end and its checksum were read.
        private(set) var isAtEnd = false
        private let isReady: Bool

        init(_ rope: ByteRope, pieces: [Range<Int>]) {
            self.rope = rope
            self.pieces = pieces
            position = pieces.first?.lowerBound ?? 0
            z = .allocate(capacity: 1)
            z.initialize(to: z_stream())
            isReady = inflateInit2_(z, 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        }

        convenience init(_ rope: ByteRope, _ data: PNGData) {
            self.init(rope, pieces: data.pieces.map { $0.start..<$0.end })
        }

        deinit {
            if isReady { inflateEnd(z) }
            z.deallocate()
        }

        /// More bytes came, and with them more pieces.
        func extend(_ rope: ByteRope, _ data: PNGData) {
            self.rope = rope
            if pieces.isEmpty { position = data.pieces.first?.start ?? 0 }
            for piece in data.pieces.dropFirst(pieces.count) { pieces.append(piece.start..<piece.end) }
        }

        /// Up to `count` bytes: fewer if the stream or the input ends. Throws `corrupt` for damaged data and for a wrong
        /// checksum at its end.
        func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(ImageError) -> Int {
            guard isReady else {
                throw ImageError(.limitExceeded, stage: .decode, "There is no memory left to unpack the picture.")
            }
            z.pointee.next_out = target
            z.pointee.avail_out = UInt32(count)
            while z.pointee.avail_out > 0, !isAtEnd, let place = nextInput() {
                let result = rope.chunks[place.chunk].withUnsafeBufferPointer { bytes in
                    z.pointee.next_in = bytes.baseAddress.map { UnsafeMutablePointer(mutating: $0 + place.inside) }
                    z.pointee.avail_in = UInt32(place.length)
                    return inflate(z, Z_NO_FLUSH)
                }
                position += place.length - Int(z.pointee.avail_in)
                switch result {
                case Z_OK, Z_BUF_ERROR: break
                case Z_STREAM_END: isAtEnd = true
                default:
                    let reason = z.pointee.msg.map { String(cString: $0) } ?? "error \(result)"
                    throw PNGParser.corrupt("The compressed image data are damaged: \(reason).")
                }
            }
            return count - Int(z.pointee.avail_out)
        }

        /// Where the next compressed bytes are; nil if none have come.
        private func nextInput() -> (chunk: Int, inside: Int, length: Int)? {
            while current < pieces.count, position >= pieces[current].upperBound {
                current += 1
            }
            guard current < pieces.count else { return nil }
            position = max(position, pieces[current].lowerBound)
            guard let place = rope.locate(position) else { return nil }
            let length = min(pieces[current].upperBound - position, rope.chunks[place.chunk].count - place.inside)
            return (place.chunk, place.inside, min(length, 1 << 30))
        }

        /// After the last row: reads what is left of the stream's end, so that its checksum is looked at. Data beyond the
        /// picture are left alone.
        func finish() throws(ImageError) {
            var rest: UInt8 = 0
            _ = try read(into: &rest, count: 1)
        }
    }
#endif
