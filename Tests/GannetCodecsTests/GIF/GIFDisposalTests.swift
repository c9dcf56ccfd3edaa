#if GIF
    import GannetCodecs
    import GannetCore
    import Testing

    /// The part of a frame that remains when the next one is drawn.
    @Suite("Disposal of GIF frames") struct GIFDisposalTests {
        /// Two pixels beside each other, both green, then the left one blue. Colour 0 is red; no frame has it.
        private static func file(disposal: UInt8) -> [UInt8] {
            var file = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x81, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]
            // Codes of 3 bits: clear, twice colour 1, end.
            file += [0x21, 0xF9, 4, disposal << 2, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x4C, 0x0A, 0]
            // Clear, colour 2, end.
            file += [0x21, 0xF9, 4, 0, 5, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x54, 0x01, 0]
            return file + [0x3B]
        }

        /// There is nothing in front of the first frame that could be restored (3; old writers put 4).
        @Test("What the first frame leaves", arguments: [0, 1, 2, 3, 4] as [UInt8], [[0, 1], [1, 0]])
        func first(disposal: UInt8, order: [Int]) throws {
            let decoder = try GIFCoder().makeDecoder(
                for: .gif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(Self.file(disposal: disposal)))
            #expect(decoder.header?.hasAlpha == (disposal >= 2))
            let green: [UInt8] = [0, 255, 0, 255]
            for index in order {
                var buffer = try PixelBuffer(try #require(decoder.outputLayout))
                try decoder.decodeFrame(at: index, into: &buffer)
                let rest = disposal < 2 ? green : [0, 0, 0, 0]
                #expect(buffer.freeze().packedBytes() == (index == 0 ? green + green : [0, 0, 255, 255] + rest))
            }
        }
    }
#endif
