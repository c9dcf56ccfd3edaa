import GannetCore
import GannetPipeline
import GannetTesting
import Testing

/// MG-09, MG-08: the manager's questions, and what it remembers of failures.
@Suite struct PolicyTests {
    struct Policy: LoadPolicy {
        func shouldLoad(_ source: ImageSource) -> Bool { !source.keyText.contains("forbidden") }
        func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool? {
            source.keyText.contains("never-block") ? false : nil
        }
    }

    private func code(_ manager: ImageManager, _ url: String, _ options: RequestOption...) async -> ImageError.Code? {
        var request = ImageRequest(ImageSource(url), options: options)
        request.cache.read = CacheTier.none
        do throws(ImageError) { _ = try await manager.image(for: request) } catch { return error.code }
        return nil
    }

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

    @Test func `Bytes that are no picture are not loaded again for a while`() async {
        let fixture = ManagerFixture()
        let url = "https://example.org/page"
        fixture.loader.answer(url, with: .bytes(Array("<html>".utf8)))
        #expect(await code(fixture.manager, url) == .notAnImage)
        #expect(await code(fixture.manager, url) == .blocked)
        #expect(fixture.loader.loadCount == 1)
        fixture.serve(url)
        #expect(await code(fixture.manager, url, .retryFailed) == nil)
        #expect(await code(fixture.manager, url) == nil)
    }

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
