import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Glibc
import Synchronization
import Testing

/// Memory that decodes reserve while they run, and their behaviour when other decodes hold it. // U-02
@Suite(.timeLimit(.minutes(10))) struct DecodeBudgetTests {
    /// In a small container the decodes may not take all of it.
    @Test func `Budgets follow the memory there is`() {
        #expect(ManagerConfiguration.decodeBudget(ofMemory: nil) == 1 << 30)
        #expect(ManagerConfiguration.decodeBudget(ofMemory: 64 << 30) == 1 << 30)
        #expect(ManagerConfiguration.decodeBudget(ofMemory: 512 << 20) == 256 << 20)
        #expect(FrameBudget.capacity(ofMemory: nil) == 256 << 20)
        #expect(FrameBudget.capacity(ofMemory: 64 << 30) == 256 << 20)
        #expect(FrameBudget.capacity(ofMemory: 512 << 20) == 64 << 20)
        #expect(FrameBudget.capacity(ofMemory: 1 << 20) == 8 << 20)
    }

    /// Files of the fake format whose decoder wants `extra` bytes beside each picture, and keeps them as long as it lives.
    private final class GreedyCoder: ImageCoder {
        let extra: Int
        let frames: Int
        /// This many decodes wait for each other before they reserve more.
        let meeting: Int
        private let arrived = Atomic(0)
        private let refused = Atomic(0)
        let base = FakeImageCoder()

        init(extra: Int, frames: Int = 1, meeting: Int = 0) {
            self.extra = extra
            self.frames = frames
            self.meeting = meeting
        }

        var identifier: String { "greedy" }
        var formats: [ImageFormat] { base.formats }
        var refusals: Int { refused.load(ordering: .acquiring) }
        func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            GreedyDecoder(
                self, try base.makeDecoder(for: format, options: options, environment: environment), environment.budget)
        }

        func meet() {
            if arrived.add(1, ordering: .acquiringAndReleasing).newValue > meeting { return }
            while arrived.load(ordering: .acquiring) < meeting { sched_yield() }
        }

        func refuse() { refused.add(1, ordering: .acquiringAndReleasing) }
    }

    private final class GreedyDecoder: ImageDecoder {
        let coder: GreedyCoder
        let base: any ImageDecoder
        let budget: ResourceBudget
        var reservation: ResourceBudget.Reservation?

        init(_ coder: GreedyCoder, _ base: any ImageDecoder, _ budget: ResourceBudget) {
            (self.coder, self.base, self.budget) = (coder, base, budget)
        }

        var header: ImageHeader? {
            guard var header = base.header else { return nil }
            header.frameCount = coder.frames
            if coder.frames > 1 {
                header.animation = AnimationInfo(loopCount: 0, delays: Array(repeating: .milliseconds(100), count: coder.frames))
            }
            return header
        }
        var outputLayout: PixelLayout? { base.outputLayout }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try base.read(from: bytes) }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            coder.meet()
            if reservation == nil {
                reservation = try budget.reserve(coder.extra)
                if reservation == nil {
                    coder.refuse()
                    throw ImageError(.limitExceeded, stage: .decode, "No room beside the picture.")
                }
            }
            try base.decodeFrame(at: index, into: &buffer)
        }
    }

    private func fixture(_ coder: GreedyCoder, budget: Int, threads: Int = 2) -> ManagerFixture {
        ManagerFixture {
            $0.coders = CodersManager([coder])
            $0.decodeBudget = budget
            $0.concurrentDecodes = threads
            $0.executor = BlockingExecutor(name: "test", threads: threads)
        }
    }

    private func url(_ index: Int) -> String { "https://example.org/\(index).fake" }

    /// A picture of 400 bytes.
    private func serve(_ fixture: ManagerFixture, _ index: Int, side: Int = 10) {
        fixture.serve(url(index), width: side, height: side)
    }

    // U-02
    @Test func `Decodes that hold half of the room each are all done`() async throws {
        let coder = GreedyCoder(extra: 300, meeting: 2)
        let fixture = fixture(coder, budget: 1000)
        for index in 0..<6 { serve(fixture, index) }
        let codes = await withTaskGroup(of: ImageError.Code?.self) { group in
            for index in 0..<6 {
                group.addTask { await failureCode { try await fixture.manager.image(for: ImageSource(self.url(index))) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: nil, count: 6))
        #expect(coder.refusals > 0, "nobody was in anybody's way")
        #expect(await eventually { fixture.manager.budget.usedBytes == 0 })
        #expect(fixture.manager.budget.peakBytes <= 1000)
    }

    @Test func `What can never fit is an error`() async {
        let fixture = fixture(GreedyCoder(extra: 700), budget: 1000)
        serve(fixture, 0)
        #expect(await failureCode { try await fixture.manager.image(for: ImageSource(self.url(0))) } == .limitExceeded)
        #expect(await eventually { fixture.manager.budget.usedBytes == 0 })
    }

    @Test func `A large picture that waits for room leaves its slot to small ones`() async throws {
        let fixture = fixture(GreedyCoder(extra: 0), budget: 1000, threads: 1)
        // 576 and 64 bytes.
        serve(fixture, 0, side: 12)
        serve(fixture, 1, side: 4)
        var others: ResourceBudget.Reservation? = try fixture.manager.budget.reserve(600)
        #expect(others != nil)
        let codes = Mutex<[ImageError.Code??]>([nil, nil])
        for index in 0..<2 {
            Task { @Sendable in
                let code = await failureCode { try await fixture.manager.image(for: ImageSource(self.url(index))) }
                codes.withLock { $0[index] = .some(code) }
            }
            if index == 0 { #expect(await eventually { fixture.manager.budget.waitingCount == 1 }) }
        }
        #expect(await eventually { codes.withLock { $0[1] } == .some(nil) }, "the small one waits for the large one")
        #expect(codes.withLock { $0[0] } == nil)
        others = nil
        #expect(await eventually { codes.withLock { $0[0] } == .some(nil) })
    }

    @Test func `Only so many bytes pass one that waits, and the more urgent go first`() async throws {
        let budget = ResourceBudget(capacity: 1000)
        var running: ResourceBudget.Reservation? = try budget.reserve(600)
        let large = Task { try await budget.reserveWhenFree(500).bytes }
        #expect(await eventually { budget.waitingCount == 1 })
        for _ in 0..<3 { #expect(try budget.reserveInTurn(300) != nil) }
        #expect(try budget.reserveInTurn(300) == nil, "small ones for ever")
        #expect(try budget.reserveInTurn(300, priority: .high) != nil)
        let order = Mutex<[LoadPriority]>([])
        let waiting = [LoadPriority.low, .high].map { priority in
            Task { @Sendable in
                let reservation = try await budget.reserveWhenFree(900) { priority }
                order.withLock { $0.append(priority) }
                _ = consume reservation
            }
        }
        #expect(await eventually { budget.waitingCount == 3 })
        #expect(running != nil)
        running = nil
        #expect(try await large.value == 500)
        for task in waiting { try await task.value }
        #expect(order.withLock { $0 } == [.high, .low])
        #expect(budget.usedBytes == 0)
    }

    // OP-20
    @Test func `All frames at once have their place in the room`() async throws {
        let coder = GreedyCoder(extra: 0, frames: 10, meeting: 2)
        let fixture = fixture(coder, budget: 12 * 480)
        for index in 0..<2 { serve(fixture, index) }
        let animated = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2 {
                let request = ImageRequest(ImageSource(url(index)), .preloadingAllFrames)
                group.addTask { (try? await fixture.manager.image(for: request))?.image.isAnimated ?? false }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(animated == [true, true])
        #expect((10 * 480...12 * 480).contains(fixture.manager.budget.peakBytes), "one after the other")
        #expect(await eventually { fixture.manager.budget.usedBytes == 0 })

        let small = self.fixture(GreedyCoder(extra: 0, frames: 10), budget: 3 * 480)
        serve(small, 0)
        let request = ImageRequest(ImageSource(url(0)), .preloadingAllFrames)
        #expect(await failureCode { try await small.manager.image(for: request) } == .limitExceeded)
        #expect(await failureCode { try await small.manager.image(for: ImageSource(self.url(0))) } == nil)
    }

    @Test func `Who decodes goes before those who wait`() async throws {
        let budget = ResourceBudget(capacity: 1000)
        var running: ResourceBudget.Reservation? = try budget.reserve(500)
        let waiting = Task { try await budget.reserveWhenFree(900).bytes }
        #expect(await eventually { budget.waitingCount != 0 })
        #expect(try budget.reserve(0) != nil)
        #expect(try budget.reserve(400) != nil)
        #expect(running != nil)
        running = nil
        #expect(try await waiting.value == 900)
        #expect(budget.usedBytes == 0)
    }

    @Test func `Reservations that are kept are as large as what ends with them`() throws {
        let budget = ResourceBudget(capacity: 1000)
        var kept: [MemoryReservation] = [try #require(try budget.reserve(7))]
        do {
            let part = budget.part(granted: try budget.reserve(100))
            kept.append(try #require(try part.reserve(30)))
            kept.append(try #require(try part.reserve(90)))
        }
        #expect(MemoryReservation.heldBytes(kept) == 127 && budget.usedBytes == 127)
        kept.remove(at: 2)
        // The grant stays for the other one.
        #expect(MemoryReservation.heldBytes(kept) == 107 && budget.usedBytes == 107)
        kept = []
        #expect(MemoryReservation.heldBytes(kept) == 0 && budget.usedBytes == 0)
    }

    @Test func `A part uses up its grant first, and knows what it would have needed`() throws {
        let budget = ResourceBudget(capacity: 1000)
        let granted = try budget.reserve(100)
        let part = budget.part(granted: granted)
        var first = try part.reserve(60)
        var second = try part.reserve(60)
        #expect(first != nil && second != nil)
        #expect(budget.usedBytes == 120 && part.usedBytes == 120 && part.heldBytes == 120)
        first = nil
        #expect(budget.usedBytes == 120 && part.usedBytes == 60)
        let other = try budget.reserve(800)
        #expect(other != nil)
        #expect(try part.reserve(200) == nil)
        #expect(part.shortage == 260 && budget.usedBytes == 920)
        #expect(try part.reserve(60) != nil, "the grant is still there")
        #expect(try part.reserve(950) == nil, "never fits: some decoders know another way")
        #expect(part.shortage == 260)
        #expect(throws: ImageError.self) { try part.reserve(1001) }
        #expect(throws: ImageError.self) { try part.reserveInTurn(950) }
        second = nil
        #expect(part.usedBytes == 0 && budget.usedBytes == 900)
    }

    private func animation(_ fixture: ManagerFixture) async throws -> AnimatedImage {
        serve(fixture, 0)
        guard case .animated(let animation) = try await fixture.manager.image(for: ImageSource(url(0))).image else {
            throw ImageError(.misuse, "The picture does not move.")
        }
        return animation
    }

    @Test func `An animation that stands gives way`() async throws {  // AN-16
        let fixture = fixture(GreedyCoder(extra: 300, frames: 3), budget: 1000)
        let animation = try await animation(fixture)
        _ = try animation.blockingFrame(at: 1)
        #expect(fixture.manager.budget.usedBytes == 300, "kept for the next frame")
        // 576 bytes and 300 more.
        serve(fixture, 1, side: 12)
        _ = try await fixture.manager.image(for: ImageSource(url(1)))
        #expect(await eventually { fixture.manager.budget.usedBytes == 0 })
        #expect(red(try animation.blockingFrame(at: 2)) == 10)
        animation.source.rest()
        #expect(fixture.manager.budget.usedBytes == 0)
    }

    @Test func `A frame waits for room, and is shown when there is`() async throws {
        let coder = GreedyCoder(extra: 300, frames: 3)
        let fixture = fixture(coder, budget: 1000)
        let animation = try await animation(fixture)
        var others: ResourceBudget.Reservation? = try fixture.manager.budget.reserve(900)
        #expect(others != nil)
        let signal = Signal()
        let library = FrameLibrary(
            budget: FrameBudget(capacity: 1 << 20), executor: BlockingExecutor(name: "test", threads: 1), time: SteppedTime())
        let player = try #require(AnimationPlayer(animation, library: library) { signal.fire() })
        player.start(at: .zero)
        let frames = Task {
            var count = 0
            for try await _ in animation.frames(loops: 1) { count += 1 }
            return count
        }
        #expect(await eventually { fixture.manager.budget.waitingCount >= 2 })
        #expect(player.buffer.error(at: 1) == nil)
        others = nil
        await signal.wait(for: 3)
        #expect(player.buffer.error(at: 1) == nil && player.buffer.allFramesLoaded)
        #expect(try await frames.value == 3)
    }
}
