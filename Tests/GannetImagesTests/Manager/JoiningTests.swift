import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

@Suite struct JoiningTests {
    private func isTransfer(_ event: LoadEvent) -> Bool { if case .joined = event { true } else { false } }

    @Test func threeEqualRequestsMakeOneDownloadAndOneDecode() async throws {  // MG-22, NK-02, DL-30, CG-10, U-25
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let tasks = (0..<3).map { _ in fixture.manager.task(for: ImageRequest(source: ImageSource(ManagerFixture.url))) }
        await fixture.loader.gate.waitForArrivals(1)
        #expect(await eventually { fixture.manager.waiterCount >= 3 })
        fixture.loader.gate.open()
        var joined = 0
        for task in tasks { if try await task.value.wasJoined { joined += 1 } }
        #expect(joined == 2)
        #expect(fixture.loader.loadCount == 1)
        #expect(fixture.coder.decodeCount == 1)
        #expect(fixture.observer.isBalanced)
    }

    @Test func twoSizesOfOneURLMakeOneDownload() async throws {  // NK-02, DL-32, LD-03
        let fixture = ManagerFixture()
        fixture.serve(width: 64, height: 64)
        fixture.loader.gate.close()
        let small = fixture.manager.task(for: ImageSource(ManagerFixture.url), .fit(8, 8))
        let large = fixture.manager.task(for: ImageSource(ManagerFixture.url), .fit(32, 32))
        await fixture.loader.gate.waitForArrivals(1)
        #expect(await eventually { fixture.manager.transferWaiterCount >= 2 })
        fixture.loader.gate.open()
        #expect(try await small.value.size == PixelSize(width: 8, height: 8))
        #expect(try await large.value.size == PixelSize(width: 32, height: 32))
        #expect(fixture.loader.loadCount == 1)
    }

    @Test func requestsThatDifferInOneHeaderShareNoBytes() async throws {  // MG-22, U-18, S3-13
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let one = fixture.manager.task(for: ImageSource(ManagerFixture.url), .header("X-Tenant", "one"))
        let two = fixture.manager.task(for: ImageSource(ManagerFixture.url), .header("X-Tenant", "two"))
        await fixture.loader.gate.waitForArrivals(2)
        fixture.loader.gate.open()
        _ = try await one.value
        _ = try await two.value
        #expect(fixture.loader.loads.compactMap { $0.download.headers["X-Tenant"] }.sorted() == ["one", "two"])
    }

    @Test func anEarlierWaitersCancelDoesNotStopTheWork() async throws {  // MG-06, U-17, DL-31
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let first = fixture.manager.task(for: ImageSource(ManagerFixture.url))
        let second = fixture.manager.task(for: ImageSource(ManagerFixture.url))
        await fixture.loader.gate.waitForArrivals(1)
        #expect(await eventually { fixture.manager.waiterCount >= 2 })
        first.cancel()
        await #expect(throws: ImageError.self) { try await first.value }
        #expect(fixture.loader.cancelledCount == 0)
        fixture.loader.gate.open()
        #expect(try await second.value.size == PixelSize(width: 8, height: 4))
        #expect(fixture.loader.loadCount == 1)
    }

    // DL-17, DL-33
    @Test func theLastWaitersCancelStopsTheWork() async {
        let fixture = ManagerFixture()
        fixture.serve()
        fixture.loader.gate.close()
        let task = fixture.manager.task(for: ImageSource(ManagerFixture.url))
        await fixture.loader.gate.waitForArrivals(1)
        task.cancel()
        do throws(ImageError) {
            _ = try await task.value
            Issue.record("a cancelled load succeeded")
        } catch { #expect(error.code == .cancelled) }
        #expect(await eventually { fixture.loader.cancelledCount != 0 })
        #expect(fixture.manager.runningCount == 0)
        #expect(fixture.coder.decodeCount == 0)
    }

    @Test func aNewWaiterAfterTheLastLeftGetsANewJob() async throws {
        let fixture = ManagerFixture()
        fixture.serve(red: 1)
        fixture.loader.gate.close()
        let old = fixture.manager.task(for: ImageSource(ManagerFixture.url))
        await fixture.loader.gate.waitForArrivals(1)
        old.cancel()
        _ = try? await old.value
        fixture.serve(red: 2)
        let new = fixture.manager.task(for: ImageSource(ManagerFixture.url))
        await fixture.loader.gate.waitForArrivals(2)
        fixture.loader.gate.open()
        #expect(red(try await new.value) == 2)
    }

    @Test func everyEventStreamEndsWithExactlyOneResult() async throws {  // KF-22, MG-03, NK-11
        let fixture = ManagerFixture()
        fixture.serve()
        let task = fixture.manager.task(for: ImageSource(ManagerFixture.url))
        for _ in 0..<2 {
            var finished = 0
            for await event in task.events { if case .finished = event { finished += 1 } }
            #expect(finished == 1)
        }
    }
}
