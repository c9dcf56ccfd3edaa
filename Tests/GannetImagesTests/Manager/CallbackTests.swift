import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@Suite struct CallbackTests {
    // MG-03, U-10
    @Test func theCompletionComesExactlyOnceAlsoAfterCancelling() async {
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let calls = Mutex(0)
        let code = await withCheckedContinuation { continuation in
            let task = fixture.manager.load(ImageRequest(ImageSource(ManagerFixture.url))) { result in
                calls.withLock { $0 += 1 }
                if case .failure(let error) = result {
                    continuation.resume(returning: error.code)
                } else {
                    continuation.resume(returning: .misuse)
                }
            }
            task.cancel()
            task.cancel()
        }
        #expect(code == .cancelled)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func callbacksRunWhereTheyWereAskedTo() async {  // CX-03, MG-20, U-12
        let fixture = ManagerFixture()
        fixture.serve()
        let hops = Mutex(0)
        let executor: @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
            hops.withLock { $0 += 1 }
            body()
        }
        await withCheckedContinuation { continuation in
            fixture.manager.load(ImageRequest(ImageSource(ManagerFixture.url)), on: executor) { _ in continuation.resume() }
        }
        #expect(hops.withLock { $0 } >= 1)
    }

    @Test func explainTellsHitAndMiss() async throws {  // S3-27
        let fixture = ManagerFixture()
        fixture.serve()
        let request = ImageRequest(ImageSource(ManagerFixture.url))
        #expect(try await fixture.manager.explanation(of: request).steps.first?.state == .miss)
        _ = try await fixture.manager.image(for: request)
        let after = try await fixture.manager.explanation(of: request)
        #expect(after.steps.first?.state == .fresh)
        #expect(fixture.loader.loadCount == 1)
    }
}
