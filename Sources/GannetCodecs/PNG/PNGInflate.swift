#if PNG
    import CDeflate
    import GannetCore

    /// Decompression in one step.
    enum PNGInflate {
        /// Decompresses a small zlib stream of unknown length (profiles, text). Nil if it is damaged. Adds the decompressed
        /// size to `counted`, the file's metadata so far, in any case; throws `limitExceeded` if that is too much.
        static func metadata(
            _ packed: ArraySlice<UInt8>, counted: inout Int, _ limits: DecodeLimits
        ) throws(ImageError) -> [UInt8]? {
            let stream = PNGInflateStream(ByteRope(Array(packed)), pieces: [0..<packed.count])
            var result: [UInt8] = []
            while true {
                let room = 32 << 10
                var count = 0
                var failure: ImageError?
                let piece = [UInt8](unsafeUninitializedCapacity: room) { target, filled in
                    guard let base = target.baseAddress else { return }
                    do throws(ImageError) { count = try stream.read(into: base, count: room) } catch { failure = error }
                    filled = count
                }
                if failure != nil {
                    counted += room
                    return nil
                }
                counted += count
                try limits.check(metadataBytes: counted)
                result += piece
                if count < room { return stream.isAtEnd ? result : nil }
            }
        }

        /// Decompresses all of `data` into `count` bytes at `target`, and verifies checksums. False if libdeflate fails (too
        /// long, too short or damaged): the stream can tell more. Throws `corrupt` for a wrong checksum of a chunk.
        static func whole(
            _ data: PNGData, _ rope: ByteRope, into target: UnsafeMutablePointer<UInt8>, count: Int
        ) throws(ImageError) -> Bool {
            guard let decompressor = libdeflate_alloc_decompressor() else { return false }
            defer { libdeflate_free_decompressor(decompressor) }
            var made = 0
            func unpack(_ packed: UnsafeBufferPointer<UInt8>) -> Bool {
                libdeflate_zlib_decompress(decompressor, packed.baseAddress, packed.count, target, count, &made)
                    == LIBDEFLATE_SUCCESS && made == count
            }
            if data.pieces.count == 1, let place = rope.locate(data.pieces[0].start),
                place.inside + data.pieces[0].end - data.pieces[0].start <= rope.chunks[place.chunk].count
            {
                // One chunk in one piece of memory: nothing has to be copied.
                try data.checkSums(rope)
                let length = data.pieces[0].end - data.pieces[0].start
                return rope.chunks[place.chunk].withUnsafeBufferPointer {
                    unpack(UnsafeBufferPointer(rebasing: $0[place.inside..<place.inside + length]))
                }
            }
            return try data.joined(rope).withUnsafeBufferPointer(unpack)
        }
    }

    extension PNGData {
        /// The compressed bytes in one array; verifies each chunk's checksum while its bytes are in the CPU cache.
        func joined(_ rope: ByteRope) throws(ImageError) -> [UInt8] {
            var all: [UInt8] = []
            all.reserveCapacity(byteCount(in: rope))
            for piece in pieces {
                var sum = piece.typeSum(rope)
                rope.forEachPiece(of: piece.start..<piece.end) {
                    sum = libdeflate_crc32(sum, $0.baseAddress, $0.count)
                    all.append(contentsOf: $0)
                }
                try piece.check(sum, rope)
            }
            return all
        }

        /// Verifies the checksums alone. Skips incomplete pieces.
        func checkSums(_ rope: ByteRope) throws(ImageError) {
            for piece in pieces where piece.end + 4 <= rope.count {
                var sum = piece.typeSum(rope)
                rope.forEachPiece(of: piece.start..<piece.end) { sum = libdeflate_crc32(sum, $0.baseAddress, $0.count) }
                try piece.check(sum, rope)
            }
        }
    }

    extension PNGData.Piece {
        /// The checksum of the bytes between the chunk's length and the compressed data: the type and a frame's number.
        fileprivate func typeSum(_ rope: ByteRope) -> UInt32 {
            rope.prefix(start - chunk, from: chunk).withUnsafeBufferPointer { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        }

        fileprivate func check(_ sum: UInt32, _ rope: ByteRope) throws(ImageError) {
            let stored = rope.prefix(4, from: end)
            guard stored.count == 4, PNGParser.number(stored, 0) == Int(sum) else {
                throw PNGParser.corrupt("The checksum of a chunk of image data is wrong.")
            }
        }
    }

    extension ByteRope {
        /// Calls `body` with the memory of `range`, once for each chunk of the rope that it touches.
        func forEachPiece(of range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
            var position = range.lowerBound
            while position < range.upperBound, let place = locate(position) {
                let length = min(range.upperBound - position, chunks[place.chunk].count - place.inside)
                chunks[place.chunk].withUnsafeBufferPointer {
                    body(UnsafeBufferPointer(rebasing: $0[place.inside..<place.inside + length]))
                }
                position += length
            }
        }
    }
#endif
