#if HTTP
    import NIOCore
    import Testing

    @testable import GannetHTTP

    /// Pieces of bodies over HTTP/2, joined.
    @Suite struct PieceTests {
        /// The joined pieces, for pieces of these sizes that arrive in one turn.
        static func output(_ sizes: [Int]) -> [ByteBuffer] {
            var pieces = PieceJoiner()
            var next = 0
            var output: [ByteBuffer] = []
            for size in sizes {
                let bytes = (next..<next + size).map { UInt8(truncatingIfNeeded: $0) }
                next += size
                if let piece = pieces.take(ByteBuffer(bytes: bytes)) { output.append(piece) }
            }
            return output + (pieces.finish().map { [$0] } ?? [])
        }

        @Test(arguments: [
            [], [0], [1], [5, 5], [8192], [16384, 16384], [1, 16384, 1], [65535, 1], Array(repeating: 1, count: 200_000),
            Array(repeating: 0, count: 1000), (0..<2000).map { $0 % 2 == 0 ? 1 : 8192 },
        ])
        func nothingIsLostAndNothingIsLeftSmall(_ sizes: [Int]) {
            let output = Self.output(sizes)
            let count = sizes.reduce(0, +)
            #expect(output.flatMap { Array($0.readableBytesView) } == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
            #expect(output.count <= 1 + count / 8192)
        }

        @Test func aLargePieceGoesOnByItself() {
            #expect(Self.output([16384, 16384]).map(\.readableBytes) == [16384, 16384])
        }
    }
#endif
