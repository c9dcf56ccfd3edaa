import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// A source that answers with something that is no picture has failed as one that does not answer. KF-06
@Suite struct AlternativeBytesTests: ManagerSuite {
    private static let others = ["https://example.org/b.fake", "https://example.org/c.fake"]
    private var wish: ImageRequest { request { $0.download.alternatives = Self.others.map { ImageSource($0) } } }

    private func fixture(_ answers: [FakeImageLoader.Answer]) -> ManagerFixture {
        let fixture = ManagerFixture(diskCache: InMemoryImageCache())
        for (url, answer) in zip([ManagerFixture.url] + Self.others, answers) { fixture.loader.answer(url, with: answer) }
        return fixture
    }

    private let nonsense = FakeImageLoader.Answer.bytes(Array("nonsense".utf8))
    private let gone = FakeImageLoader.Answer.failure(
        ImageError(.network, stage: .load, "gone", underlying: ImageError(.network, "why")))
    private let good = FakeImageLoader.Answer.bytes(FakeImageCoder.bytes(width: 8, height: 4, red: 3))

    // KF-06
    @Test func theNextOneIsTried() async throws {
        for answers in [[nonsense, good, good], [nonsense, nonsense, good], [nonsense, gone, good], [gone, nonsense, good]] {
            let fixture = fixture(answers)
            #expect(red(try await fixture.manager.image(for: wish)) == 3)
            // Each once.
            #expect(Set(fixture.loader.loads.map(\.source)).count == fixture.loader.loadCount)
            #expect(!fixture.memory.contains(CacheKey(ManagerFixture.url)) && fixture.memory.usage.count == 1)
        }
    }

    /// A mirror may have a smaller picture, or a format that is known here. The bytes are as good as they were, for others.
    @Test func whatIsTooLargeOrUnknownHereMayBeHadElsewhere() async throws {
        let large = FakeImageLoader.Answer.bytes(FakeImageCoder.bytes(width: 80, height: 40, red: 1))
        let fixture = fixture([large, good, good])
        var small = wish
        small.decode.limits = DecodeLimits(maximumPixels: 100)
        #expect(red(try await fixture.manager.image(for: small)) == 3)
        #expect(fixture.loader.loadCount == 2)
        let plain = request { $0.download.alternatives = [] }
        #expect(red(try await fixture.manager.image(for: plain)) == 1)
        #expect(fixture.loader.loadCount == 2)
    }

    @Test func whereNoneIsLeftAllErrorsAreTold() async throws {
        for (answers, codes) in [
            ([nonsense, gone, gone], [ImageError.Code.notAnImage, .network, .network]),
            ([gone, nonsense, gone], [.network, .notAnImage, .network]),
            ([gone, gone, nonsense], [.network, .network, .notAnImage]),
        ] {
            let fixture = fixture(answers)
            do {
                _ = try await fixture.manager.image(for: wish)
                Issue.record("There is no picture.")
            } catch {
                #expect(error.code == codes.last)
                #expect((error.underlying as? SourcesExhausted)?.errors.map(\.code) == codes)
            }
            #expect(fixture.loader.loadCount == 3)
        }
    }

    // KF-21
    @Test func observersHearOfEachSource() async throws {
        let fixture = fixture([gone, nonsense, good])
        _ = try await fixture.manager.image(for: wish)
        let begun = fixture.observer.events.compactMap { if case .transferStarted(let source) = $0 { source } else { nil } }
        #expect(begun == [ManagerFixture.url] + Self.others)
    }

    @Test func whatIsNoQuestionIsNotAskedElsewhere() async {
        let fixture = fixture([nonsense, good, good])
        var post = wish
        post.download.method = "POST"
        #expect(await failureCode { try await fixture.manager.image(for: post) } == .notAnImage)
        #expect(fixture.loader.loadCount == 1)
    }
}
