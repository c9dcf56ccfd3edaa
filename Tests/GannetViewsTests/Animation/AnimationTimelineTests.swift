import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetViews
import Testing

@Suite struct AnimationTimelineTests {
    /// Every frame that is shown, in order, of a finite animation, and when.
    private func play(_ timeline: AnimationTimeline) -> [(frame: Int, start: Duration)] {
        var shown: [(Int, Duration)] = []
        var time = Duration.zero
        while true {
            let position = timeline.position(at: time)
            if position.isFinished { return shown }
            shown.append((position.frame, position.start))
            guard let end = position.end, end > time else { return shown }
            time = end
        }
    }

    @Test func timesBeyondAllClipsStayInRange() {
        let endless = AnimationTimeline(delays: [ms(40), ms(50)], loopCount: 0)
        for loop in [Int.max, Int.max / 90_000_000, Int.max / 90_000_000 - 1, 1 << 40] {
            #expect(endless.time(ofFrame: 1, loop: loop) > .zero)
        }
        for time in [Duration.nanoseconds(Int64.max), .seconds(Int64.max), endless.time(ofFrame: 1, loop: .max)] {
            let position = endless.position(at: time)
            #expect(position.start > .zero && position.end.map { $0 > position.start } == true)
        }
        // More days than fit into a number of nanoseconds.
        let long = AnimationTimeline(delays: Array(repeating: .seconds(200_000), count: 120_000), loopCount: 0)
        #expect(long.position(at: long.loopDuration - .nanoseconds(1)).loop == 0)
        #expect(long.position(at: .seconds(Int64.max)).frame >= 0)
    }

    @Test("test20AnimatedImageViewRendering: all frames and loops in order")  // AN-13, CD-37
    func framesAndLoopsInOrder() {
        let timeline = AnimationTimeline(delays: [ms(40), ms(50), ms(60)], loopCount: 2)
        let shown = play(timeline)
        #expect(shown.map(\.frame) == [0, 1, 2, 0, 1, 2])
        #expect(shown.map(\.start) == [0, 40, 90, 150, 190, 240].map(ms))
        #expect(timeline.totalDuration == ms(300))
        let end = timeline.position(at: ms(300))
        #expect(end.frame == 2 && end.isFinished && end.end == nil && end.loop == 2 && end.start == ms(240))
        #expect(timeline.position(at: .seconds(100_000)) == end)
    }

    @Test("test33AnimatedImagePlaybackModeReverse")  // AN-12
    func reverse() {
        let timeline = AnimationTimeline(delays: [ms(40), ms(50), ms(60)], loopCount: 1, mode: .reverse)
        let shown = play(timeline)
        #expect(shown.map(\.frame) == [2, 1, 0])
        #expect(shown.map(\.start) == [0, 60, 110].map(ms))
        #expect(timeline.position(at: ms(150)).frame == 0)
    }

    @Test("test34AnimatedImagePlaybackModeBounce: ends not doubled")  // AN-12
    func bounce() {
        let once = AnimationTimeline(delays: [ms(40), ms(50), ms(60)], loopCount: 1, mode: .bounce)
        #expect(play(once).map(\.frame) == [0, 1, 2, 1, 0])
        #expect(once.totalDuration == ms(40 + 50 + 60 + 50 + 40))
        #expect(once.position(at: .seconds(9)).frame == 0)
        let twice = AnimationTimeline(delays: [ms(40), ms(50), ms(60)], loopCount: 2, mode: .bounce)
        #expect(play(twice).map(\.frame) == [0, 1, 2, 1, 0, 1, 2, 1, 0])
    }

    @Test("test35AnimatedImagePlaybackModeReversedBounce")  // AN-12
    func reversedBounce() {
        let timeline = AnimationTimeline(delays: [ms(40), ms(50), ms(60)], loopCount: 1, mode: .reversedBounce)
        #expect(play(timeline).map(\.frame) == [2, 1, 0, 1, 2])
        #expect(timeline.position(at: .seconds(9)).frame == 2)
    }

    /// Small and exhaustive: an independent walk over the frames agrees with the look-up at every boundary.
    @Test(arguments: PlaybackMode.allCases)
    func everyBoundaryOfEverySmallClip(mode: PlaybackMode) {
        for count in 1...5 {
            for loops in 1...3 {
                let delays = (0..<count).map { ms(20 + 10 * $0) }
                let timeline = AnimationTimeline(delays: delays, loopCount: loops, mode: mode)
                var expected: [Int] = []
                for _ in 0..<loops { expected += mode.order(frameCount: count) }
                if count > 1, mode == .bounce || mode == .reversedBounce { expected.append(expected[0]) }
                var time = Duration.zero
                for (index, frame) in expected.enumerated() {
                    let first = timeline.position(at: time)
                    let last = timeline.position(at: time + delays[frame] - .nanoseconds(1))
                    #expect(first == last, "\(mode) \(count)×\(loops) at \(index)")
                    #expect(
                        first.frame == frame && first.start == time && !first.isFinished, "\(mode) \(count)×\(loops) at \(index)")
                    #expect(first.end == time + delays[frame])
                    #expect(
                        timeline.upcoming(after: first, count: 7)
                            == Array((count == 1 ? [] : expected[(index + 1)...]).prefix(7)),
                        "\(mode) \(count)×\(loops) at \(index)")
                    if index > 0 { #expect(timeline.previous(of: first)?.frame == expected[index - 1]) }
                    time += delays[frame]
                }
                #expect(timeline.totalDuration == time)
                let end = timeline.position(at: time)
                #expect(end.isFinished && end.frame == expected.last && end.loop == loops)
                #expect(timeline.upcoming(after: end, count: 3).isEmpty)
            }
        }
    }

    @Test func forEverGoesOnForYears() {
        let timeline = AnimationTimeline(delays: [ms(100), ms(100)], loopCount: 0)
        #expect(timeline.totalDuration == nil)
        let position = timeline.position(at: .seconds(86_400 * 365) + ms(150))
        #expect(position.frame == 1 && position.loop == 86_400 * 365 * 5 && !position.isFinished)
        #expect(timeline.upcoming(after: position, count: 3) == [0, 1, 0])
    }

    @Test("10 ms and less are shown for 100 ms")  // U-03, CD-36
    func shortDelays() {
        let timeline = AnimationTimeline(delays: [.zero, ms(10), ms(11), ms(-5)], loopCount: 1)
        #expect(play(timeline).map(\.start) == [0, 100, 200, 211].map(ms))
        #expect(timeline.totalDuration == ms(311))
    }

    @Test func hostileNumbersNeverTrap() {
        let huge = Duration.seconds(Int64.max)
        let timeline = AnimationTimeline(delays: [huge, huge], loopCount: .max, mode: .bounce)
        for time in [huge, .zero, .seconds(-5), .seconds(Int64.min)] { _ = timeline.position(at: time) }
        #expect(timeline.position(at: .seconds(-5)).frame == 0)
        #expect(timeline.time(ofFrame: .max, loop: .max) >= .zero)
        #expect(timeline.time(ofFrame: .min, loop: .min) == .zero)
        #expect(AnimationTimeline(delays: [ms(50)], loopCount: -3).loopCount == 0)
    }

    @Test func singleFrameStays() {
        for mode in PlaybackMode.allCases {
            let timeline = AnimationTimeline(delays: [ms(50)], loopCount: 1, mode: mode)
            #expect(timeline.position(at: ms(49)).frame == 0)
            #expect(timeline.position(at: ms(50)).isFinished)
        }
    }
}

@Suite struct AnimationPlaybackTests {
    private let timeline = AnimationTimeline(delays: [ms(100), ms(100), ms(100)], loopCount: 2)

    @Test func standsStillUntilStarted() {
        var playback = AnimationPlayback(timeline)
        #expect(playback.position(at: .seconds(9)).frame == 0 && playback.wake(at: .zero) == nil)
        playback.start(at: .seconds(10))
        #expect(playback.position(at: .seconds(10) + ms(150)).frame == 1)
        #expect(playback.wake(at: .seconds(10) + ms(150)) == .seconds(10) + ms(200))
    }

    @Test("test25AnimatedImageStopAnimatingNormal, test26: stop keeps or resets the index")  // AN-22
    func stopKeepsOrResets() {
        var playback = AnimationPlayback(timeline)
        playback.start(at: .zero)
        playback.stop(at: ms(250))
        #expect(playback.position(at: .seconds(50)).frame == 2 && playback.wake(at: .seconds(50)) == nil)
        playback.start(at: .seconds(50))
        #expect(playback.position(at: .seconds(50) + ms(60)).loop == 1)
        playback.stop(at: .seconds(50) + ms(60), resets: true)
        #expect(playback.position(at: .seconds(60)).frame == 0)
    }

    @Test("rate changes while playing; zero and less stand still")  // AN-11
    func rate() throws {
        var playback = AnimationPlayback(timeline, rate: 2)
        playback.start(at: .zero)
        #expect(playback.position(at: ms(50)).frame == 1)
        playback.setRate(0.5, at: ms(50))
        #expect(playback.position(at: ms(249)).frame == 1)
        #expect(playback.position(at: ms(250)).frame == 2)
        playback.setRate(-1, at: ms(250))
        #expect(playback.position(at: .seconds(99)).frame == 2 && playback.wake(at: .seconds(99)) == nil)
        playback.setRate(.nan, at: .seconds(100))
        #expect(playback.rate == 0)
        playback.setRate(3, at: .seconds(100))
        let wake = try #require(playback.wake(at: .seconds(100)))
        #expect(playback.position(at: wake).frame == 0 && playback.position(at: wake).loop == 1)
    }

    @Test("test29AnimatedImageSeekFrame")  // AN-10
    func seek() {
        for mode in PlaybackMode.allCases {
            for playing in [false, true] {
                var playback = AnimationPlayback(AnimationTimeline(delays: timeline3, loopCount: 3, mode: mode))
                if playing { playback.start(at: .zero) }
                for frame in 0..<3 {
                    for loop in 0..<3 {
                        playback.seek(toFrame: frame, loop: loop, at: ms(77))
                        let position = playback.position(at: ms(77))
                        #expect(position.frame == frame && position.loop == loop, "\(mode)")
                    }
                }
            }
        }
    }
    private let timeline3 = [ms(20), ms(30), ms(40)]

    @Test func startAfterTheEndStartsOver() {
        var playback = AnimationPlayback(timeline)
        playback.start(at: .zero)
        #expect(playback.position(at: .seconds(9)).isFinished)
        playback.stop(at: .seconds(9))
        playback.start(at: .seconds(20))
        #expect(playback.position(at: .seconds(20)).frame == 0 && !playback.position(at: .seconds(20)).isFinished)
    }

    @Test("test27AnimatedImageProgressiveAnimation: the index never goes back while data grows")  // AN-21
    func growingClip() {
        let delays = Array(repeating: ms(100), count: 6)
        var playback = AnimationPlayback(AnimationTimeline(delays: Array(delays.prefix(2)), loopCount: 0, isComplete: false))
        playback.start(at: .zero)
        var shown: [Int] = []
        for tick in 0..<100 {
            let now = ms(tick * 25)
            if tick == 40 {
                playback.replace(AnimationTimeline(delays: Array(delays.prefix(4)), loopCount: 0, isComplete: false), at: now)
            }
            if tick == 60 { playback.replace(AnimationTimeline(delays: delays, loopCount: 0), at: now) }
            let frame = playback.position(at: now).frame
            if shown.last != frame { shown.append(frame) }
        }
        #expect(Array(shown.prefix(7)) == [0, 1, 2, 3, 4, 5, 0])
    }

    @Test func changingTheModeKeepsTheFrame() {
        for old in PlaybackMode.allCases {
            for new in PlaybackMode.allCases {
                var playback = AnimationPlayback(AnimationTimeline(delays: timeline3, loopCount: 0, mode: old))
                playback.start(at: .zero)
                let frame = playback.position(at: ms(35)).frame
                playback.replace(AnimationTimeline(delays: timeline3, loopCount: 0, mode: new), at: ms(35))
                #expect(playback.position(at: ms(35)).frame == frame)
            }
        }
    }

    @Test("a clip whose end is missing for good plays as the file says; one that is arriving waits")  // AN-21
    func partialClips() throws {
        let frames = try NumberedFrames(3)
        var metadata = ImageMetadata(format: .gif, originalSize: frames.poster.size, isPartial: true)
        func timeline() -> AnimationTimeline {
            AnimationTimeline(
                AnimatedImage(
                    metadata: metadata, poster: frames.poster, loopCount: 2, delays: Array(repeating: ms(100), count: 3),
                    source: frames), mode: .reverse)
        }
        #expect(timeline().isComplete && timeline().mode == .reverse && timeline().loopCount == 2)
        metadata.isArriving = true
        #expect(!timeline().isComplete && timeline().mode == .normal && timeline().loopCount == 1)
    }
}
