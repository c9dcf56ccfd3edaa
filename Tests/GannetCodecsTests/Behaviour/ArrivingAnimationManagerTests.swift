import GannetCache
import GannetCodecs
import GannetCore
import GannetFetch
import GannetImages
import GannetTesting
import GannetViews
import Testing

/// Animations that play while they are loaded, from the manager to the view, by the names of SDWebImage's tests. AN-21, MG-16, VW-35.
@Suite(.timeLimit(.minutes(10))) struct ArrivingAnimationManagerTests {
    static let url = "https://example.org/clip"

    private func manager(
        _ loader: any ImageLoader, memory: MemoryCache = MemoryCache(), coders: CodersManager = AvailableCoders.manager
    ) -> ImageManager {
        ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: memory, diskCache: nil, loaders: LoadersManager([loader]), coders: coders))
    }

    private func request() -> ImageRequest {
        var request = ImageRequest(ImageSource(Self.url))
        request.decode.previews = PreviewPolicy(isEnabled: true, minimumInterval: .zero)
        return request
    }

    // AN-21
    @Test(
        "test23AnimatedImageViewCategoryProgressive, test27AnimatedImageProgressiveAnimation: what came of a clip is a preview that moves",
        arguments: ArrivingAnimationTests.formats, [false, true])
    func previews(_ format: ImageFormat, _ hasTransformer: Bool) async throws {
        let bytes = try ArrivingAnimationTests.file(format)
        let loader = SteppedLoader(bytes, cutAt: [try ArrivingAnimationTests.cut(bytes, format, frames: 3)])
        let memory = MemoryCache()
        let manager = manager(loader, memory: memory)
        var request = request()
        // The transformer does not apply to animations, so it must not apply to their previews either.
        if hasTransformer { request.transform.transformers = [.crop(x: 0, y: 0, width: 5, height: 4)] }
        var clip: AnimatedImage?
        var result: Result<LoadedImage, ImageError>?
        for await event in manager.task(for: request).events {
            switch event {
            case .preview(let preview):
                guard case .animated(let image) = preview else {
                    Issue.record("a still, though three frames have come")
                    continue
                }
                // The last bytes may arrive before it is known that no more follow.
                if let clip {
                    #expect(image.frameCount > clip.frameCount && image.metadata.isPartial)
                    continue
                }
                clip = image
                #expect(memory.usage.count == 0, "a preview was stored")
                loader.gates[0].open()
            case .finished(let end): result = end
            case .progress, .stale: break
            }
        }
        let whole = try #require(result).get().image
        let part = try #require(clip)
        #expect(part.frameCount == 3 && part.metadata.isPartial && part.size == ArrivingAnimationTests.size)
        #expect(whole.frameCount == 6 && !whole.metadata.isPartial)
        for index in 0..<3 {
            #expect(try part.blockingFrame(at: index).packedBytes() == ArrivingAnimationTests.pixels(whole, index))
        }
        guard case .animated(let end) = whole else { return }
        #expect(Array(end.delays.prefix(3)) == part.delays)
    }

    // AN-21
    @Test(
        "test21AnimatedImageViewSetProgressiveAnimatedImage: a view plays on from its frame, and never back",
        arguments: ArrivingAnimationTests.formats)
    @MainActor func view(_ format: ImageFormat) async throws {
        let bytes = try ArrivingAnimationTests.file(format)
        let cuts = try [1, 3, 4].map { try ArrivingAnimationTests.cut(bytes, format, frames: $0) }
        let loader = SteppedLoader(bytes, cutAt: cuts)
        let library = FrameLibrary(budget: FrameBudget(capacity: 1 << 20))
        guard case .found(let base, _) = AvailableCoders.manager.match(ByteRope(bytes), hint: nil) else { return }
        let coder = CountingCoder(base)
        let view = HeadlessView(
            width: 48, height: 32, loader: manager(loader, coders: CodersManager([coder])), library: library)
        var isOver = false
        view.presenter.setImage(request()) { _ in isOver = true }
        var shown: [Int] = []
        /// Draws until the frame that is due is there.
        func draw(_ now: Duration, until frames: Int) async throws {
            while true {
                _ = try view.draw(at: now)
                guard let player = view.presenter.player else {
                    await Task.yield()
                    continue
                }
                shown.append(player.currentFrame)
                if player.frameCount == frames, !player.tick(at: now).isWaiting { return }
                await Task.yield()
            }
        }
        #expect(await eventually { view.presenter.currentBitmap != nil })
        #expect(view.presenter.player == nil, "one frame stands still")
        loader.gates[0].open()
        try await draw(.seconds(1), until: 3)
        // Longer than the three frames last: it waits on the last one.
        try await draw(.seconds(2), until: 3)
        #expect(view.presenter.player?.currentFrame == 2 && view.wake == nil)
        let player = view.presenter.player
        loader.gates[1].open()
        // However long it took, the frame that came is shown next.
        try await draw(.seconds(60), until: 4)
        #expect(view.presenter.player?.currentFrame == 3)
        // One session for the previews, one for all frames; a frame decoded for a shorter animation is not decoded again for a
        // longer one.
        let noted = coder.noted
        // Frame 1 may be late, and left out.
        #expect(noted.sessions == 2 && [[0, 1, 2, 3], [0, 2, 3]].contains(noted.frames), "\(noted)")
        loader.gates[2].open()
        #expect(await eventually { isOver })
        try await draw(.seconds(90), until: 6)
        #expect(view.presenter.player?.currentFrame == 4)
        try await draw(.seconds(90) + .milliseconds(90), until: 6)
        #expect(view.presenter.player?.currentFrame == 5 && view.presenter.player === player)
        #expect(shown == shown.sorted(), "\(shown)")
    }

    @Test(arguments: ArrivingAnimationTests.formats)
    func `A clip that breaks off has been a preview, and the load says why it failed`(
        _ format: ImageFormat
    ) async throws {
        let bytes = try ArrivingAnimationTests.file(format)
        let three = try ArrivingAnimationTests.cut(bytes, format, frames: 3)
        let loader = SteppedLoader(Array(bytes[..<(three + 2)]), cutAt: [three])
        var clip: AnimatedImage?
        var result: Result<LoadedImage, ImageError>?
        for await event in manager(loader).task(for: request()).events {
            if case .preview(.animated(let preview)) = event {
                clip = clip ?? preview
                loader.gates[0].open()
            }
            if case .finished(let end) = event { result = end }
        }
        #expect(try #require(clip).frameCount == 3)
        #expect(try clip?.blockingFrame(at: 2).size == ArrivingAnimationTests.size)
        let error = #expect(throws: ImageError.self) { try result?.get() }
        #expect([.truncated, .corrupt].contains(error?.code), "\(String(describing: error))")
    }
}
