import GannetCore
import Testing

@testable import GannetSharedCaches

struct UploadQueueTests {
    private func put(_ index: Int, _ line: inout UploadQueue, _ limits: S3Limits, bytes: Int = 10) -> UploadQueue.Outcome {
        let entry = CacheEntry(
            bytes: ByteRope([UInt8](repeating: UInt8(index), count: bytes)), metadata: CacheEntryMetadata(storedAt: .distantPast))
        return line.add(.entry(entry), for: CacheKey("\(index)"), limits: limits)
    }

    private func byte(_ put: UploadQueue.Upload) -> UInt8? {
        if case .entry(let entry) = put.change { return entry.bytes.contiguous().first }
        return nil
    }

    @Test func theOldestGoFirstWithinLimits() throws {
        var (line, limits) = (UploadQueue(), S3Limits())
        (limits.waiting, limits.waitingBytes, limits.writers) = (3, 35, 2)
        #expect(put(0, &line, limits) == .needsWriter && (put(1, &line, limits)) == .needsWriter)
        #expect(put(2, &line, limits) == .waits && (put(3, &line, limits)) == .dropped)
        // The same entry again takes the place that it has.
        #expect(put(1, &line, limits) == .waits)
        guard let first = line.next() else { throw ImageError(.misuse, "nothing waits") }
        #expect(byte(first) == 0)
        #expect(put(4, &line, limits, bytes: 16) == .dropped && (put(4, &line, limits, bytes: 15)) == .waits)
        guard let second = line.next() else { throw ImageError(.misuse, "nothing waits") }
        #expect(byte(second) == 1)
        // A newer one waits until the older one of the same entry is written.
        #expect(put(0, &line, limits, bytes: 0) == .waits)
        let forgotten = line.forget { $0 == second.key }.count
        #expect(forgotten == 0)
        let rest = [line.next(), line.next(), line.next()]
        #expect(rest.map { $0.map { byte($0) } } == [2, 4, nil])
        let watchers = line.done(first)
        let last = line.next()
        #expect(watchers.isEmpty && last?.key == first.key)
        let (left, end) = (line.forget().count, line.next())
        #expect(left == 0 && end == nil)
        // Both writers have gone.
        #expect(put(5, &line, limits) == .needsWriter)
    }
}
