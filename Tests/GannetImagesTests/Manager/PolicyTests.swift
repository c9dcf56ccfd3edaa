import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// MG-09, MG-08: the manager's hooks, and its memory of failures.
@Suite struct PolicyTests {
    struct Policy: LoadPolicy {
        func shouldLoad(_ source: ImageSource) -> Bool { !source.keyText.contains("forbidden") }
        func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool? {
            source.keyText.contains("never-block") ? false : nil
        }
    }

    private func code(_ manager: ImageManager, _ url: String, _ options: RequestOption...) async -> ImageError.Code? {
        var request = ImageRequest(ImageSource(url), options: options)
        request.cache.read = .none
        do throws(ImageError) { _ = try await manager.image(for: request) } catch { return error.code }
        return nil
    }

    // MG-01, MG-09
    @Test func `What may not be loaded is still taken from the cache`() async throws {
        let url = "https://example.org/forbidden"
        let memory = MemoryCache()
        let open = ManagerFixture { $0.memoryCache = memory }
        open.serve(url)
        let closed = ManagerFixture {
            $0.memoryCache = memory
            $0.policy = Policy()
        }
        closed.serve(url)
        #expect(await code(closed.manager, url) == .hookRefused)
        #expect(closed.loader.loadCount == 0)
        _ = try await open.manager.image(for: ImageSource(url))
        #expect(try await closed.manager.image(for: ImageSource(url)).origin == .memory)
    }

    @Test func `What may not be loaded is still taken from the disk`() async throws {
        let url = "https://example.org/forbidden"
        let disk = InMemoryImageCache()
        func fixture(_ policy: (any LoadPolicy)?) -> ManagerFixture {
            let fixture = ManagerFixture(diskCache: disk) { $0.policy = policy }
            fixture.serve(url)
            return fixture
        }
        let closed = fixture(Policy())
        #expect(await failureCode { try await closed.manager.image(for: ImageSource(url)) } == .hookRefused)
        let open = fixture(nil)
        _ = try await open.manager.fetchBytes(for: ImageRequest(source: ImageSource(url)))
        #expect(try await closed.manager.image(for: ImageSource(url)).origin == .disk)
        #expect(closed.loader.loadCount == 0 && open.loader.loadCount == 1)
        var again = ImageRequest(source: ImageSource(url))
        again.cache.lookup = .loaderOnly
        let forced = again
        #expect(await failureCode { try await closed.manager.image(for: forced) } == .hookRefused)
    }

    @Test func `What one coder cannot read, others may`() async throws {
        struct Blind: ImageCoder {
            var identifier: String { "blind" }
            var formats: [ImageFormat] { [FakeImageCoder.format] }
            func recognizes(_ head: Span<UInt8>) -> Recognition { .yes(FakeImageCoder.format) }
            func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
            func makeDecoder(
                for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
            ) throws(ImageError) -> any ImageDecoder {
                throw ImageError(.corrupt, stage: .decode, "Nothing to be seen.")
            }
        }
        let fixture = ManagerFixture()
        fixture.serve()
        var request = ImageRequest(source: ImageSource(ManagerFixture.url))
        request.decode.coder = Blind()
        let wrong = request
        #expect(await failureCode { try await fixture.manager.image(for: wrong) } == .corrupt)
        _ = try await fixture.manager.image(for: ImageSource(ManagerFixture.url))
    }

    // MG-08
    @Test func `Bytes that are no picture are not loaded again for a while`() async {
        let fixture = ManagerFixture()
        let url = "https://example.org/page"
        fixture.loader.answer(url, with: .bytes(Array("<html>".utf8)))
        #expect(await code(fixture.manager, url) == .notAnImage)
        #expect(await code(fixture.manager, url) == .blocked)
        #expect(fixture.loader.loadCount == 1)
        fixture.serve(url)
        #expect(await code(fixture.manager, url, .retryingFailed) == nil)
        #expect(await code(fixture.manager, url) == nil)
    }

    // MG-09, NK-10
    @Test func `The policy decides which failures are remembered`() async {
        let fixture = ManagerFixture { $0.policy = Policy() }
        for name in ["never-block", "other"] {
            fixture.loader.answer("https://example.org/" + name, with: .bytes(Array("<html>".utf8)))
        }
        for _ in 0..<2 { #expect(await code(fixture.manager, "https://example.org/never-block") == .notAnImage) }
        #expect(await code(fixture.manager, "https://example.org/other") == .notAnImage)
        #expect(await code(fixture.manager, "https://example.org/other") == .blocked)
        fixture.manager.fetcher.failedSources.removeAll()
        #expect(await code(fixture.manager, "https://example.org/other") == .notAnImage)
    }

    @Test func `The memory of failures has an end`() async {
        let fixture = ManagerFixture()
        let url = "https://example.org/page"
        fixture.loader.answer(url, with: .bytes(Array("<html>".utf8)))
        #expect(await code(fixture.manager, url) == .notAnImage)
        fixture.time.advance(by: .seconds(301))
        #expect(await code(fixture.manager, url) == .notAnImage)
    }
}
