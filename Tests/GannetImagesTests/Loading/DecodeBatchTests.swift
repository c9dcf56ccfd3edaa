import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@testable import GannetImages

/// Decodes that wait for a slot share it with those of the same file.
@Suite(.timeLimit(.minutes(10))) struct DecodeBatchTests {
    private static let widths = [64, 48, 32, 16, 8, 4]

    private let fixture = ManagerFixture { $0.concurrentDecodes = 1 }
    private var gate: PriorityGate { fixture.manager.decodeGate }
    private var batches: DecodeBatches { fixture.manager.pipeline.batches }

    /// Long enough not to be decoded on the thread of its load.
    private static func file(red: UInt8 = 10, end: String = "\n") -> [UInt8] {
        let text = String(decoding: FakeImageCoder.bytes(width: 64, height: 32, red: red), as: UTF8.self)
        return Array((text.dropLast() + String(repeating: " ", count: 70_000) + end).utf8)
    }

    private func serve(_ url: String = ManagerFixture.url, _ file: [UInt8] = Self.file()) {
        fixture.loader.answer(url, with: .bytes(file, freshness: .unknown))
    }

    private func request(_ width: Int, _ url: String = ManagerFixture.url) -> ImageRequest {
        var request = ImageRequest(ImageSource(url), .fit(width, width))
        request.cache.sharesSizes = false
        return request
    }

    /// Runs `body` while the only slot is taken, and frees it.
    private func whileFull(_ body: (inout ThrowingTaskGroup<Void, any Error>) async throws -> Void) async throws {
        let (slot, holds) = (AsyncGate(), AsyncGate())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [gate] in
                try await gate.withSlot(priority: .normal) { () throws(ImageError) in
                    holds.open()
                    await slot.wait()
                }
            }
            await holds.wait()
            try await body(&group)
            slot.open()
            try await group.waitForAll()
        }
    }

    private func load(_ width: Int, _ url: String = ManagerFixture.url, in group: inout ThrowingTaskGroup<Void, any Error>) {
        let (manager, request) = (fixture.manager, request(width, url))
        group.addTask {
            let loaded = try await manager.image(for: request)
            #expect(loaded.image.size == PixelSize(width: width, height: width / 2) && red(loaded) == 10)
        }
    }

    // DC-25, U-19
    @Test func sizesThatWaitAreDecodedOnce() async throws {
        serve()
        try await whileFull { group in
            for width in Self.widths { load(width, in: &group) }
            #expect(await eventually { batches.waitingCount == Self.widths.count })
            #expect(await eventually { gate.waitingCount == 1 })
        }
        #expect(fixture.coder.decodeCount == 1 && batches.sharedCount == Self.widths.count)
        #expect(batches.openCount == 0)
    }

    /// Whoever comes first at the same moment makes the batch, and the others find it.
    @Test func thoseWhoComeTogetherFindOneBatch() async {
        let bytes = ByteRope(Self.file())
        for _ in 0..<500 {
            let batches = DecodeBatches(JobGraph())
            let found = await withTaskGroup(of: DecodeBatch.self) { group in
                for width in 1...8 {
                    group.addTask {
                        var options = ResolvedDecodeOptions()
                        options.target = .size(.fit(width, width))
                        return batches.enter(bytes, options, nil).0
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found.allSatisfy { $0 === found[0] } && batches.waitingCount == 8)
        }
    }

    @Test func otherFilesAndOtherOptionsAreDecodedApart() async throws {
        serve()
        serve("https://example.org/b.fake", Self.file(end: " \n"))
        let manager = fixture.manager
        var deep = request(8)
        deep.decode.keeps16Bit = true
        try await whileFull { group in
            load(32, in: &group)
            load(16, "https://example.org/b.fake", in: &group)
            group.addTask { [deep] in _ = try await manager.image(for: deep) }
            #expect(await eventually { batches.waitingCount == 3 && gate.waitingCount == 3 })
        }
        #expect(fixture.coder.decodeCount == 3 && batches.openCount == 0)
    }

    @Test func aFreeSlotIsTakenAtOnce() async throws {
        serve()
        for width in Self.widths { _ = try await fixture.manager.image(for: request(width)) }
        #expect(fixture.coder.decodeCount == Self.widths.count && batches.sharedCount == 0)
    }

    @Test func whoLeavesTakesNobodyAlong() async throws {
        serve()
        let manager = fixture.manager
        try await whileFull { group in
            let first = Task { [request = request(48)] in try await manager.image(for: request) }
            #expect(await eventually { batches.waitingCount == 1 })
            load(16, in: &group)
            load(8, in: &group)
            #expect(await eventually { batches.waitingCount == 3 })
            first.cancel()
            await #expect(throws: ImageError.self) { try await first.value }
        }
        #expect(fixture.coder.decodeCount == 1 && batches.sharedCount == 2 && batches.openCount == 0)
    }

    @Test func nothingIsDecodedForThoseWhoAllLeave() async throws {
        serve()
        let manager = fixture.manager
        try await whileFull { _ in
            let tasks = [48, 16].map { width in
                Task { [request = request(width)] in try await manager.image(for: request) }
            }
            #expect(await eventually { batches.waitingCount == 2 })
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: ImageError.self) { try await task.value } }
            #expect(await eventually { gate.waitingCount == 0 })
        }
        #expect(fixture.coder.decodeCount == 0 && batches.openCount == 0)
    }

    @Test func eachLearnsWhatIsWrong() async throws {
        serve(ManagerFixture.url, Self.file(end: "x"))
        let manager = fixture.manager
        try await whileFull { group in
            for width in [32, 16] {
                group.addTask { [request = request(width)] in
                    let error = await #expect(throws: ImageError.self) { try await manager.image(for: request) }
                    #expect(error?.code == .truncated)
                }
            }
            #expect(await eventually { batches.waitingCount == 2 })
        }
        #expect(batches.sharedCount == 0 && batches.openCount == 0)
    }

    @Test func theHighestPriorityOfABatchIsThatOfAll() async throws {
        serve()
        let manager = fixture.manager
        var (low, high) = (request(32), request(16))
        (low.schedule.priority, high.schedule.priority) = (.low, .high)
        try await whileFull { group in
            group.addTask { [low] in _ = try await manager.image(for: low) }
            #expect(await eventually { batches.priorities == [.low] })
            let urgent = Task { [high] in try await manager.image(for: high) }
            #expect(await eventually { batches.priorities == [.high] })
            urgent.cancel()
            await #expect(throws: ImageError.self) { try await urgent.value }
            #expect(await eventually { batches.priorities == [.low] })
        }
        #expect(fixture.coder.decodeCount == 1 && batches.openCount == 0)
    }
}
