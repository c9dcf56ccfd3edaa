import GannetCore
import Testing

// The thread sanitizer does not see that memory changes hands, so nothing is kept there.
#if !SANITIZE_THREAD
    /// Which released memory the next image gets.
    @Suite struct PixelPoolTests {
        private static let mebibyte = 1 << 20
        private static let small = mebibyte + mebibyte / 8

        private struct Taken {
            var capacity: Int
            var living: Int
            var idle: Int
        }

        /// Takes `wanted` bytes of a pool that was given back blocks of these sizes.
        private func take(_ wanted: Int, of sizes: [Int]) throws -> Taken {
            let pool = PixelPool()
            try release(sizes[...], to: pool)
            let memory = try pool.allocate(wanted)
            return withExtendedLifetime(memory) {
                Taken(capacity: memory.capacity, living: pool.livingBytes, idle: pool.idleBytes)
            }
        }

        /// All are held before the first one is released, so that none is used for another.
        private func release(_ sizes: ArraySlice<Int>, to pool: PixelPool) throws {
            guard let size = sizes.first else { return }
            let memory = try pool.allocate(size)
            try withExtendedLifetime(memory) { try release(sizes.dropFirst(), to: pool) }
        }

        // CG-11
        @Test(arguments: [
            // Of the blocks that fit, the smallest; nothing is new.
            ([10, 7, 9, 10], 9), ([10], 10), ([8, 9], 8),
            // Too small, or too much larger.
            ([7, 11], 8), ([], 8),
        ])
        func `An image of 8 MiB gets released memory of up to 10`(_ kept: [Int], _ expected: Int) throws {
            let taken = try take(8 * Self.mebibyte, of: kept.map { $0 * Self.mebibyte })
            #expect(taken.capacity == expected * Self.mebibyte && taken.living == taken.capacity)
            #expect(taken.idle == (kept.reduce(0, +) - (kept.contains(expected) ? expected : 0)) * Self.mebibyte)
        }

        @Test(arguments: [(small, small, 0), (mebibyte, mebibyte, small)])
        func `A small image gets memory of its own size alone`(_ wanted: Int, _ expected: Int, _ idle: Int) throws {
            let taken = try take(wanted, of: [Self.small])
            #expect(taken.capacity == expected && taken.idle == idle)
        }
    }
#endif
