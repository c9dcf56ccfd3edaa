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

/// Which users keep an animation's decoder alive, and for how long.
@Suite(.timeLimit(.minutes(10))) struct FrameUseTests {
    /// Animations of ten frames of the fake format. Their decoders hold 300 bytes as long as they live, and can be held up.
    private final class HeldCoder: ImageCoder {
        private let base = FakeImageCoder()
        private let counts = Mutex((made: 0, arrived: 0))
        private let isOpen = Atomic(true)

        var identifier: String { "held" }
        var formats: [ImageFormat] { base.formats }
        func recognizes(_ head: Span<UInt8>) -> Recognition { base.recognizes(head) }
        func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
        func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            counts.withLock { $0.made += 1 }
            return HeldDecoder(
                self, try base.makeDecoder(for: format, options: options, environment: environment), environment.budget)
        }

        var made: Int { counts.withLock { $0.made } }
        var arrived: Int { counts.withLock { $0.arrived } }
        func close() { isOpen.store(false, ordering: .releasing) }
        func open() { isOpen.store(true, ordering: .releasing) }
        func pass() {
            counts.withLock { $0.arrived += 1 }
            while !isOpen.load(ordering: .acquiring) { sched_yield() }
        }
    }

    private final class HeldDecoder: ImageDecoder {
        private let coder: HeldCoder
        private let base: any ImageDecoder
        private let budget: ResourceBudget
        private var reservation: ResourceBudget.Reservation?

        init(_ coder: HeldCoder, _ base: any ImageDecoder, _ budget: ResourceBudget) {
            (self.coder, self.base, self.budget) = (coder, base, budget)
        }

        var header: ImageHeader? {
            guard var header = base.header else { return nil }
            header.frameCount = 10
            header.animation = AnimationInfo(loopCount: 0, delays: Array(repeating: ms(100), count: 10))
            return header
        }
        var outputLayout: PixelLayout? { base.outputLayout }
        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus { try base.read(from: bytes) }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            if reservation == nil { reservation = try budget.reserve(300) }
            if index > 0 { coder.pass() }
            try base.decodeFrame(at: index, into: &buffer)
        }
    }

    private let coder: HeldCoder
    private let manager: ImageManager
    private let fixture: ManagerFixture
    private let signal = Signal()
    /// Two frames are kept, and no more.
    private let library = FrameLibrary(
        budget: FrameBudget(capacity: 0), executor: BlockingExecutor(name: "test", threads: 2), time: SteppedTime())

    init() {
        let coder = HeldCoder()
        self.coder = coder
        fixture = ManagerFixture { $0.coders = CodersManager([coder]) }
        fixture.serve()
        manager = fixture.manager
    }

    private func animation(isTransformed: Bool = false) async throws -> AnimatedImage {
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        if isTransformed { request = request.with(.transform(AddTransformer(amount: 1))) }
        guard case .animated(let animation) = try await manager.image(for: request).image else {
            throw ImageError(.misuse, "The picture does not move.")
        }
        return animation
    }

    private func player(_ animation: AnimatedImage) throws -> AnimationPlayer {
        var options = AnimationOptions()
        options.decodeAhead = 1
        let signal = signal
        return try #require(AnimationPlayer(animation, options: options, library: library) { signal.fire() })
    }

    /// Shows frame `index`, until the one after it is there as well and nothing is being decoded.
    private func show(_ index: Int, _ player: AnimationPlayer) async {
        while true {
            let seen = signal.count
            let tick = player.tick(at: ms(index * 100))
            if !tick.isWaiting, player.buffer.frame(at: index + 1) != nil { return }
            await signal.wait(for: seen + 1)
        }
    }

    @Test("a view that goes while a frame is decoded leaves no decoder behind, nor one that stands", arguments: [false, true])
    func goesDuringADecode(_ pauses: Bool) async throws {
        let animation = try await animation()
        #expect(await eventually { manager.budget.usedBytes == 0 })
        coder.close()
        var player: AnimationPlayer? = try player(animation)
        player?.start(at: .zero)
        #expect(await eventually { coder.arrived == 1 })
        #expect(manager.budget.usedBytes >= 300)
        if pauses { player?.pause(at: .zero) } else { player = nil }
        coder.open()
        #expect(await eventually { manager.budget.usedBytes == 0 })
        #expect(coder.arrived <= 2)
        withExtendedLifetime(player) {}
    }

    @Test("a preload that is given up leaves no decoder behind")
    func cancelledPreload() async throws {
        let animation = try await animation()
        #expect(await eventually { manager.budget.usedBytes == 0 })
        coder.close()
        let buffer = library.buffer(for: animation)
        let preload = Task { try? await buffer.preloadAll() }
        #expect(await eventually { coder.arrived == 1 })
        preload.cancel()
        coder.open()
        await preload.value
        #expect(manager.budget.usedBytes == 0)
    }

    @Test("one who ends takes the decoder from nobody who goes on", arguments: [false, true])
    func usersAreCounted(_ isTransformed: Bool) async throws {
        let animation = try await animation(isTransformed: isTransformed)
        #expect(await eventually { manager.budget.usedBytes == 0 })
        var player: AnimationPlayer? = try player(animation)
        player?.start(at: .zero)
        for index in 0..<3 { await show(index, try #require(player)) }
        let made = coder.made
        for try await frame in animation.frames(loops: 1) where frame.index == 2 { break }
        for index in 3..<6 { await show(index, try #require(player)) }
        #expect(coder.made == made, "the view's decoder was taken away")
        // The other way round.
        var frames = Optional(animation.frames(loops: 1).makeAsyncIterator())
        _ = try await frames?.next()
        _ = try await frames?.next()
        player = nil
        _ = try await frames?.next()
        #expect(coder.made == made && manager.budget.usedBytes >= 300)
        frames = nil
        #expect(await eventually { manager.budget.usedBytes == 0 })
        // No player uses it: a decoder made for single frames is kept until `rest()`.
        _ = try animation.blockingFrame(at: 3)
        #expect(manager.budget.usedBytes >= 300)
        animation.source.rest()
        #expect(manager.budget.usedBytes == 0)
    }
}
