import GannetCore
import Glibc
import Testing

@testable import GannetKernels

/// The part that is kept is the same as that part of the whole, whatever memory held before.
@Suite struct KeptPartTests {
    /// A pool whose memory is full of values that must not appear in an image.
    private func dirtyPool() throws -> PixelPool {
        let pool = PixelPool()
        let (count, value) = (4096, Int32(0xA5))
        let first = try pool.allocate(count)
        let second = try pool.allocate(count)
        let third = try pool.allocate(count)
        let fourth = try pool.allocate(count)
        memset(first.base, value, count)
        memset(second.base, value, count)
        memset(third.base, value, count)
        memset(fourth.base, value, count)
        return pool
    }

    @Test("every part of every small size", arguments: ResampleFilter.allCases)
    func parts(_ filter: ResampleFilter) throws {  // TR-02
        for source in 1...8 {
            let picture = try Picture.noise(3, source, seed: UInt64(source))
            for target in 1...8 {
                let size = Picture.size(3, target)
                let whole = try resample(picture, to: size, filter: filter)
                let pool = try dirtyPool()
                for first in 0..<target {
                    let kept = PixelRect(x: 0, y: first, width: 3, height: target - first)
                    let part = try resample(picture, to: size, keeping: kept, filter: filter, pool: pool)
                    let expected = Array(whole.packedBytes().dropFirst(first * whole.width * 4))
                    #expect(part.packedBytes() == expected, "\(source) to \(target) from row \(first)")
                }
            }
        }
    }
}
