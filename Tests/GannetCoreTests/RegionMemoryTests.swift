import GannetCore
import Testing

/// What is kept between two regions of a file.
@Suite struct RegionMemoryTests {
    private final class Knowledge: RegionKnowledge { let heldBytes = 7 }

    // NW-03
    @Test func `What gives way gives up what was learnt, and the pixels that nothing uses`() throws {
        let memory = RegionMemory(budget: ResourceBudget(capacity: 1 << 20))
        _ = memory.value { Knowledge() }
        // Kept for the next region, but where the thread sanitizer watches.
        let first = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 512, 512)), pool: memory.pool)
        #expect(memory.heldBytes == 7 && memory.pool.livingBytes >= 1 << 20)
        release(first)
        #if !SANITIZE_THREAD
            #expect(memory.pool.idleBytes >= 1 << 20)
        #endif
        memory.giveWay()
        #expect(memory.heldBytes == 0 && memory.pool.idleBytes == 0 && memory.pool.livingBytes == 0)
    }

    @Test(arguments: [(0, 0), (1 << 20, 1 << 20), (128 << 20, 16 << 20)])
    func `Regions keep no more pixels than whole images, and 16 MiB at most`(_ whole: Int, _ most: Int) {
        #expect(RegionMemory(idle: whole).pool.maximumIdleBytes == most)
    }

    private func release(_ buffer: consuming PixelBuffer) { _ = buffer.size }
}
