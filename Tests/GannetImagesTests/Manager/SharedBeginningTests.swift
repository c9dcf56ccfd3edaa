import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Glibc
import Synchronization
import Testing

/// Chains of transformers with a common beginning run it once, as Nuke coalesces them. NK-21, MG-05
@Suite struct SharedBeginningTests {
    /// Adds a number and counts its runs; can be made to wait until `goOn()`.
    private final class Step: ImageTransformer {
        let amount: UInt8
        let runs = CallCount()
        private let mayGoOn: Atomic<Bool>
        private let fails: Bool
        init(_ amount: UInt8, waits: Bool = false, fails: Bool = false) {
            self.amount = amount
            mayGoOn = Atomic(!waits)
            self.fails = fails
        }
        var identifier: String? { "step-\(amount)" }
        func goOn() { mayGoOn.store(true, ordering: .releasing) }

        func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
            runs.add()
            while !mayGoOn.load(ordering: .acquiring) { sched_yield() }
            if fails { throw ImageError(.transformFailed, stage: .transform, "no") }
            return try AddTransformer(amount: amount).transform(bitmap, context: context)
        }
    }

    /// With dedicated threads, because waiting steps block them. The original is in memory, so that chains start with the same
    /// image even if one comes long after the other.
    private func fixture() async throws -> ManagerFixture {
        let fixture = ManagerFixture { $0.executor = BlockingExecutor(name: "test-decode", threads: 2) }
        fixture.serve()
        _ = try await fixture.manager.image(for: request([]))
        return fixture
    }

    private func request(_ steps: [any ImageTransformer], _ change: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(ImageSource(ManagerFixture.url))
        request.transform.transformers = steps
        request.cache.readOriginal = .all
        change(&request)
        return request
    }

    // NK-21
    @Test func `Two chains that run at once share their first step`() async throws {
        let fixture = try await fixture()
        let first = Step(1, waits: true)
        let results = [Step(2), Step(4)].map { last in
            Task { try await fixture.manager.image(for: self.request([first, last])) }
        }
        // Two loads, each with its whole chain, and both wait for the first step.
        #expect(await eventually { fixture.manager.imageWaiterCount >= 6 })
        first.goOn()
        #expect(red(try await results[0].value) == 13)
        #expect(red(try await results[1].value) == 15)
        #expect(first.runs.count == 1 && fixture.coder.decodeCount == 1)
    }

    @Test func `One of two who leaves does not stop the step of the other`() async throws {
        let fixture = try await fixture()
        let first = Step(1, waits: true)
        let stays = Task { try await fixture.manager.image(for: self.request([first, Step(2)])) }
        let leaves = Task { await failureCode { try await fixture.manager.image(for: self.request([first, Step(4)])) } }
        #expect(await eventually { fixture.manager.imageWaiterCount >= 6 })
        leaves.cancel()
        #expect(await leaves.value == .cancelled)
        first.goOn()
        #expect(red(try await stays.value) == 13)
        #expect(first.runs.count == 1)
    }

    // MG-05
    @Test func `A picture in memory is where a longer chain begins`() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        let steps = [Step(1), Step(2), Step(4)]
        for count in 1...3 {
            #expect(red(try await fixture.manager.image(for: request(Array(steps[..<count])))) == [11, 13, 17][count - 1])
        }
        #expect(steps.map(\.runs.count) == [1, 1, 1])
        #expect(fixture.loader.loadCount == 1 && fixture.coder.decodeCount == 1)
        // Another beginning is another picture.
        #expect(red(try await fixture.manager.image(for: request([steps[1], steps[0]]))) == 13)
        #expect(steps.map(\.runs.count) == [2, 2, 1])
    }

    @Test func `A request that will have nothing old begins with the source`() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        let steps = [Step(1), Step(2)]
        _ = try await fixture.manager.image(for: request([steps[0]]))
        fixture.serve(red: 50)
        for lookup in [LookupPolicy.loaderOnly, .revalidate] {
            #expect(red(try await fixture.manager.image(for: request(steps) { $0.cache.lookup = lookup })) == 53)
        }
        var blind = request(steps)
        blind.cache.read = .none
        blind.cache.readOriginal = .none
        #expect(red(try await fixture.manager.image(for: blind)) == 53)
    }

    @Test func `A beginning whose time is over is not used`() async throws {
        let fixture = ManagerFixture()
        var freshness = Freshness.unknown
        freshness.freshUntil = fixture.time.now + .seconds(60)
        fixture.serve(freshness: freshness)
        let steps = [Step(1), Step(2)]
        _ = try await fixture.manager.image(for: request([steps[0]]))
        fixture.serve(red: 50, freshness: freshness)
        fixture.time.advance(by: .seconds(61))
        #expect(red(try await fixture.manager.image(for: request(steps))) == 53)
    }

    @Test func `A step that fails fails every chain, and leaves nothing`() async throws {
        let fixture = try await fixture()
        let first = Step(1, waits: true, fails: true)
        let results = [Step(2), Step(4)].map { last in
            Task { await failureCode { try await fixture.manager.image(for: self.request([first, last])) } }
        }
        #expect(await eventually { fixture.manager.imageWaiterCount >= 6 })
        first.goOn()
        for result in results { #expect(await result.value == .transformFailed) }
        #expect(first.runs.count == 1 && fixture.memory.usage.count == 1, "the original alone")
    }

    @Test func `A transformer without identifier shares nothing`() async throws {
        let fixture = ManagerFixture()
        fixture.serve()
        let runs = CallCount()
        let anonymous: StandardTransformer = .custom(nil) { bitmap, _ throws(ImageError) in
            runs.add()
            return bitmap
        }
        for _ in 0..<2 { #expect(red(try await fixture.manager.image(for: request([anonymous, Step(2)]))) == 12) }
        #expect(runs.count == 2)
    }
}
