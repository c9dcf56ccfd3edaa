import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// The text of a load in a program's log.
@Suite struct TaskDescriptionTests {
    @Test func `A load prints as its request and how far it is`() async throws {
        let fixture = ManagerFixture()
        let url = "https://alice:hunter2@example.org/a.fake?token=abc"
        fixture.loader.answer(url, with: .bytes(FakeImageCoder.bytes(width: 8, height: 4)))
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: ImageRequest(ImageSource(url)))
        #expect("\(task)" == "https://example.org/a.fake?…: 0 bytes")
        fixture.loader.gate.open()
        _ = try await task.value
        #expect("\(task)" == "https://example.org/a.fake?…: 8×4 fake, from network")
    }

    @Test func `Failures and cancelled loads say so`() async throws {
        let fixture = ManagerFixture()
        fixture.loader.answer(ManagerFixture.url, with: .failure(ImageError(.notFound, stage: .load, "Not there.")))
        let failed = fixture.manager.task(for: ImageRequest(ManagerFixture.url))
        _ = try? await failed.value
        #expect("\(failed)" == "https://example.org/a.fake: notFound (load): Not there.")
    }

    @Test func `Events print as one line`() throws {
        let image = TestImages.still(try TestImages.gradient(width: 8, height: 4))
        let loaded = LoadedImage(image: image, origin: .disk)
        let events: [(ImageTaskEvent, String)] = [
            (.progress(LoadProgress(received: 12, expected: 400)), "progress: 12 of 400 bytes"),
            (.progress(LoadProgress(received: 12)), "progress: 12 bytes"),
            (.preview(image), "preview: 8×4"),
            (.stale(loaded), "stale: 8×4, from disk"),
            (.finished(.success(loaded)), "finished: 8×4, from disk"),
            (.finished(.failure(.cancelled())), "failed: cancelled: The load was cancelled."),
        ]
        for (event, text) in events { #expect("\(event)" == text) }
    }
}
