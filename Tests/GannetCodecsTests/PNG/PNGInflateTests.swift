#if PNG
    import CDeflate
    import CGannetKernels
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// The unpacker of streamed PNG data against libdeflate, however the bytes are cut.
    @Suite("Unpacking zlib streams") struct PNGInflateTests {
        enum Outcome: Equatable {
            case whole([UInt8])
            case truncated([UInt8])
            case corrupt
        }

        static func unpack(_ packed: [UInt8], inputs: Int, outputs: Int) throws -> Outcome {
            let inflate = try #require(gannet_inflate_create())
            defer { gannet_inflate_destroy(inflate) }
            var result: [UInt8] = []
            var start = 0
            var piece = [UInt8](repeating: 0, count: outputs)
            while true {
                let end = min(start + inputs, packed.count)
                var left = end - start
                var made = outputs
                let status = packed.withUnsafeBufferPointer { bytes in
                    var input = bytes.baseAddress.map { $0 + start }
                    return gannet_inflate_read(inflate, &input, &left, &piece, &made)
                }
                result += piece[..<made]
                start = end - left
                switch status {
                case GANNET_INFLATE_END:
                    return libdeflate_adler32(1, result, result.count) == gannet_inflate_checksum(inflate)
                        ? .whole(result) : .corrupt
                case GANNET_INFLATE_CORRUPT: return .corrupt
                default: if made == 0, start == packed.count { return .truncated(result) }
                }
            }
        }

        static func pack(_ bytes: [UInt8], level: Int32) throws -> [UInt8] {
            let compressor = try #require(libdeflate_alloc_compressor(level))
            defer { libdeflate_free_compressor(compressor) }
            return [UInt8](unsafeUninitializedCapacity: libdeflate_zlib_compress_bound(compressor, bytes.count)) {
                target, count in
                count = libdeflate_zlib_compress(compressor, bytes, bytes.count, target.baseAddress, target.count)
            }
        }

        /// Noise, few values, runs, patterns of every short distance, and long ones.
        static let contents: [[UInt8]] = {
            var random = SeededGenerator(seed: 5)
            let noise = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
            let few = (0..<5000).map { _ in UInt8.random(in: 0...3, using: &random) }
            let runs = (0..<9000).map { UInt8($0 / 700 & 255) }
            let patterns = (1...20).flatMap { distance in (0..<300).map { UInt8($0 % distance * 7) } }
            let far = noise + [UInt8](repeating: 9, count: 29_760) + noise
            return [[], [7], noise, few, runs, patterns, far, (0..<40_000).map { UInt8($0 * $0 >> 7 & 255) }]
        }()

        @Test func `Bytes can be passed over`() throws {
            for bytes in Self.contents {
                let packed = try Self.pack(bytes, level: 6)
                let stream = PNGInflateStream(ByteRope(packed), pieces: [0..<packed.count])
                var place = 0
                while place < bytes.count {
                    let (wanted, rest) = (min(37, bytes.count - place), min(91, max(bytes.count - place - 37, 0)))
                    var piece = [UInt8](repeating: 0, count: wanted)
                    let came = try stream.read(into: &piece, count: wanted)
                    let passed = try stream.read(into: nil, count: rest)
                    #expect(came == wanted && passed == rest && piece == Array(bytes[place..<place + wanted]))
                    place += wanted + rest
                }
            }
        }

        @Test("What was packed comes back", arguments: contents.indices, [0, 1, 6, 12] as [Int32])
        func roundTrip(index: Int, level: Int32) throws {
            let bytes = Self.contents[index]
            let packed = try Self.pack(bytes, level: level)
            for (inputs, outputs) in [(1, 1000), (7, 13), (100, 1), (1 << 20, 1 << 17), (5000, 70_000)] {
                #expect(try Self.unpack(packed, inputs: inputs, outputs: outputs) == .whole(bytes))
            }
        }

        @Test func everyTruncationIsNoticedAndWhatCameIsRight() throws {
            let bytes = Self.contents[5]
            let packed = try Self.pack(bytes, level: 6)
            for count in packed.indices {
                guard case .truncated(let came) = try Self.unpack(Array(packed.prefix(count)), inputs: 50, outputs: 500) else {
                    Issue.record("\(count) of \(packed.count) bytes are enough or corrupt")
                    continue
                }
                #expect(bytes.starts(with: came))
            }
        }

        @Test("Changed bits are refused, or give what the checksum says, and the same however they are cut")
        func changedBits() throws {
            for index in [3, 5] {
                let packed = try Self.pack(Self.contents[index], level: 6)
                var random = SeededGenerator(seed: UInt64(index))
                for _ in 0..<300 {
                    var bytes = packed
                    bytes[Int.random(in: 0..<min(bytes.count, 200), using: &random)] ^=
                        1 << UInt8.random(in: 0...7, using: &random)
                    let whole = try Self.unpack(bytes, inputs: 1 << 20, outputs: 1 << 17)
                    #expect(try Self.unpack(bytes, inputs: 3, outputs: 100) == whole)
                    if case .whole(let came) = whole { #expect(came == Self.contents[index]) }
                }
            }
        }

        @Test(
            "What breaks the rules is corrupt",
            arguments: [
                // Not zlib, a window of 64 KiB, a dictionary, a wrong check of the header.
                [0x79, 0x9C], [0x88, 0x1C], [0x78, 0xBB], [0x78, 0x9D],
                // Block type 3; a stored block whose lengths disagree.
                [0x78, 0x9C, 0x07], [0x78, 0x9C, 0x01, 5, 0, 0, 0],
                // 30 literal and length codes too many; fixed codes with a string that begins before the data.
                [0x78, 0x9C, 0xFD, 0xFF, 0xFF], [0x78, 0x9C, 0x03, 0x02, 0, 0, 0],
            ] as [[UInt8]])
        func rules(bytes: [UInt8]) throws {
            #expect(try Self.unpack(bytes, inputs: 100, outputs: 100) == .corrupt)
        }
    }
#endif
