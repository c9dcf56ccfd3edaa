import CGannetKernels
import Testing

@Suite("Bytes of pixels in another order") struct ReorderTests {
    @Test("Every number of pixels comes out as without vectors, and nothing beyond it is touched")
    func counts() {
        let source = (0..<160).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        for (step, order) in [(3, [2, 1, 0, -1]), (4, [2, 1, 0, -1]), (4, [1, 2, 3, 0]), (3, [0, 1, 2, 2])] {
            for count in 0...40 {
                let places = order.map(Int8.init)
                // Exactly the bytes of the pixels: reading on would be seen by the address sanitizer.
                let part = Array(source.prefix(count * step))
                var (quick, plain) = ([UInt8](repeating: 9, count: 170), [UInt8](repeating: 9, count: 170))
                gannet_reorder8(&quick, part, count, step, places)
                gannet_reorder8_plain(&plain, part, count, step, places)
                #expect(quick == plain, "\(count) pixels of \(step) bytes")
                let pixels = (0..<count).flatMap { pixel in order.map { $0 < 0 ? 255 : source[pixel * step + $0] } }
                #expect(Array(quick.prefix(count * 4)) == pixels)
                #expect(quick.dropFirst(count * 4).allSatisfy { $0 == 9 })
            }
        }
    }
}
