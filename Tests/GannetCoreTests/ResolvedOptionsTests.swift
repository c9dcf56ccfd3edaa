import GannetCore
import Testing

/// Wishes of a request beside those of its manager.
@Suite struct ResolvedOptionsTests {
    private struct Step: ImageTransformer {
        let name: String
        var needsWholeImage = false
        var identifier: String? { name }
        func transform(_ image: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { image }
    }

    private let plain = ImageRequest("https://example.org/bird.png")

    private func steps(_ request: ImageRequest, _ defaults: RequestOption...) -> [String] {
        ResolvedRequest(request, defaults: RequestDefaults(defaults)).transform.transformers.map { $0.identifier ?? "" }
    }

    // KF-02, TR-09
    @Test func whatIsAppendedComesAfterTheManagers() {
        let defaults = RequestOption.transform(Step(name: "a"))
        #expect(steps(plain.with(.appendingTransform(Step(name: "b"))), defaults) == ["a", "b"])
        #expect(
            steps(plain.with(.appendingTransform(Step(name: "b")), .appendingTransform(Step(name: "c"))), defaults) == [
                "a", "b", "c",
            ])
        #expect(steps(plain.with(.transform(Step(name: "b")), .appendingTransform(Step(name: "c"))), defaults) == ["b", "c"])
        #expect(steps(plain.with(.appendingTransform(Step(name: "b")), .transform(Step(name: "c"))), defaults) == ["c"])
        #expect(steps(plain.with(.appendingTransform(Step(name: "b")), .transform()), defaults) == [])
        #expect(steps(plain, .appendingTransform(Step(name: "a"))) == ["a"])
        #expect(
            steps(plain.with(.appendingTransform(Step(name: "b"))), .appendingTransform(Step(name: "a"))) == [
                "a", "b",
            ])
        let option = ImageRequest(plain.source, .transform(Step(name: "x")))
        #expect(steps(option, defaults) == ["x"])
        let crop = Step(name: "crop", needsWholeImage: true)
        #expect(plain.with(.appendingTransform(Step(name: "a")), .appendingTransform(crop)).transform.needsWholeImage)
        #expect(!plain.with(.appendingTransform(crop), .transform()).transform.needsWholeImage)
    }

    private enum Album: ContextKey {
        static let defaultValue = ""
        static func cacheInfluence(of value: String) -> CacheInfluence { .none }
    }

    @Test func optionsSetTheirFields() {
        let request = ImageRequest(
            "https://example.org/bird.png", .scale(2), .scaledDown(toBytes: 1 << 20), .preloadingAllFrames, .previews(.off),
            .forceRefresh,
            .memoryOnly, .summarized, .expiration(memory: .never), .expiration(disk: .after(.seconds(5))),
            .credential(.bearer("t")),
            .alternatives(["/a.png"]), .context(Album.self, "birds"), .waitingForStore, .retryingFailed)
        #expect(request.decode.scale == 2 && request.decode.scaleDownToBytes == 1 << 20 && request.decode.frames == .preloaded)
        #expect(request.decode.previews == .off && plain.with(.previews).decode.previews == .incremental)
        #expect(request.cache.lookup == .loaderOnly && plain.with(.onlyFromCache).cache.lookup == .cacheOnly)
        #expect(request.cache.write == .memory && request.cache.writeOriginal == .none && request.cache.summarizes == true)
        #expect(request.cache.memoryExpiration == .never && request.cache.diskExpiration == .after(.seconds(5)))
        #expect(request.download.credential == .bearer("t") && request.download.alternatives?.count == 1)
        #expect(request.context[Album.self] == "birds" && plain.context.isEmpty)
        #expect(request.schedule.waitsForStore == true && request.schedule.retryFailedSources == true)
        #expect(plain.with(.firstFrameOnly).with(.priority(.low), .priority(.high)).decode.frames == .first)
        #expect(plain.isPlain && plain.with(.priority(.low), .priority(.high)).schedule.priority == .high)
    }

    // CD-32, CX-14
    @Test func aLimitInBytesIsForAllFramesThatAreHeld() {
        var options = ResolvedDecodeOptions()
        options.scaleDownToBytes = 1_000_000
        let clip = ImageHeader(format: .gif, size: PixelSize(clamping: 500, 500), frameCount: 100)
        #expect(options.scaledSize(for: clip) == clip.size)
        options.frames = .preloaded
        #expect(options.scaledSize(for: clip) == PixelSize(clamping: 50, 50))
        var unknown = clip
        unknown.frameCount = nil
        #expect(options.scaledSize(for: unknown) == clip.size)
    }

    @Test func expirationsInSecondsAndDays() {
        #expect(
            CacheExpiration.days(7) == .after(.seconds(604_800)) && CacheExpiration.seconds(0.5) == .after(.milliseconds(500)))
        #expect(CacheExpiration.seconds(-1) == .after(.zero) && CacheExpiration.days(.min) == .after(.zero))
        // Longer than any calendar: no trap.
        #expect(CacheExpiration.seconds(.infinity) == .never && CacheExpiration.days(.max) == .never)
        #expect(CacheExpiration.seconds(.nan) == .never)
    }
}
