import CGannetKernels
import Testing

@Suite("Kernels of JPEG") struct JPEGKernelTests {
    /// Sparse blocks, full ones, and ones beyond black and white.
    private static let blocks: [[Int16]] = (0..<200).map { number in
        (0..<64).map { place in
            let mixed = (number &* 7919 &+ place &* 104_729) % 1009
            if place == 0 { return Int16(mixed % 160 - 80) }
            return number % 3 == 0 || mixed % 9 == 0 ? Int16(mixed % 31 - 15) : 0
        }
    }
    private static let steps: [UInt16] = (0..<64).map { 2 + UInt16($0 / 6) }

    @Test("Vectors make the same samples as plain C", arguments: [1, 2, 4, 8], [1, 2, 4, 8])
    func inverse(across: Int32, down: Int32) throws {
        guard let quick = gannet_jpeg_inverse_for(across, down) else {
            #expect(max(across, down) > 2 * min(across, down))
            #expect(gannet_jpeg_inverse_plain(across, down) == nil)
            return
        }
        let plain = try #require(gannet_jpeg_inverse_plain(across, down))
        for block in Self.blocks {
            // Rows are longer than the samples, to see that nothing is written beyond.
            var (one, other) = ([UInt8](repeating: 7, count: 96), [UInt8](repeating: 7, count: 96))
            quick(block, Self.steps, &one, 12)
            plain(block, Self.steps, &other, 12)
            #expect(one == other)
            #expect(one.indices.allSatisfy { $0 % 12 < across && $0 / 12 < down || one[$0] == 7 })
        }
    }

    @Test("Values that no encoder makes saturate alike", arguments: [4, 8], [4, 8])
    func hostile(across: Int32, down: Int32) throws {
        let quick = try #require(gannet_jpeg_inverse_for(across, down))
        let plain = try #require(gannet_jpeg_inverse_plain(across, down))
        var noise = Noise(seed: 5)
        for _ in 0..<200 {
            let block = (0..<64).map { _ in Int16(truncatingIfNeeded: noise.below(65_536)) }
            let steps = (0..<64).map { _ in UInt16(1 + noise.below(65_535)) }
            var (one, other) = ([UInt8](repeating: 7, count: 96), [UInt8](repeating: 7, count: 96))
            quick(block, steps, &one, 12)
            plain(block, steps, &other, 12)
            #expect(one == other)
        }
    }

    @Test("Colours are those of JFIF, rounded, however many there are")
    func colours() {
        func clamped(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
        var far = 0
        for y in [UInt8(0), 90, 201] {
            let cb = (0..<65_536).map { UInt8($0 & 255) }
            let cr = (0..<65_536).map { UInt8($0 >> 8) }
            let luma = [UInt8](repeating: y, count: 65_536)
            var pixels = [UInt8](repeating: 0, count: 4 * 65_536)
            gannet_jpeg_pixels_of_ycc(luma, cb, cr, &pixels, 65_536)
            for index in stride(from: 0, to: 65_536, by: 7) {
                let (b, r) = (Double(cb[index]) - 128, Double(cr[index]) - 128)
                let expected = [
                    clamped(Double(y) + 1.402 * r), clamped(Double(y) - 0.344_136 * b - 0.714_136 * r),
                    clamped(Double(y) + 1.772 * b), 255,
                ]
                let came = pixels[4 * index..<4 * index + 4]
                #expect(zip(expected, came).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
                if !expected.elementsEqual(came) { far += 1 }
            }
            for count in 0..<20 {
                var few = [UInt8](repeating: 3, count: 84)
                gannet_jpeg_pixels_of_ycc(luma, cb, cr, &few, count)
                #expect(few[..<(4 * count)].elementsEqual(pixels[..<(4 * count)]))
                #expect(few[(4 * count)...].allSatisfy { $0 == 3 })
            }
        }
        // A tie now and then.
        #expect(far < 300)
    }
}
