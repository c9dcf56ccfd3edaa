#if Lottie
    import CGannetKernels
    import GannetCore

    /// Unpacks deflate streams (RFC 1951) without the frame of zlib, by Gannet's own kernel.
    enum LottieInflate {
        /// Up to `count` unpacked bytes; fewer where the input ends or is damaged.
        static func beginning(_ packed: ArraySlice<UInt8>, count: Int) -> [UInt8] {
            var stream = Stream()
            return stream.read(packed, count: count)
        }

        /// The whole stream; four bytes behind it belong to the input. `mostBytes`: no more are unpacked, whatever the file says of itself.
        /// `next`: those four, in the order of RFC 1950. Throws `limitExceeded`, `truncated`, `corrupt` and `cancelled`.
        static func all(
            _ packed: ArraySlice<UInt8>, mostBytes: Int, _ watch: DecodeWatch
        ) throws(ImageError) -> (bytes: [UInt8], next: UInt32) {
            var stream = Stream()
            var result: [UInt8] = []
            while !stream.isAtEnd {
                try watch.check()
                let piece = stream.read(packed, count: 1 << 18)
                result += piece
                guard result.count <= mostBytes else {
                    throw ImageError(
                        .limitExceeded, stage: .decode,
                        "The Lottie animation unpacks to more than \(mostBytes) bytes. Raise maximumEncodedBytes to allow it.")
                }
                if stream.isDamaged { throw LottieError.corrupt("its packed text cannot be unpacked") }
                if piece.isEmpty, !stream.isAtEnd { throw LottieError.truncated }
            }
            return (result, stream.next)
        }

        /// ISO 3309, as in gzip and in archives.
        static func checksum(_ bytes: [UInt8]) -> UInt32 {
            ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
        }

        private static let table: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }

        /// Owns the kernel's state, which no other code sees.
        private struct Stream: ~Copyable {
            private let state = gannet_inflate_create()
            private var used = 0
            private(set) var isAtEnd = false
            private(set) var isDamaged = false

            deinit { if let state { gannet_inflate_destroy(state) } }

            var next: UInt32 { state.map { gannet_inflate_checksum($0) } ?? 0 }

            /// The next bytes, at most `count`. `packed`: each time the same.
            mutating func read(_ packed: ArraySlice<UInt8>, count: Int) -> [UInt8] {
                // The header of zlib, which the kernel wants to see.
                if used == 0 { _ = feed([0x78, 0x01], count: 1) }
                let (bytes, read) = feed(packed.dropFirst(used), count: count)
                used += read
                return bytes
            }

            private mutating func feed(_ input: ArraySlice<UInt8>, count: Int) -> (bytes: [UInt8], read: Int) {
                guard let state, !isAtEnd, !isDamaged else { return ([], 0) }
                var left = input.count
                var status = GANNET_INFLATE_MORE
                // Both pointers end with the call.
                let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                    guard let base = target.baseAddress else { return }
                    filled = count
                    input.withUnsafeBufferPointer { input in
                        var next = input.baseAddress
                        status = gannet_inflate_read(state, &next, &left, base, &filled)
                    }
                }
                isAtEnd = status == GANNET_INFLATE_END
                isDamaged = status == GANNET_INFLATE_CORRUPT
                return (bytes, input.count - left)
            }
        }
    }
#endif
