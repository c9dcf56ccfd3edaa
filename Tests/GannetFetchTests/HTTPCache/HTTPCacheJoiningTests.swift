import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Testing

/// Equal requests at once. A request that waits sleeps as long as for a silent server, which shows that it waits.
@Suite struct HTTPCacheJoiningTests {
    private let gate = AsyncGate()

    private func rig(_ fields: [(String, String)], failing: Set<Int> = []) -> HTTPCacheRig {
        HTTPCacheRig { [gate] request, number throws(ImageError) in
            if number == 1 { await gate.wait() }
            if failing.contains(number) { throw ImageError(.network, "The connection broke.") }
            return .fixed(request, headers: fields, body: [UInt8(number)])
        }
    }

    /// Two equal requests, of which the second waits for the first.
    private func two(_ rig: HTTPCacheRig) async -> (
        first: Task<HTTPCacheRig.Got, any Error>, second: Task<HTTPCacheRig.Got, any Error>
    ) {
        let first = Task { try await rig.get() }
        await gate.waitForArrivals(1)
        let second = Task { try await rig.get() }
        await rig.time.waitForSleepers(1)
        return (first, second)
    }

    @Test func `An equal request gets what the first has stored, and says that it waited`() async throws {
        let rig = rig([("Cache-Control", "max-age=60")])
        let (first, second) = await two(rig)
        gate.open()
        #expect(try await first.value.status == "fwd=uri-miss; stored; ttl=60")
        let got = try await second.value
        #expect(got.text == "\u{1}" && got.status == "fwd=uri-miss; collapsed; ttl=60")
        #expect(rig.count == 1)
    }

    @Test func `It goes itself if the first fails, or its response may not be stored`() async throws {
        for (fields, failing) in [([("Cache-Control", "max-age=60")], [1]), ([("Cache-Control", "no-store")], [])] {
            let tests = HTTPCacheJoiningTests()
            let rig = tests.rig(fields, failing: Set(failing))
            let (first, second) = await tests.two(rig)
            tests.gate.open()
            _ = try? await first.value
            #expect(try await second.value.text == "\u{2}")
            #expect(rig.count == 2)
        }
    }

    @Test(arguments: [0, 60]) func `It waits for a body only if that is fresh when it has arrived`(lifetime: Int) async throws {
        let rig = HTTPCacheRig((200, [("Cache-Control", "max-age=\(lifetime)")], "one"))
        let held = try await rig.cache.exchange(HTTPCacheRig.request())
        let second = Task { try await rig.get() }
        if lifetime > 0 {
            await rig.time.waitForSleepers(1)
            guard case .stream(let body) = held.body else { throw ImageError(.misuse, "The body does not come from the server.") }
            while try await body.next() != nil {}
        }
        #expect(try await second.value.text == "one")
        #expect(rig.count == (lifetime > 0 ? 1 : 2))
        withExtendedLifetime(held) {}
    }

    @Test func `It waits no longer than for a silent server`() async throws {
        let rig = rig([("Cache-Control", "max-age=60")])
        let (first, second) = await two(rig)
        rig.time.advance(by: .seconds(15))
        #expect(try await second.value.text == "\u{2}")
        gate.open()
        #expect(try await first.value.text == "\u{1}")
    }

    @Test func `A cancelled one leaves at once, and the first goes on`() async throws {
        let rig = rig([("Cache-Control", "max-age=60")])
        let (first, second) = await two(rig)
        second.cancel()
        let error = await #expect(throws: ImageError.self) { try await second.value }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(try await first.value.status == "fwd=uri-miss; stored; ttl=60")
    }

    @Test func `Requests with other fields, and those that want the server asked, do not wait`() async throws {
        let rig = rig([("Cache-Control", "max-age=60")])
        let first = Task { try await rig.get() }
        await gate.waitForArrivals(1)
        #expect(try await rig.get(HTTPCacheRig.url, [("Accept", "a")]).text == "\u{2}")
        #expect(try await rig.get(HTTPCacheRig.url, [("Cache-Control", "no-cache")]).text == "\u{3}")
        #expect(try await rig.get(HTTPCacheRig.url, []) { $0.forcesRevalidation = true }.text == "\u{4}")
        gate.open()
        _ = try await first.value
        #expect(rig.count == 4)
    }
}
