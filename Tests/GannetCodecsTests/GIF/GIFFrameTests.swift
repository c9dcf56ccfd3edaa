#if GIF
    import GannetCodecs
    import GannetCore
    import Testing

    /// Frames that are larger than the canvas they are drawn on.
    @Suite("GIF frames larger than their canvas") struct GIFFrameTests {
        /// Codes of growing width, the low bits first.
        private struct Codes {
            private(set) var bytes: [UInt8] = []
            private var held = 0
            private var count = 0

            mutating func put(_ code: Int, _ width: Int) {
                held |= code << count
                count += width
                while count >= 8 {
                    bytes.append(UInt8(held & 255))
                    held >>= 8
                    count -= 8
                }
            }

            mutating func end() { if count > 0 { put(0, 8 - count) } }
        }

        /// At least `count` times index 1: each new code is one longer than the one before, and then the longest one again and again.
        private static func run(_ count: Int) -> [UInt8] {
            var codes = Codes()
            var width = 9
            codes.put(256, width)
            codes.put(1, width)
            var (left, next, longest) = (count - 1, 258, 1)
            while left > 0 {
                if next < 4096 {
                    codes.put(next, width)
                    longest += 1
                    next += 1
                    if next == 1 << width, width < 12 { width += 1 }
                } else {
                    codes.put(4095, width)
                }
                left -= longest
            }
            codes.put(257, width)
            codes.end()
            return codes.bytes
        }

        private static func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

        /// One frame at the canvas's corner, all of it green.
        private static func file(
            canvas: (width: Int, height: Int), frame: (width: Int, height: Int), isInterlaced: Bool = false
        ) -> [UInt8] {
            var file = Array("GIF89a".utf8) + word(canvas.width) + word(canvas.height) + [0x80, 0, 0, 0, 0, 0, 10, 200, 30]
            file += [0x2C, 0, 0, 0, 0] + word(frame.width) + word(frame.height) + [isInterlaced ? 0x40 : 0, 8]
            let data = run(frame.width * frame.height)
            for start in stride(from: 0, to: data.count, by: 255) {
                let block = data[start..<min(start + 255, data.count)]
                file += [UInt8(block.count)] + block
            }
            return file + [0, 0x3B]
        }

        private func decoder(_ bytes: ByteRope, _ environment: DecodeEnvironment) throws(ImageError) -> any ImageDecoder {
            let decoder = try GIFCoder().makeDecoder(
                for: .gif, options: ResolvedDecodeOptions(DecodeOptions()), environment: environment)
            _ = try decoder.read(from: bytes)
            return decoder
        }

        private func pixels(_ file: [UInt8], _ environment: DecodeEnvironment = DecodeEnvironment()) throws -> [UInt8] {
            let decoder = try decoder(ByteRope(file), environment)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            return buffer.freeze().packedBytes()
        }

        private func isGreen(_ pixels: [UInt8]) -> Bool {
            stride(from: 0, to: pixels.count, by: 4).allSatisfy { pixels[$0..<$0 + 4].elementsEqual([10, 200, 30, 255]) }
        }

        /// 70 million indices, beyond four in each pixel of the longest row that there can be.
        @Test("A frame may have more pixels than any row", arguments: [(1, 7000, false), (1, 1, true)])
        func manyPixels(width: Int, height: Int, isInterlaced: Bool) throws {  // U-02
            let file = Self.file(canvas: (width, height), frame: (10_000, 7000), isInterlaced: isInterlaced)
            let pixels = try pixels(file)
            #expect(pixels.count == width * height * 4)
            #expect(isGreen(pixels))
            let decoder = try decoder(ByteRope(Array(file.dropLast(2)), isComplete: false), DecodeEnvironment())
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(try decoder.decodePreview(into: &buffer))
            #expect(isGreen(buffer.freeze().packedBytes()))
        }

        @Test("Rows below the canvas cost nothing") func rowsBelow() throws {
            let limits = DecodeLimits(maximumPixels: 10)
            let environment = DecodeEnvironment(limits: limits, budget: ResourceBudget(capacity: 64))
            #expect(isGreen(try pixels(Self.file(canvas: (3, 2), frame: (3, 5000)), environment)))
            // The first rows of an interlaced picture are not the upper ones.
            let error = #expect(throws: ImageError.self) {
                try pixels(Self.file(canvas: (3, 2), frame: (3, 5000), isInterlaced: true), environment)
            }
            #expect(error?.code == .limitExceeded)
        }

        @Test("Interlaced rows below the canvas are passed over", arguments: [1, 2, 3, 5, 8, 9])
        func interlaced(height: Int) throws {
            #expect(isGreen(try pixels(Self.file(canvas: (4, height), frame: (5, 40), isInterlaced: true))))
        }
    }
#endif
