import FoundationEssentials
import Testing

@testable import GannetCore

/// Requests can be compared, and kept in sets.
struct RequestEqualityTests {
    private struct Named: ImageTransformer {
        var identifier: String?
        func transform(_ image: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { image }
    }
    private struct Valued: ImageTransformer, Equatable {
        var amount: Int
        var identifier: String? { nil }
        func transform(_ image: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap { image }
    }
    private final class Filter: CacheKeyFilter {
        func key(for source: ImageSource) -> String? { nil }
    }
    private enum Album: ContextKey {
        static var defaultValue: Int { 0 }
        static func cacheInfluence(of value: Int) -> CacheInfluence { .none }
    }

    private let plain = ImageRequest("https://example.org/a.jpg")

    @Test func equalOptionsAreEqualHoweverTheyWereSet() {
        var set = plain
        set.decode.target = .size(.fit(4, 3))
        set.schedule.priority = .high
        set.context[Album.self] = 7
        let named = plain.with(.context(Album.self, 7), .priority(.high), .fit(4, 3))
        #expect(set == named && set.hashValue == named.hashValue && Set([set, named, plain]).count == 2)
        #expect(ImageRequest("https://EXAMPLE.org/a.jpg") == plain, "one URL in two spellings")
        #expect(ImageRequest(URL(string: "https://example.org/a.jpg")!) == plain)
    }

    @Test(arguments: [
        RequestOption.fit(1, 2), .region(PixelRect(x: 1, y: 2, width: 3, height: 4)), .priority(.low), .forceRefresh, .memoryOnly,
        .headers(["A": "b"]), .firstFrameOnly, .previews,
        .credential(.bearer("x")), .expiration(disk: .days(1)), .summarized, .isolation(.sandboxed), .alternatives(["/b.jpg"]),
        .transform(Named(identifier: "a")), .transform(), .appendingTransform(Valued(amount: 1)), .modifier { $0 },
        .context(Album.self, 1), .context(Album.self, 0), .scale(2), .scaledDown(toBytes: 9), .waitingForStore, .retryingFailed,
        .linearLight, .dynamicRange(.high), .dynamicRange(.high(headroom: 2)), .toneMapping(.bt2446a),
        .deadlines(LoadDeadlines(idle: .seconds(1))), .keyFilter(Filter()), RequestOption { $0.source = "/b.jpg" },
    ])
    func everyOptionCounts(_ option: RequestOption) {
        let changed = plain.with(option)
        #expect(changed != plain)
        let copy = changed
        #expect(copy == changed)
    }

    @Test func hooksAreComparedByWhatTheySayOfThemselves() {
        func with(_ transformer: any ImageTransformer) -> ImageRequest { plain.with(.transform(transformer)) }
        #expect(with(Named(identifier: "a")) == with(Named(identifier: "a")))
        #expect(with(Named(identifier: "a")) != with(Named(identifier: "b")))
        #expect(with(Named(identifier: nil)) != with(Named(identifier: nil)), "nobody can know")
        #expect(with(Valued(amount: 1)) == with(Valued(amount: 1)) && with(Valued(amount: 1)) != with(Valued(amount: 2)))
        let filter = Filter()
        #expect(plain.with(.keyFilter(filter)) == plain.with(.keyFilter(filter)))
        #expect(plain.with(.keyFilter(filter)) != plain.with(.keyFilter(Filter())))
    }

    /// Whoever adds a field adds it to the comparison, and counts it here.
    @Test func noFieldIsForgotten() {
        func count(_ value: Any) -> Int { Mirror(reflecting: value).children.count }
        #expect(count(CacheOptions()) == 15 && count(DownloadOptions()) == 14)
        #expect(count(DecodeOptions()) == 20 && count(TransformOptions()) == 4)
    }

    /// A row of a table, say.
    private struct Bird: ImageSourceConvertible {
        var id: Int
        var imageSource: ImageSource { .url(URL(string: "https://example.org/birds/\(id).jpg")!) }
    }

    // CG-02
    @Test func valuesOfOnesOwnNameImages() {
        #expect(ImageRequest(Bird(id: 7), .fit(1, 1)) == ImageRequest("https://example.org/birds/7.jpg", .fit(1, 1)))
        #expect(ImageRequest(.file("/a.jpg")).source == .file("/a.jpg") && ImageRequest("/a.jpg").source == .file("/a.jpg"))
        let text = "https://example.org/a.jpg"
        #expect(ImageRequest(text) == plain && ImageRequest(ImageSource(text)) == plain)
    }
}
