#if PNG
    import CDeflate
    import CGannetKernels
    import GannetCore

    /// Decompresses a zlib stream from several places of a growing rope, and verifies its checksum.
    final class PNGInflateStream {
        /// Nil: no memory.
        private let inflate: OpaquePointer?
        private var rope: ByteRope
        private var pieces: [Range<Int>]
        /// The current piece, and the offset in the rope.
        private var current = 0
        private var position: Int
        /// The stream's end and its checksum were read.
        private(set) var isAtEnd = false
        /// Nil: some bytes were passed over.
        private var checksum: UInt32? = 1

        init(_ rope: ByteRope, pieces: [Range<Int>]) {
            self.rope = rope
            self.pieces = pieces
            position = pieces.first?.lowerBound ?? 0
            inflate = gannet_inflate_create()
        }

        convenience init(_ rope: ByteRope, _ data: PNGData) {
            self.init(rope, pieces: data.pieces.map { $0.start..<$0.end })
        }

        /// Where a stream stands in its input.
        struct Place: Sendable {
            fileprivate var piece: Int
            fileprivate var position: Int
            fileprivate var checksum: UInt32?
        }

        /// Goes on where another one stood.
        init(_ rope: ByteRope, _ data: PNGData, from state: PNGRowState) {
            self.rope = rope
            pieces = data.pieces.map { $0.start..<$0.end }
            (current, position, checksum) = (state.place.piece, state.place.position, state.place.checksum)
            inflate = state.copied()
        }

        var place: Place { Place(piece: current, position: position, checksum: checksum) }

        /// A copy of the kernel's state, which the caller owns; nil: there is no memory, or the stream has ended.
        func copied() -> OpaquePointer? { isAtEnd ? nil : inflate.flatMap { gannet_inflate_copy($0) } }

        deinit { if let inflate { gannet_inflate_destroy(inflate) } }

        /// Adds new bytes and pieces.
        func extend(_ rope: ByteRope, _ data: PNGData) {
            self.rope = rope
            if pieces.isEmpty { position = data.pieces.first?.start ?? 0 }
            for piece in data.pieces.dropFirst(pieces.count) { pieces.append(piece.start..<piece.end) }
        }

        /// Reads up to `count` bytes, or fewer if the stream or the input ends. Throws `corrupt` for damaged data and for a
        /// wrong checksum at its end. Without a target it passes over them, and the checksum is not known any more.
        func read(into target: UnsafeMutablePointer<UInt8>?, count: Int) throws(ImageError) -> Int {
            var done = 0
            while done < count, !isAtEnd {
                var made = count - done
                let (status, goesOn) = try step(into: target.map { $0 + done }, &made)
                done += made
                try check(status)
                if !goesOn { break }
            }
            return done
        }

        /// Reads some bytes, or none; `goesOn` then says whether to call again.
        private func step(
            into target: UnsafeMutablePointer<UInt8>?, _ made: inout Int
        ) throws(ImageError) -> (gannet_inflate_status, goesOn: Bool) {
            guard let inflate else {
                throw ImageError(.limitExceeded, stage: .decode, "There is no memory left to unpack the image.")
            }
            let place = nextInput()
            let before = position
            let status = unpack(inflate, place, into: target, &made)
            if let target, let known = checksum { checksum = libdeflate_adler32(known, target, made) } else { checksum = nil }
            return (status, made > 0 || place != nil && position > before)
        }

        private func check(_ status: gannet_inflate_status) throws(ImageError) {
            switch status {
            case GANNET_INFLATE_END:
                isAtEnd = true
                guard let inflate, checksum == nil || checksum == gannet_inflate_checksum(inflate) else {
                    throw PNGParser.corrupt("The compressed image data are damaged: incorrect data check.")
                }
            case GANNET_INFLATE_CORRUPT:
                let reason = gannet_inflate_message(inflate).map { String(cString: $0) } ?? "unknown"
                throw PNGParser.corrupt("The compressed image data are damaged: \(reason).")
            default: break
            }
        }

        /// Continues with the input at `place`, or with input that was read before.
        private func unpack(
            _ inflate: OpaquePointer, _ place: (chunk: Int, inside: Int, length: Int)?, into target: UnsafeMutablePointer<UInt8>?,
            _ made: inout Int
        ) -> gannet_inflate_status {
            guard let place else {
                var nothing: UnsafePointer<UInt8>?
                var left = 0
                return gannet_inflate_read(inflate, &nothing, &left, target, &made)
            }
            var left = place.length
            let status = rope.chunks[place.chunk].withUnsafeBufferPointer { bytes in
                var input = bytes.baseAddress.map { $0 + place.inside }
                return gannet_inflate_read(inflate, &input, &left, target, &made)
            }
            position += place.length - left
            return status
        }

        /// The place of the next compressed bytes; nil if none have arrived.
        private func nextInput() -> (chunk: Int, inside: Int, length: Int)? {
            while current < pieces.count, position >= pieces[current].upperBound {
                current += 1
            }
            guard current < pieces.count else { return nil }
            position = max(position, pieces[current].lowerBound)
            guard let place = rope.locate(position) else { return nil }
            let length = min(pieces[current].upperBound - position, rope.chunks[place.chunk].count - place.inside)
            return (place.chunk, place.inside, length)
        }

        /// After the last row: reads the rest of the stream to verify its checksum. Ignores data beyond the image, and
        /// everything after it.
        func finish() throws(ImageError) {
            while !isAtEnd {
                var rest: UInt8 = 0
                var made = 1
                let (status, goesOn) = try step(into: &rest, &made)
                guard made == 0, goesOn || status != GANNET_INFLATE_MORE else { return }
                try check(status)
            }
        }
    }
#endif
