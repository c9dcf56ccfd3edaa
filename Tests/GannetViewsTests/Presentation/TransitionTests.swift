import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews
import Testing

@MainActor @Suite struct TransitionTests {
    let loader = ManualLoader()
    let request: ImageRequest = "https://example.org/a.png"

    /// VW-33: network always; disk, file and data unless they came while the caller waited; memory never; forced always; only
    /// the final picture.
    @Test func ruleTable() {
        for origin in [LoadedImage.Origin.memory, .disk, .network, .revalidated, .file, .data] {
            for isSynchronous in [false, true] {
                let expected =
                    switch origin {
                    case .network, .revalidated: true
                    case .disk, .file, .data: !isSynchronous
                    case .memory: false
                    }
                func runs(_ forced: Bool, _ final: Bool) -> Bool {
                    TransitionRule.runs(origin: origin, isSynchronous: isSynchronous, isForced: forced, isFinal: final)
                }
                #expect(runs(false, true) == expected)
                #expect(runs(true, true))
                #expect(!runs(true, false) && !runs(false, false))
            }
        }
    }

    private func pixel(_ view: HeadlessView, _ now: Duration, x: Int, y: Int) throws -> [Int] {
        let bitmap = try view.draw(at: now)
        let row = bitmap.row(y)
        return (0..<4).map { Int(row[x * 4 + $0]) }
    }

    /// A blue view in which a red picture arrives at time zero.
    private func started(_ transition: ImageTransition, _ change: (inout PresentationOptions) -> Void = { _ in }) async throws
        -> (HeadlessView, () -> Int)
    {
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        view.presenter.defaults.transition = transition
        var options = PresentationOptions()
        options.placeholder = .color(PixelColor(red: 0, green: 0, blue: 200))
        change(&options)
        final class Count { var value = 0 }
        let ends = Count()
        view.presenter.setImage(request, options: options) { _ in ends.value += 1 }
        _ = try view.draw(at: .zero)
        loader.loads[0].succeed(still(try solid(200, width: 10, height: 10)))
        await eventually { view.presenter.image != nil }
        return (view, { ends.value })
    }

    private let red = [200, 0, 0, 255]
    private let blue = [0, 0, 200, 255]

    @Test("testUIViewTransitionFromNetworkWork: fade, pixels at given times")  // VW-32, CD-46
    func fade() async throws {
        let (view, ends) = try await started(ImageTransition(.fade, duration: .milliseconds(100), easing: .linear))
        #expect(ends() == 1, "the completion does not wait")
        #expect(try pixel(view, .seconds(1), x: 5, y: 5) == blue)
        #expect(try pixel(view, .seconds(1) + .milliseconds(50), x: 5, y: 5) == [100, 0, 100, 255])
        #expect(view.wake == .seconds(1) + .milliseconds(50), "as often as the display")
        #expect(try pixel(view, .seconds(1) + .milliseconds(100), x: 5, y: 5) == red)
        #expect(!view.presenter.isTransitionRunning && view.wake == nil)
    }

    // CG-25
    @Test func crossfade() async throws {
        let (view, _) = try await started(ImageTransition(.crossfade, duration: .milliseconds(100), easing: .linear))
        _ = try view.draw(at: .zero)
        let half = try pixel(view, .milliseconds(50), x: 5, y: 5)
        #expect(half[0] == 100 && half[2] == 50 && half[3] == 192)
        #expect(try pixel(view, .milliseconds(100), x: 5, y: 5) == red)
    }

    // VW-32
    @Test(arguments: Edge.allCases) func slide(edge: Edge) async throws {
        let (view, _) = try await started(ImageTransition(.slide(from: edge), duration: .milliseconds(100), easing: .linear))
        _ = try view.draw(at: .zero)
        let corners: [(Int, Int)] = [(2, 5), (7, 5), (5, 2), (5, 7)]
        let half = try corners.map { try pixel(view, .milliseconds(50), x: $0.0, y: $0.1) == red }
        switch edge {
        case .left: #expect(half[0] && !half[1])
        case .right: #expect(!half[0] && half[1])
        case .top: #expect(half[2] && !half[3])
        case .bottom: #expect(!half[2] && half[3])
        }
        #expect(try pixel(view, .milliseconds(100), x: 5, y: 5) == red)
    }

    // VW-32
    @Test(arguments: Edge.allCases) func flip(edge: Edge) async throws {
        let (view, _) = try await started(ImageTransition(.flip(from: edge), duration: .milliseconds(100), easing: .linear))
        _ = try view.draw(at: .zero)
        #expect(try pixel(view, .milliseconds(25), x: 5, y: 5) == blue)
        #expect(try pixel(view, .milliseconds(75), x: 5, y: 5) == red)
        let isSideways = edge == .left || edge == .right
        #expect(try pixel(view, .milliseconds(75), x: isSideways ? 1 : 5, y: isSideways ? 5 : 1) == [0, 0, 0, 0])
    }

    // VW-32
    @Test func curls() async throws {
        let (up, _) = try await started(ImageTransition(.curlUp, duration: .milliseconds(100), easing: .linear))
        _ = try up.draw(at: .zero)
        #expect(try pixel(up, .milliseconds(50), x: 5, y: 2) == blue)
        #expect(try pixel(up, .milliseconds(50), x: 5, y: 7) == red)
    }

    @Test func curlDownAndCustom() async throws {
        let (down, _) = try await started(ImageTransition(.curlDown, duration: .milliseconds(100), easing: .linear))
        _ = try down.draw(at: .zero)
        #expect(try pixel(down, .milliseconds(50), x: 5, y: 2) == red)
        #expect(try pixel(down, .milliseconds(50), x: 5, y: 7) == blue)
        let custom = ImageTransition(
            .custom { TransitionStep(old: .hidden, new: Placement(opacity: $0 / 2)) }, duration: .milliseconds(100),
            easing: .linear)
        #expect(custom.step(at: .milliseconds(50)).new.opacity == 0.25)
        #expect(custom.step(at: .milliseconds(100)) == .end)
    }

    @Test("waitTransition: the completion comes after it")  // VW-34, OP-25
    func waits() async throws {
        let (view, ends) = try await started(.fade(.milliseconds(100))) { $0.waitsForTransition = true }
        _ = try view.draw(at: .zero)
        #expect(ends() == 0)
        _ = try view.draw(at: .milliseconds(99))
        #expect(ends() == 0)
        _ = try view.draw(at: .milliseconds(100))
        #expect(ends() == 1)
        _ = try view.draw(at: .milliseconds(500))
        #expect(ends() == 1)
    }

    @Test("a waiting completion still comes when the view is hidden, and when another call takes over")
    func waitingIsInterrupted() async throws {
        let (view, ends) = try await started(.fade) { $0.waitsForTransition = true }
        view.presenter.setVisible(false)
        #expect(ends() == 1)
        let (other, otherEnds) = try await started2()
        other.presenter.setImage(nil)
        #expect(otherEnds() == 1)
    }

    private func started2() async throws -> (HeadlessView, () -> Int) {
        let other = TransitionTests()
        return try await other.started(.fade) { $0.waitsForTransition = true }
    }

    @Test("hidden views show the picture without a transition")
    func hidden() async throws {
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        view.presenter.setVisible(false)
        var options = PresentationOptions()
        options.transition = .fade
        options.waitsForTransition = true
        var ended = false
        view.presenter.setImage(request, options: options) { _ in ended = true }
        loader.loads[0].succeed(still(try solid(200)))
        await eventually { ended }
        #expect(ended && !view.presenter.isTransitionRunning)
    }

    // OP-17
    @Test("forceTransition: also from memory") func forced() throws {
        loader.remember(still(try solid(200)), for: request.source)
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        _ = try view.draw(at: .zero)
        var options = PresentationOptions()
        options.transition = .fade
        options.forcesTransition = true
        view.presenter.setImage(request, options: options)
        #expect(view.presenter.isTransitionRunning)
    }

    @Test("a call's `.none` is none, whatever the view has") func overriddenByNone() async throws {
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        _ = try view.draw(at: .zero)
        view.presenter.defaults.transition = .fade
        view.presenter.defaults.indicator = .activity
        var options = PresentationOptions()
        options.transition = .none
        options.indicator = .none
        view.presenter.setImage(request, options: options)
        #expect(!view.presenter.isIndicatorVisible)
        loader.loads[0].succeed(still(try solid(200)))
        await eventually { view.presenter.image != nil }
        #expect(!view.presenter.isTransitionRunning)
    }

    @Test("a call that says nothing has the view's") func inherited() async throws {
        let view = HeadlessView(width: 10, height: 10, loader: loader)
        _ = try view.draw(at: .zero)
        view.presenter.defaults.transition = .fade
        view.presenter.defaults.indicator = .activity
        view.presenter.setImage(request, options: PresentationOptions())
        #expect(view.presenter.isIndicatorVisible)
        loader.loads[0].succeed(still(try solid(200)))
        await eventually { view.presenter.image != nil }
        #expect(view.presenter.isTransitionRunning)
    }

    @Test func easingsStayInsideAndMeetTheirEnds() {
        for easing in ImageTransition.Easing.allCases {
            #expect(easing.apply(0) == 0 && easing.apply(1) == 1 && easing.apply(-3) == 0 && easing.apply(9) == 1)
            for step in 0..<100 { #expect(easing.apply(Double(step) / 100) <= easing.apply(Double(step + 1) / 100)) }
        }
    }
}
