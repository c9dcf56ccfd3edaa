import Gannet
import Testing

/// What the coming-from pages say of requests and their options.
@Suite struct ComingFromTests {
    func kingfisher() -> ImageRequest {
        ImageRequest("https://example.org/a.jpg", .fill(200, 200), .transform(.roundCorners(radius: 12)))
    }

    func options() -> ImageRequest {
        var request = ImageRequest("https://example.org/a.jpg")
        request.schedule.retryFailedSources = true
        request.cache.lookup = .revalidate
        request.decode.previews = .incremental
        request.decode.frames = .preloaded
        request.decode.scaleDownToBytes = 1 << 20
        request.transform.appliesTo = [.animated, .vector]
        request.cache.read = .memory
        request.cache.readOriginal = .none
        request.download.lowDataSource = "https://example.org/small.jpg"
        return request
    }

    // VW-37, KF-02, NK-08
    @Test func optionsChangeACopy() {  // testKFImageOptionModifiersDoNotMutateOriginalImage
        let plain = ImageRequest("https://example.org/a.jpg")
        let changed = plain.with(.fill(200, 200), .priority(.high), .priority(.low))
        #expect(plain.decode.target == nil)
        #expect(changed.decode.target == .size(.fill(200, 200)) && changed.schedule.priority == .low)
        #expect(plain.schedule.priority == nil && kingfisher().decode.target == changed.decode.target)
        #expect(options().cache.lookup == .revalidate)
    }
}
