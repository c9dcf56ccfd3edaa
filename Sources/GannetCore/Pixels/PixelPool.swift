import Glibc
import Synchronization

/// Keeps released pixel memory for the next image.
///
/// Writing into fresh memory costs ten times as much as into used memory, because the kernel clears each page first.
/// Blocks come in size classes (steps of an eighth of a power of two), so a fresh block wastes at most 12.5 %. Blocks of 2 MiB
/// and more are mapped on their own and asked for huge pages; one of these is also used for an image that needs up to a
/// fifth less, so that photographs of different shapes use the same memory.
public final class PixelPool: Sendable {
    /// Used by everything that is not given another pool.
    public static let shared = PixelPool()

    private struct State: ~Copyable {
        /// One list of released addresses for each size class. An array, because a dictionary's values cannot be changed in place
        /// without an allocation.
        var free: [(capacity: Int, addresses: [UInt])] = []
        var freeBytes = 0
        var livingBytes = 0

        /// The smallest released block that is large enough and not too large.
        mutating func take(_ byteCount: Int) -> (address: UInt, capacity: Int)? {
            let wanted = PixelPool.sizeClass(byteCount)
            let most = wanted < PixelPool.mappedFrom ? wanted : max(wanted, byteCount + byteCount / 4)
            var best: Int?
            for list in free.indices where !free[list].addresses.isEmpty && (wanted...most).contains(free[list].capacity) {
                if let best, free[best].capacity <= free[list].capacity { continue }
                best = list
            }
            guard let best, let address = free[best].addresses.popLast() else { return nil }
            let capacity = free[best].capacity
            freeBytes -= capacity
            livingBytes += capacity
            return (address, capacity)
        }
    }

    private let state: Mutex<State>
    /// The maximum number of unused bytes that the pool keeps.
    public let maximumIdleBytes: Int

    /// Allocates nothing yet. Default 128 MiB.
    public init(maximumIdleBytes: Int = 128 << 20) {
        self.maximumIdleBytes = maximumIdleBytes
        self.state = Mutex(State())
    }

    /// Bytes allocated and not yet released.
    public var livingBytes: Int { state.withLock { $0.livingBytes } }
    /// Bytes kept for later.
    public var idleBytes: Int { state.withLock { $0.freeBytes } }

    /// Returns idle memory to the system.
    public func trim() {
        let all = state.withLock { state in
            let all = state.free
            state.free = []
            state.freeBytes = 0
            return all
        }
        for (capacity, addresses) in all {
            for address in addresses { Self.release(address, capacity) }
        }
    }

    /// At least `byteCount` bytes, 64-byte aligned, contents undefined. Throws `limitExceeded` if the system has no memory left.
    package func allocate(_ byteCount: Int) throws(ImageError) -> PixelMemory {
        let capacity = Self.sizeClass(byteCount)
        let reused = state.withLock { state -> (address: UInt, capacity: Int)? in
            let reused = state.take(byteCount)
            if reused == nil { state.livingBytes += capacity }
            return reused
        }
        if let reused, let base = UnsafeMutableRawPointer(bitPattern: reused.address) {
            return PixelMemory(base: base, capacity: reused.capacity, pool: self)
        }
        guard let base = Self.fresh(capacity) else {
            state.withLock { $0.livingBytes -= capacity }
            throw ImageError(
                .limitExceeded, stage: .decode,
                "The system has no \(byteCount) bytes of memory left for pixels; lower the decode limits or the memory cache.")
        }
        return PixelMemory(base: base, capacity: capacity, pool: self)
    }

    fileprivate func giveBack(_ base: UnsafeMutableRawPointer, _ capacity: Int) {
        let keep = state.withLock { state in
            state.livingBytes -= capacity
            #if SANITIZE_THREAD
                // The thread sanitizer does not see the Mutex through which memory changes hands.
                return false
            #else
                guard state.freeBytes + capacity <= maximumIdleBytes else { return false }
                if let list = state.free.firstIndex(where: { $0.capacity == capacity }) {
                    state.free[list].addresses.append(UInt(bitPattern: base))
                } else {
                    state.free.append((capacity, [UInt(bitPattern: base)]))
                }
                state.freeBytes += capacity
                return true
            #endif
        }
        if !keep { Self.release(UInt(bitPattern: base), capacity) }
    }

    deinit { trim() }

    private static let mappedFrom = 2 << 20

    static func sizeClass(_ byteCount: Int) -> Int {
        let wanted = max(byteCount, 4096)
        let step = max(4096, 1 << (Int.bitWidth - 1 - wanted.leadingZeroBitCount - 3))
        return (wanted + step - 1) / step * step
    }

    private static func fresh(_ capacity: Int) -> UnsafeMutableRawPointer? {
        if capacity < mappedFrom {
            var pointer: UnsafeMutableRawPointer?
            return posix_memalign(&pointer, 64, capacity) == 0 ? pointer : nil
        }
        guard let mapped = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            mapped != UnsafeMutableRawPointer(bitPattern: -1)
        else { return nil }
        madvise(mapped, capacity, MADV_HUGEPAGE)
        return mapped
    }

    private static func release(_ address: UInt, _ capacity: Int) {
        guard let base = UnsafeMutableRawPointer(bitPattern: address) else { return }
        if capacity < mappedFrom { free(base) } else { munmap(base, capacity) }
    }
}

/// One block of a pool, owned by the holder of this value; the block returns to the pool when the value ends. Or memory of another
/// owner, who keeps it.
package struct PixelMemory: ~Copyable, @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let capacity: Int
    /// Nil: another owner's.
    private let pool: PixelPool?

    init(base: UnsafeMutableRawPointer, capacity: Int, pool: PixelPool?) {
        self.base = base
        self.capacity = capacity
        self.pool = pool
    }

    deinit { pool?.giveBack(base, capacity) }
}
