import FoundationEssentials
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetFetch
@testable import GannetImages

/// Bytes that wait for a decode hold fetches up; nothing waits for itself.
@Suite struct UnusedBytesTests {
    private static let picture = FakeImageCoder.bytes(width: 8, height: 4, red: 10)

    /// Decodes wait until ``ImageManager/work`` is resumed.
    private struct Rig {
        let transport: ScriptedTransport
        let loader: HTTPLoader
        let manager: ImageManager
        let disk = InMemoryImageCache()

        init(
            slots: Int, maximum: Int,
            answer: @escaping ScriptedTransport.Answer = { request, _ in
                .fixed(request, headers: [("Cache-Control", "max-age=60")], body: UnusedBytesTests.picture)
            }
        ) {
            transport = ScriptedTransport(answer)
            var downloads = DownloaderConfiguration()
            downloads.maximumConcurrentDownloads = slots
            downloads.maximumUnusedBytes = maximum
            loader = HTTPLoader(transport: transport, configuration: downloads)
            var configuration = ManagerConfiguration(
                memoryCache: nil, diskCache: disk, loaders: LoadersManager([loader]), coders: CodersManager([FakeImageCoder()]))
            configuration.slots = loader.slots
            manager = ImageManager(configuration: configuration)
            manager.work.gate.isSuspended = true
        }

        func request(_ number: Int) -> ImageRequest { ImageRequest(source: ImageSource("https://example.org/\(number).fake")) }

        /// Many loads at once; ends when all have ended.
        func load(_ count: Int) async -> [ImageError.Code?] {
            await withTaskGroup(of: ImageError.Code?.self) { group in
                for number in 0..<count {
                    group.addTask { await failureCode { try await manager.image(for: request(number)) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    @Test func `Fetches go at the pace of decodes`() async throws {
        let rig = Rig(slots: 3, maximum: 0)
        async let results = rig.load(20)
        // All slots are kept by loads whose bytes wait.
        #expect(await eventually { rig.manager.work.gate.waitingCount == 3 && rig.loader.slots.waitingCount == 17 })
        #expect(rig.transport.requests.count == 3)
        #expect(rig.loader.slots.unused.count == 3 * Self.picture.count)
        rig.manager.work.gate.isSuspended = false
        #expect(await results.allSatisfy { $0 == nil })
        #expect(rig.transport.requests.count == 20)
        #expect(rig.loader.slots.unused.count == 0)
        #expect(rig.loader.slots.runningCount == 0)
    }

    @Test func `Below the maximum nothing waits`() async throws {
        let rig = Rig(slots: 3, maximum: 20 * Self.picture.count)
        async let results = rig.load(20)
        #expect(await eventually { rig.manager.work.gate.waitingCount == 20 })
        #expect(rig.loader.slots.runningCount == 0)
        rig.manager.work.gate.isSuspended = false
        #expect(await results.allSatisfy { $0 == nil })
    }

    @Test func `A higher maximum lets the next fetches begin at once`() async throws {
        let rig = Rig(slots: 1, maximum: 0)
        async let results = rig.load(4)
        #expect(await eventually { rig.manager.work.gate.waitingCount == 1 && rig.loader.slots.waitingCount == 3 })
        rig.loader.configuration.maximumUnusedBytes = 1 << 20
        #expect(await eventually { rig.manager.work.gate.waitingCount == 4 })
        rig.manager.work.gate.isSuspended = false
        #expect(await results.allSatisfy { $0 == nil })
    }

    @Test func `Reading stored bytes goes at the pace of decodes too`() async throws {
        let rig = Rig(slots: 3, maximum: 0)
        let places = BlockingExecutor.processorCount * 4
        for number in 0..<(places + 5) { _ = try await rig.manager.fetchBytes(for: rig.request(number)) }
        async let results = rig.load(places + 5)
        #expect(await eventually { rig.manager.work.gate.waitingCount == places })
        #expect(rig.loader.slots.unused.count == places * Self.picture.count)
        rig.manager.work.gate.isSuspended = false
        #expect(await results.allSatisfy { $0 == nil })
        #expect(rig.transport.requests.count == places + 5)
    }

    @Test func `Bytes that the caller has hold nobody up`() async throws {
        let rig = Rig(slots: 1, maximum: 0)
        var kept: [FetchedBytes] = []
        for number in 0..<3 { kept.append(try await rig.manager.fetchBytes(for: rig.request(number))) }
        #expect(kept.count == 3)
        #expect(rig.loader.slots.unused.count == 0)
    }

    @Test func `A load whose bytes are no picture has a slot for its next source`() async throws {
        let rig = Rig(slots: 1, maximum: 0) { request, _ in
            .fixed(request, body: request.url.path.hasSuffix("bad.fake") ? Array("FAKE nothing\n".utf8) : Self.picture)
        }
        rig.manager.work.gate.isSuspended = false
        let wish = ImageRequest(source: ImageSource("https://example.org/bad.fake"))
            .with(.alternatives([ImageSource("https://example.org/good.fake")]))
        #expect(try await rig.manager.image(for: wish).bitmap.width == 8)
        #expect(rig.loader.slots.runningCount == 0)
    }

    @Test func `A load that is cancelled while its bytes wait gives its slot back`() async throws {
        let rig = Rig(slots: 1, maximum: 0)
        let first = Task { await rig.load(1) }
        #expect(await eventually { rig.manager.work.gate.waitingCount == 1 })
        first.cancel()
        #expect(await first.value == [.cancelled])
        #expect(await eventually { rig.loader.slots.runningCount == 0 && rig.loader.slots.unused.count == 0 })
    }

    /// Of the fetches that have begun one always may go on.
    @Test func `Bytes that arrive beyond the hard maximum are refused, but for the oldest fetch`() async throws {
        let gate = PriorityGate(limit: 3)
        let slots = (0..<3).map { _ in HeldSlot(gate, nil, LivePriority(.normal)) }
        let unused = UnusedBytes(maximum: 50, hardMaximum: 100)
        func refusal(_ count: Int, _ slot: Int) -> ImageError? {
            do throws(ImageError) { try unused.arrived(count, in: slots[slot]) } catch { return error }
            return nil
        }
        #expect(refusal(60, 0) == nil && refusal(40, 1) == nil)
        let error = refusal(1, 2)
        #expect(error?.code == .cancelled && error?.retryAfter == .seconds(1))
        #expect(refusal(1, 1)?.code == .cancelled && unused.count == 100)
        // The oldest one, as far as its own limit goes.
        #expect(refusal(500, 0) == nil && unused.count == 600)
        unused.endArriving(in: slots[0])
        #expect(unused.count == 40)
        // Now the second is the oldest.
        #expect(refusal(90, 1) == nil && unused.count == 130)
        let part = unused.begin(130, in: slots[1])
        #expect(unused.count == 130)
        part.end()
        #expect(unused.count == 0 && refusal(100, 2) == nil)
    }

    @Test func `A transfer without room ends with an error that says to come back`() async throws {
        let body = Self.picture
        let rig = Rig(slots: 3, maximum: 1 << 20)
        rig.loader.configuration.hardMaximumUnusedBytes = body.count + body.count / 2
        async let first = rig.load(1)
        #expect(await eventually { rig.manager.work.gate.waitingCount == 1 })
        // Another source holds the place of the oldest transfer.
        let other = HeldSlot(PriorityGate(limit: 1), nil, LivePriority(.normal))
        try rig.loader.slots.unused.arrived(1, in: other)
        let error = await #expect(throws: ImageError.self) { try await rig.manager.image(for: rig.request(7)) }
        #expect(error?.code == .cancelled && error?.retryAfter == .seconds(1))
        rig.loader.slots.unused.endArriving(in: other)
        rig.manager.work.gate.isSuspended = false
        #expect(await first == [nil])
        #expect(rig.loader.slots.unused.count == 0)
        _ = try await rig.manager.image(for: rig.request(7))
    }
}
