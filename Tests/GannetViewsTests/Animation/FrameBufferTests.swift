import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

@Suite struct FrameBufferTests {
    private let executor = BlockingExecutor(name: "test", threads: 1)
    private let time = SteppedTime()

    @Test("test05AnimatedImagePreloadFrames")  // AN-02
    func preload() async throws {
        let frames = try NumberedFrames(5)
        let library = FrameLibrary(budget: FrameBudget(capacity: 0), executor: executor, time: time)
        let buffer = library.buffer(for: clip(frames, delays: Array(repeating: ms(100), count: 5)))
        #expect(!buffer.allFramesLoaded)
        try await buffer.preloadAll()
        #expect(buffer.allFramesLoaded)
        for index in 0..<5 { #expect(buffer.frame(at: index).map(red) == index) }
        buffer.purge()
        #expect(!buffer.allFramesLoaded && buffer.loadedFrames.isEmpty && buffer.byteCount == 0)
    }

    @Test("a preload that fails leaves the budget in force")  // AN-02, AN-16
    func failedPreload() async throws {
        let frames = try NumberedFrames(5, failing: [4])
        let library = FrameLibrary(budget: FrameBudget(capacity: 0), executor: executor, time: time)
        let buffer = library.buffer(for: clip(frames, delays: Array(repeating: ms(100), count: 5)))
        let error = await #expect(throws: ImageError.self) { try await buffer.preloadAll() }
        #expect(error?.code == .corrupt)
        #expect(buffer.loadedFrames.isEmpty)
    }

    @Test("a frame that failed once, and came with a preload, counts once")
    func failedAndPreloaded() async throws {
        let frames = try NumberedFrames(4, failingOnce: [1, 3])
        let library = FrameLibrary(budget: FrameBudget(capacity: 1 << 20), executor: executor, time: time)
        let signal = Signal()
        let player = try #require(
            AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 4)), library: library) { signal.fire() })
        player.seek(toFrame: 1, at: .zero)
        #expect(await eventually { player.buffer.error(at: 1) != nil })
        let error = await #expect(throws: ImageError.self) { try await player.buffer.preloadAll() }
        #expect(error?.code == .corrupt)
        try #require(player.buffer.error(at: 1) == nil)
        #expect(player.buffer.frame(at: 1).map(red) == 1)
        player.seek(toFrame: 3, at: .zero)
        #expect(await eventually { player.tick(at: .zero).frame == 3 })
        #expect(player.buffer.allFramesLoaded)
    }

    @Test("what a source of frames claims to hold is added up within bounds")  // AN-27
    func claims() throws {
        struct Boaster: FrameSource {
            let bitmap: Bitmap
            let byteCount: Int
            func frame(at index: Int) throws(ImageError) -> Bitmap { bitmap }
        }
        let bitmap = try solid(1)
        for claim in [Int.max, Int.min] {
            let image = AnimatedImage(
                metadata: ImageMetadata(format: .png, originalSize: bitmap.size), poster: bitmap, loopCount: 0,
                delays: [ms(100), ms(100)], source: Boaster(bitmap: bitmap, byteCount: claim))
            let cache = MemoryCache(limits: MemoryCacheLimits(bytes: .max))
            cache.store(CachedImage(image: .animated(image)), for: CacheKey("clip"))
            cache.store(CachedImage(image: .animated(image)), for: CacheKey("again"))
            #expect(cache.usage.bytes >= bitmap.byteCount && image.byteCount >= bitmap.byteCount)
        }
    }

    @Test("the budget bounds all clips together, two frames each always allowed")  // AN-16, U-04, S3-15
    func budgetIsKept() async throws {
        let frameBytes = try NumberedFrames(1, side: 64).poster.byteCount
        let budget = FrameBudget(capacity: frameBytes * 12)
        let library = FrameLibrary(budget: budget, executor: executor, time: time)
        let signal = Signal()
        var players: [AnimationPlayer] = []
        for _ in 0..<3 {
            let frames = try NumberedFrames(20, side: 64)
            let player = try #require(
                AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 20)), library: library) { signal.fire() })
            player.start(at: .zero)
            players.append(player)
        }
        #expect(budget.playingClips == 3)
        for step in 0..<45 {
            for player in players {
                while true {
                    let seen = signal.count
                    let tick = player.tick(at: ms(step * 100))
                    #expect(budget.usedBytes <= budget.capacity + 3 * 2 * frameBytes)
                    if !tick.isWaiting { break }
                    await signal.wait(for: seen + 1)
                }
                #expect(player.buffer.loadedFrames.count <= 4 + 2)
            }
        }
        players = []
        #expect(budget.usedBytes == 0 && budget.playingClips == 0)
    }

    @Test("one player's limit binds no other player of the clip")  // AN-16, AN-17
    func limitsOfOnePlayer() async throws {
        let library = FrameLibrary(budget: FrameBudget(capacity: 1 << 20), executor: executor, time: time)
        let signal = Signal()
        let image = clip(try NumberedFrames(8), delays: Array(repeating: ms(100), count: 8))
        var options = AnimationOptions()
        options.maximumBufferBytes = 1
        let cell = try #require(AnimationPlayer(image, options: options, library: library) { signal.fire() })
        func play(_ player: AnimationPlayer, from start: Int) async {
            for step in start..<start + 16 {
                while true {
                    let seen = signal.count
                    if !player.tick(at: ms(step * 100)).isWaiting { break }
                    await signal.wait(for: seen + 1)
                }
            }
        }
        cell.start(at: .zero)
        await play(cell, from: 0)
        #expect(cell.buffer.loadedFrames.count < 8, "alone it keeps what it allows")
        cell.pause(at: ms(1600))
        let detail = try #require(AnimationPlayer(image, library: library) { signal.fire() })
        #expect(detail.buffer === cell.buffer)
        detail.start(at: ms(1600))
        await play(detail, from: 16)
        #expect(detail.buffer.allFramesLoaded)
    }

    // AN-16
    @Test("clips that stand still give way")
    func standingClipsGiveWay() async throws {
        let frameBytes = try NumberedFrames(1, side: 64).poster.byteCount
        let budget = FrameBudget(capacity: frameBytes * 6)
        let library = FrameLibrary(budget: budget, executor: executor, time: time)
        let signal = Signal()
        let standing = try #require(
            AnimationPlayer(
                clip(try NumberedFrames(6, side: 64), delays: Array(repeating: ms(100), count: 6)), library: library
            ) { signal.fire() })
        try await standing.buffer.preloadAll()
        standing.pause(at: .zero)
        #expect(standing.buffer.allFramesLoaded)
        let playing = try #require(
            AnimationPlayer(
                clip(try NumberedFrames(6, side: 64), delays: Array(repeating: ms(100), count: 6)), library: library
            ) { signal.fire() })
        playing.start(at: .zero)
        for step in 0..<6 {
            while true {
                let seen = signal.count
                if !playing.tick(at: ms(step * 100)).isWaiting { break }
                await signal.wait(for: seen + 1)
            }
        }
        #expect(standing.buffer.loadedFrames.count <= 1)
    }

    // testAnimatorPurgeFramesKeepsCurrentFrameByDefault
    @Test("memory pressure takes what is not on screen")  // AN-17, U-04, AN-02
    func purge() async throws {
        let budget = FrameBudget(capacity: 1 << 20)
        let library = FrameLibrary(budget: budget, executor: executor, time: time)
        let signal = Signal()
        let player = try #require(
            AnimationPlayer(
                clip(try NumberedFrames(6), delays: Array(repeating: ms(100), count: 6)), library: library
            ) { signal.fire() })
        player.seek(toFrame: 3, at: .zero)
        while player.tick(at: .zero).frame != 3 {
            let seen = signal.count
            if player.tick(at: .zero).frame == 3 { break }
            await signal.wait(for: seen + 1)
        }
        try await player.buffer.preloadAll()
        budget.relieve(.none)
        #expect(player.buffer.loadedFrames == [0, 1, 2, 3, 4, 5])
        budget.relieve(.some)
        #expect(player.buffer.loadedFrames == [3])
    }

    // testCostForAnimatedImageWithUniqueFrames, testCostForAnimatedImageWithDuplicateFrames, testCostForAnimatedImageWithAllIdenticalFrames,
    // testCostForStaticImage, testCostForSingleFrameGIF
    @Test("test36AnimatedImageMemoryCost: shared pixels are counted once")  // AN-27
    func memoryCost() throws {
        let frames = try (0..<4).map { try solid(UInt8($0)) }
        let expanded = FrameArray((0..<40).map { frames[$0 % 4] })
        let image = AnimatedImage(
            metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
            delays: Array(repeating: ms(50), count: 40), source: expanded)
        #expect(image.byteCount == frames.reduce(0) { $0 + $1.byteCount })
        func cost(_ bitmaps: [Bitmap]) -> Int {
            AnimatedImage(
                metadata: ImageMetadata(format: .gif, originalSize: frames[0].size), poster: bitmaps[0], loopCount: 0,
                delays: Array(repeating: ms(50), count: bitmaps.count), source: FrameArray(bitmaps)
            ).byteCount
        }
        let one = frames[0].byteCount
        #expect(cost(Array(repeating: frames[0], count: 9)) == one && cost([frames[0]]) == one)
        #expect(cost(frames) == 4 * one)
        #expect(DecodedImage.still(frames[0], image.metadata).byteCount == one)
    }
}
