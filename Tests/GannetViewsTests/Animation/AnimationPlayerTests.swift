import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

@Suite struct AnimationPlayerTests {
    private let time = SteppedTime()
    private let executor = BlockingExecutor(name: "test", threads: 1)

    private func library(_ capacity: Int = 1 << 20) -> FrameLibrary {
        FrameLibrary(budget: FrameBudget(capacity: capacity), executor: executor, time: time)
    }

    /// Ticks until the frame that is due is on screen; frames come from another thread.
    private func settled(_ player: AnimationPlayer, _ signal: Signal, at now: Duration) async -> AnimationPlayer.Tick {
        while true {
            let seen = signal.count
            let tick = player.tick(at: now)
            if !tick.isWaiting { return tick }
            await signal.wait(for: seen + 1)
        }
    }

    @Test func aSingleFrameHasNoPlayer() throws {  // AN-10
        let frames = try NumberedFrames(1)
        let player = AnimationPlayer(clip(frames, delays: [ms(50)]), library: library()) {}
        #expect(player == nil)
    }

    // AN-14
    @Test("test20AnimatedImageViewRendering: plays all frames and loops in order")
    func playsInOrder() async throws {
        let signal = Signal()
        let frames = try NumberedFrames(3)
        let player = try #require(
            AnimationPlayer(clip(frames, delays: [ms(40), ms(50), ms(60)], loops: 2), library: library()) { signal.fire() })
        var events: [AnimationEvent] = []
        player.onEvent = { events.append($0) }
        player.start(at: .zero)
        var now = Duration.zero
        var reds: [Int] = []
        while true {
            let tick = await settled(player, signal, at: now)
            #expect(red(tick.bitmap) == tick.frame)
            if tick.isNew || reds.isEmpty { reds.append(tick.frame) }
            guard let wake = tick.wake else { break }
            now = wake
        }
        #expect(reds == [0, 1, 2, 0, 1, 2] && now == ms(300))
        #expect(
            events == [.frame(0), .frame(1), .frame(2), .frame(0), .loop(1), .frame(1), .frame(2), .loop(2), .finished])
        #expect(frames.decoded.count <= 3, "frames that fit are decoded once")
    }

    @Test("late frames are dropped, the tempo stays")  // AN-15, S3-15
    func dropsLateFrames() async throws {
        let signal = Signal()
        let frames = try NumberedFrames(10)
        let player = try #require(
            AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 10)), library: library()) { signal.fire() })
        player.start(at: .zero)
        let tick = await settled(player, signal, at: ms(750))
        #expect(tick.frame == 7 && red(tick.bitmap) == 7 && tick.wake == ms(800))
    }

    @Test func aBrokenFrameKeepsTheOneBefore() async throws {
        let signal = Signal()
        let frames = try NumberedFrames(3, failing: [1])
        let player = try #require(
            AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 3)), library: library()) { signal.fire() })
        player.start(at: .zero)
        let broken = await settled(player, signal, at: ms(100))
        #expect(broken.frame == 0 && player.buffer.error(at: 1)?.code == .corrupt)
        let next = await settled(player, signal, at: ms(200))
        #expect(next.frame == 2)
        #expect(frames.decoded.filter { $0 == 1 }.count == 1, "a broken frame is not tried again and again")
    }

    @Test("two players of one image share its frames")  // AN-17, MC-15, NK-25, U-03
    func playersShareFrames() async throws {
        let signal = Signal()
        let frames = try NumberedFrames(4)
        let image = clip(frames, delays: Array(repeating: ms(100), count: 4))
        let library = library()
        let first = try #require(AnimationPlayer(image, library: library) { signal.fire() })
        let second = try #require(AnimationPlayer(image, library: library) { signal.fire() })
        #expect(first.buffer === second.buffer)
        first.start(at: .zero)
        second.start(at: .zero)
        for now in [ms(0), ms(100), ms(200), ms(300), ms(450)] {
            let a = await settled(first, signal, at: now)
            let b = await settled(second, signal, at: now)
            #expect(a.frame == b.frame && a.bitmap.identity == b.bitmap.identity)
        }
        #expect(frames.decoded.count <= 4)
    }

    @Test("two players far apart, with room for two frames, go on")  // AN-16, AN-17
    func playersFarApart() async throws {
        let signal = Signal()
        var options = AnimationOptions()
        options.maximumBufferBytes = 1
        let image = clip(try NumberedFrames(20), delays: Array(repeating: ms(100), count: 20))
        let library = library()
        let first = try #require(AnimationPlayer(image, options: options, library: library) { signal.fire() })
        let second = try #require(AnimationPlayer(image, options: options, library: library) { signal.fire() })
        second.seek(toFrame: 10, at: .zero)
        first.start(at: .zero)
        second.start(at: .zero)
        for now in [ms(0), ms(100), ms(200), ms(300)] {
            let frames = (await settled(first, signal, at: now).frame, await settled(second, signal, at: now).frame)
            #expect(frames.1 == frames.0 + 10)
        }
    }

    @Test("any number of frames ahead is at most all of them")
    func everythingAhead() async throws {
        let signal = Signal()
        var options = AnimationOptions()
        options.decodeAhead = .max
        let image = clip(try NumberedFrames(4), delays: Array(repeating: ms(100), count: 4))
        let player = try #require(AnimationPlayer(image, options: options, library: library()) { signal.fire() })
        player.start(at: .zero)
        #expect(await settled(player, signal, at: ms(300)).frame == 3)
    }

    @Test("test25AnimatedImageStopAnimatingNormal, test26AnimatedImageStopAnimatingClearBuffer")  // AN-22
    func stopping() async throws {
        for clears in [false, true] {
            let signal = Signal()
            let frames = try NumberedFrames(4)
            var options = AnimationOptions()
            options.clearsBufferWhenStopped = clears
            options.resetsWhenStopped = clears
            let player = try #require(
                AnimationPlayer(
                    clip(frames, delays: Array(repeating: ms(100), count: 4)), options: options, library: library()
                ) { signal.fire() })
            player.start(at: .zero)
            _ = await settled(player, signal, at: ms(200))
            player.stop(at: ms(200))
            #expect(!player.isPlaying)
            if clears {
                #expect(player.buffer.loadedFrames.isEmpty)
                #expect(player.tick(at: ms(900)).frame == 0)
            } else {
                #expect(player.buffer.loadedFrames.contains(2))
                #expect(player.tick(at: ms(900)).frame == 2)
            }
        }
    }

    @Test("test29AnimatedImageSeekFrame: each index yields that frame")
    func seeking() async throws {
        let signal = Signal()
        let frames = try NumberedFrames(5)
        let player = try #require(
            AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 5)), library: library()) { signal.fire() })
        for index in [4, 0, 3, 1, 2] {
            player.seek(toFrame: index, at: .zero)
            let tick = await settled(player, signal, at: .zero)
            #expect(tick.frame == index && red(tick.bitmap) == index)
        }
    }

    @Test("testAnimationTransformerWorks: every shown frame is replaced, and kept after it")  // AN-26, TR-18
    func transformer() async throws {
        struct Inverted: ImageTransformer {
            var identifier: String? { "inverted" }
            func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
                var copy = try bitmap.mutableCopy()
                for y in 0..<bitmap.height {
                    var row = copy.mutableRow(y)
                    for x in 0..<bitmap.width { row[x * 4] = 255 - row[x * 4] }
                }
                return copy.freeze()
            }
        }
        let signal = Signal()
        let frames = try NumberedFrames(3)
        var options = AnimationOptions()
        options.transformer = Inverted()
        let player = try #require(
            AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 3)), options: options, library: library()) {
                signal.fire()
            })
        player.start(at: .zero)
        var seen: [Int] = []
        for now in [ms(0), ms(100), ms(200)] {
            while true {
                let count = signal.count
                let tick = player.tick(at: now)
                if red(tick.bitmap) == 255 - Int(now / ms(100)) {
                    seen.append(red(tick.bitmap))
                    break
                }
                await signal.wait(for: count + 1)
            }
        }
        #expect(seen == [255, 254, 253])
    }

    @Test("test27AnimatedImageProgressiveAnimation in a player")  // AN-21
    func growing() async throws {
        let signal = Signal()
        let frames = try NumberedFrames(4)
        let delays = Array(repeating: ms(100), count: 4)
        let player = try #require(
            AnimationPlayer(
                clip(frames, delays: Array(delays.prefix(2)), isPartial: true), library: library()
            ) { signal.fire() })
        player.start(at: .zero)
        #expect(await settled(player, signal, at: ms(900)).frame == 1)
        player.replace(clip(frames, delays: delays), at: ms(900))
        #expect(await settled(player, signal, at: ms(900)).frame == 2)
        #expect(await settled(player, signal, at: ms(1000)).frame == 3)
        #expect(await settled(player, signal, at: ms(1100)).frame == 0)
    }

    /// Goes from wake to wake until nothing is due any more: the frames that were shown one after the other.
    private func playOut(_ player: AnimationPlayer, _ signal: Signal, from start: Duration) async -> (
        frames: [Int], end: Duration
    ) {
        var now = start
        var frames: [Int] = []
        while true {
            let tick = await settled(player, signal, at: now)
            if frames.last != tick.frame { frames.append(tick.frame) }
            guard let wake = tick.wake else { return (frames, now) }
            now = wake
        }
    }

    @Test("loops that are added to a finished clip are played, all of them, and their end is told")
    func moreLoops() async throws {
        let signal = Signal()
        let delays = Array(repeating: ms(100), count: 3)
        let player = try #require(
            AnimationPlayer(clip(try NumberedFrames(3), delays: delays, loops: 1), library: library()) { signal.fire() })
        var events: [AnimationEvent] = []
        player.onEvent = { events.append($0) }
        player.start(at: .zero)
        let once = await playOut(player, signal, from: .zero)
        #expect(once.frames == [0, 1, 2] && once.end == ms(300) && events.suffix(2) == [.loop(1), .finished])
        #expect(!player.isPlaying)
        events = []
        player.setLoopCount(1, at: ms(5000))
        #expect(await playOut(player, signal, from: ms(5000)).end == ms(5000))
        #expect(events.isEmpty && !player.isPlaying, "there is nothing more to play")
        player.setLoopCount(3, at: ms(6000))
        #expect(player.isPlaying)
        // The frame on screen stays for its time, as if it had just come.
        let more = await playOut(player, signal, from: ms(6000))
        #expect(more.frames == [2, 0, 1, 2, 0, 1, 2] && more.end == ms(6700))
        #expect(
            events == [.frame(0), .frame(1), .frame(2), .frame(0), .loop(2), .frame(1), .frame(2), .loop(3), .finished])
        events = []
        player.setLoopCount(2, at: ms(9000))
        #expect(await playOut(player, signal, from: ms(9000)).frames == [2])
        #expect(events.isEmpty)
        player.setMode(.reverse, at: ms(9500))
        #expect(await playOut(player, signal, from: ms(9500)).frames == [2, 1, 0])
        #expect(events.last == .finished)
        player.pause(at: ms(9900))
        player.setLoopCount(9, at: ms(9900))
        #expect(await playOut(player, signal, from: ms(9900)).frames == [0] && !player.isPlaying, "who was stopped stands")
    }

    @Test("a bounce that has finished goes on from the frame it closed with")
    func moreBounces() async throws {
        let signal = Signal()
        var options = AnimationOptions()
        options.mode = .bounce
        let delays = Array(repeating: ms(100), count: 3)
        let player = try #require(
            AnimationPlayer(
                clip(try NumberedFrames(3), delays: delays, loops: 1), options: options, library: library()
            ) { signal.fire() })
        player.start(at: .zero)
        #expect(await playOut(player, signal, from: .zero).frames == [0, 1, 2, 1, 0])
        player.setLoopCount(2, at: ms(800))
        let more = await playOut(player, signal, from: ms(800))
        #expect(more.frames == [0, 1, 2, 1, 0] && more.end == ms(1300))
    }

    @Test func pausedPlayersDecodeNothing() async throws {  // AN-23, AN-18
        let frames = try NumberedFrames(4)
        let player = try #require(
            AnimationPlayer(clip(frames, delays: Array(repeating: ms(100), count: 4)), library: library()) {})
        for now in 0..<20 { #expect(player.tick(at: ms(now * 50)).frame == 0) }
        player.pause(at: ms(1000))
        _ = player.tick(at: ms(2000))
        // Frame 0 is the poster; nothing else was wanted.
        #expect(frames.decoded.allSatisfy { $0 == 0 })
    }

    @Test("the decoder is given back once every frame is kept, and when nobody looks any more")  // AN-16, U-04
    func decoderRests() async throws {
        let short = try NumberedFrames(4)
        let signal = Signal()
        let image = clip(short, delays: Array(repeating: ms(100), count: 4))
        var player = AnimationPlayer(image, library: library()) { signal.fire() }
        player?.start(at: .zero)
        for step in 0..<4 { _ = await settled(try #require(player), signal, at: ms(step * 100)) }
        let buffer = try #require(player?.buffer)
        // Players are notified of a frame only after everything that follows from it.
        while true {
            let seen = signal.count
            if short.timesRested > 0 { break }
            await signal.wait(for: seen + 1)
        }
        #expect(buffer.allFramesLoaded)
        let before = short.timesRested
        for step in 4..<40 { _ = player?.tick(at: ms(step * 100)) }
        #expect(short.timesRested == before && buffer.decodedFrames == 4)
        player = nil
        #expect(await eventually { short.timesRested == before + 1 })

        // A long animation needs its decoder again and again; memory pressure does not make it start over.
        let long = try NumberedFrames(20, side: 64)
        let tight = library(long.poster.byteCount * 3)
        let other = try #require(
            AnimationPlayer(clip(long, delays: Array(repeating: ms(100), count: 20)), library: tight) { signal.fire() })
        other.start(at: .zero)
        for step in 0..<50 { _ = await settled(other, signal, at: ms(step * 100)) }
        tight.budget.purge()
        #expect(long.timesRested == 0)
        let again = try #require(AnimationPlayer(other.image, library: tight) {})
        again.start(at: ms(5000))
        other.pause(at: ms(5000))
        #expect(long.timesRested == 0, "one of them still plays")
        again.pause(at: ms(5000))
        #expect(await eventually { long.timesRested == 1 }, "nobody knows for how long")
        tight.budget.purge()
        #expect(await eventually { long.timesRested == 2 })
    }
}
