import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Every waiter gets the stale image, whatever came after it. // MG-15
@Suite(.timeLimit(.minutes(10))) struct StaleSnapshotTests {
    /// The second half of the answer waits at the gate.
    private struct HalvingLoader: ImageLoader {
        let gate = AsyncGate()
        var identifier: String { "halving" }
        func canLoad(_ source: ImageSource) -> Bool { true }
        func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
            let bytes = FakeImageCoder.bytes(width: 8, height: 4, red: 2)
            var pieces = [Array(bytes[..<6]), Array(bytes[6...])].makeIterator()
            let first = pieces.next()
            let position = CallCount()
            let (gate, second) = (gate, pieces.next())
            return LoadResponse(
                body: .stream(
                    ByteStream { () async throws(ImageError) -> [UInt8]? in
                        position.add()
                        if position.count == 2 { await gate.wait() }
                        return position.count == 1 ? first : position.count == 2 ? second : nil
                    }), origin: .network, expectedBytes: bytes.count)
        }
    }

    // MG-15
    @Test func whoComesLaterSeesItToo() async throws {
        let (disk, loader) = (InMemoryImageCache(), HalvingLoader())
        let fixture = ManagerFixture(diskCache: disk) { $0.loaders = LoadersManager([loader]) }
        let stored = CacheEntry(
            bytes: ByteRope(FakeImageCoder.bytes(width: 8, height: 4, red: 1)),
            metadata: CacheEntryMetadata(storedAt: fixture.time.now))
        try await disk.store(stored, for: CacheKey(ManagerFixture.url))
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        request.cache.lookup = .revalidate
        let first = fixture.manager.task(for: request)
        #expect(await eventually { first.snapshot.progress.received != 0 })
        let second = fixture.manager.task(for: request)
        #expect(await eventually { second.snapshot.progress.received != 0 })
        loader.gate.open()
        for task in [first, second] {
            var seen: [UInt8] = []
            for await event in task.events {
                switch event {
                case .stale(let picture): seen.append(red(picture))
                case .finished(let result): seen.append(red(try result.get()))
                default: break
                }
            }
            #expect(seen == [1, 2])
        }
    }
}
