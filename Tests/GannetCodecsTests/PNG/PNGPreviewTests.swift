#if PNG
    import Glibc
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Previews of PNG") struct PNGPreviewTests {
        /// Decibels between two pictures; infinity is counted as 99.
        private func psnr(_ a: [UInt8], _ b: [UInt8]) -> Double {
            let sum = zip(a, b).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
            return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(a.count) / sum)
        }

        private func preview(_ bytes: [UInt8]) throws -> [UInt8] {
            let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(bytes, isComplete: false))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(try decoder.decodePreview(into: &buffer))
            var other = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(try !decoder.decodePreview(into: &other), "nothing new came")
            return buffer.freeze().packedBytes()
        }

        // DL-36, S3-16
        @Test("Half of the rows are there after half of the bytes")
        func rows() throws {  // CD-43
            for sample in PNGSample.all(20, 20, isInterlaced: false) where sample.depth >= 8 {
                let file = sample.file(pieces: 5)
                let shown = try preview(Array(file.prefix(file.count / 2 + 100)))
                let count = 8 * 20 * 4
                #expect(shown.prefix(count) == sample.expected.prefix(count), "\(sample.color) \(sample.depth)")
                #expect(shown.suffix(80).allSatisfy { $0 == 0 })
            }
        }

        @Test("Half of an interlaced picture is much nearer to the whole than nothing is")
        func passes() throws {  // CD-43
            for color in [PNGFile.ColorType.gray, .rgb, .grayAlpha, .rgba] {
                let sample = PNGSample(width: 20, height: 20, color: color, depth: 8, isInterlaced: true)
                let file = sample.file(pieces: 5)
                let expected = sample.expected
                let blank = psnr([UInt8](repeating: 0, count: expected.count), expected)
                #expect(psnr(try preview(Array(file.prefix(file.count / 2))), expected) > blank + 6, "\(color)")
            }
        }

        @Test("The last preview is the picture, and does not change it", arguments: [1, 13, 1000])
        func complete(step: Int) throws {
            for sample in PNGSample.all(9, 8, isInterlaced: true) + PNGSample.all(9, 8, isInterlaced: false) {
                let file = sample.file(pieces: 3)
                let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment())
                var rope = ByteRope()
                var last: [UInt8] = []
                for start in stride(from: 0, to: file.count, by: step) {
                    rope.append(Array(file[start..<min(start + step, file.count)]))
                    rope.isComplete = rope.count == file.count
                    _ = try decoder.read(from: rope)
                    guard let layout = decoder.outputLayout else { continue }
                    var buffer = try PixelBuffer(layout)
                    if try decoder.decodePreview(into: &buffer) { last = buffer.freeze().packedBytes() }
                }
                #expect(last == sample.expected)
                #expect(try PNGDecoding.frame(decoder).packedBytes() == sample.expected)
            }
        }

        @Test func previewsAreShrunkToo() throws {
            let sample = PNGSample(width: 40, height: 40, color: .rgb, depth: 8)
            let file = sample.file()
            let decoder = PNGDecoder(
                options: PNGDecoding.options {
                    $0.target = .size(.fit(10, 10))
                    $0.alpha = .premultiplied
                }, environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(Array(file.prefix(file.count / 2)), isComplete: false))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(buffer.size == PixelSize(width: 10, height: 10))
            #expect(try decoder.decodePreview(into: &buffer))
            let pixels = buffer.freeze().packedBytes()
            #expect(pixels[3] == 255 && pixels[pixels.count - 1] == 0)
        }

        @Test func noBudgetNoPreview() throws {
            let file = PNGSample(width: 9, height: 8, color: .rgb, depth: 8).file()
            let budget = ResourceBudget(capacity: 1000)
            let held = try budget.reserve(1000)
            let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment(budget: budget))
            _ = try decoder.read(from: ByteRope(file))
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            #expect(try !decoder.decodePreview(into: &buffer))
            withExtendedLifetime(held) {}
        }
    }
#endif
