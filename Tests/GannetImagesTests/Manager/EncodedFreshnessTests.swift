import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Stored files follow the plan of a load: no pixels for what the source confirms.
@Suite struct EncodedFreshnessTests {
    private let rig = EncodedRig()
    private let source = Source()

    /// What the server has: the image's red, and its entity tag.
    private final class Source: Sendable {
        let state = Mutex<(red: UInt8, tag: String, isDown: Bool)>((1, "\"a\"", false))
    }

    /// A server that says "not modified", or sends its file whatever validator it is given.
    private func server(confirms: Bool = true, _ cacheControl: String = "max-age=60") -> ScriptedTransport {
        ScriptedTransport { [source] request, _ throws(ImageError) in
            let (red, tag, isDown) = source.state.withLock { $0 }
            if isDown { throw ImageError(.connectionFailed, stage: .load, "down") }
            let fields = [("Cache-Control", cacheControl), ("ETag", tag)]
            if confirms, request.headers["If-None-Match"] == tag { return .fixed(request, status: 304, headers: fields) }
            return .fixed(request, headers: fields, body: FakeImageCoder.bytes(width: 8, height: 8, red: red))
        }
    }

    private func process(_ transport: ScriptedTransport) -> EncodedRig.Process {
        rig.process(HTTPLoader(transport: transport, time: rig.time))
    }

    private func isRevalidated(_ event: LoadEvent) -> Bool { if case .revalidated = event { true } else { false } }

    @Test(arguments: [true, false], [true, false])
    func aConfirmedFileNeedsNoPixels(_ confirms: Bool, _ isWhole: Bool) async throws {
        let request = isWhole ? EncodedRig.whole() : EncodedRig.thumbnail()
        let transport = server(confirms: confirms)
        let file = try await process(transport).file(request)
        let stored = rig.disk.storeCount
        rig.time.advance(by: .seconds(100))
        let second = process(transport)
        let again = try await second.manager.encoded(for: request, as: EncodedRig.options)
        #expect(again.bytes.contiguous() == Array(file.utf8) && second.work == [0, 0])
        // For another minute.
        #expect(again.freshness.freshUntil == rig.time.now + .seconds(60))
        #expect(transport.requests.count == 2 && second.observer.count(isRevalidated) >= 1)
        #expect(rig.disk.storeCount == (confirms ? stored : stored + 1), "the file itself is not written again")
        rig.time.advance(by: .seconds(50))
        _ = try await process(transport).file(request)
        #expect(transport.requests.count == 2)
        rig.time.advance(by: .seconds(50))
        _ = try await process(transport).file(request)
        #expect(transport.requests.count == 3)
    }

    @Test func aConfirmationThatForbidsStoringRemovesTheFile() async throws {
        let first = server()
        let file = try await process(first).file(EncodedRig.thumbnail())
        rig.time.advance(by: .seconds(100))
        let second = process(server("no-store"))
        #expect(try await second.file(EncodedRig.thumbnail()) == file && second.work == [0, 0])
        #expect(!rig.disk.keys.contains { $0.contains("encode=") })
    }

    @Test func aSourceThatForbidsStoringTakesAllItsFilesAlong() async throws {
        let first = server()
        for request in [EncodedRig.whole(), EncodedRig.thumbnail()] { _ = try await process(first).file(request) }
        #expect(rig.disk.keys.count == 3)
        source.state.withLock { $0.tag = "\"b\"" }
        rig.time.advance(by: .seconds(100))
        _ = try await process(server("no-store")).manager.fetchBytes(for: EncodedRig.whole())
        #expect(rig.disk.keys.isEmpty)
    }

    @Test func anotherImageIsEncodedAndTakesItsPlace() async throws {
        let transport = server()
        _ = try await process(transport).file(EncodedRig.thumbnail())
        source.state.withLock { ($0.red, $0.tag) = (2, "\"b\"") }
        rig.time.advance(by: .seconds(100))
        let second = process(transport)
        #expect(try await second.file(EncodedRig.thumbnail()) == "FAKE 4 4 2 4 0\n" && second.work == [1, 1])
        let third = process(transport)
        #expect(try await third.file(EncodedRig.thumbnail()) == "FAKE 4 4 2 4 0\n" && third.work == [0, 0])
    }

    @Test func aFileThatIsOlderThanItsOriginalIsMadeAnew() async throws {
        let transport = server()
        _ = try await process(transport).file(EncodedRig.thumbnail())
        source.state.withLock { ($0.red, $0.tag) = (2, "\"b\"") }
        rig.time.advance(by: .seconds(1))
        _ = try await process(transport).manager.fetchBytes(for: EncodedRig.whole { $0.cache.lookup = .loaderOnly })
        let second = process(transport)
        #expect(try await second.file(EncodedRig.thumbnail()) == "FAKE 4 4 2 4 0\n" && transport.requests.count == 2)
    }

    /// RFC 9111 §4.2.4, RFC 5861 §4.
    @Test func aStaleFileIsAFallbackWhileItsSourceAllowsThat() async throws {
        let transport = server("max-age=60, stale-if-error=100")
        let file = try await process(transport).file(EncodedRig.thumbnail())
        // The original's own response would say the same.
        try await rig.disk.remove(CacheKey(ManagerFixture.url))
        source.state.withLock { $0.isDown = true }
        rig.time.advance(by: .seconds(100))
        let second = process(transport)
        #expect(try await second.file(EncodedRig.thumbnail()) == file && second.work == [0, 0])
        rig.time.advance(by: .seconds(100))
        #expect(await failureCode { try await process(transport).file(EncodedRig.thumbnail()) } == .connectionFailed)
    }

    @Test func theLookupOfTheRequestIsObeyed() async throws {
        let transport = server()
        _ = try await process(transport).file(EncodedRig.thumbnail())
        let second = process(transport)
        _ = try await second.file(EncodedRig.thumbnail { $0.cache.lookup = .revalidate })
        #expect(transport.requests.count == 2 && second.work == [0, 0])
        rig.time.advance(by: .seconds(100))
        _ = try await second.file(EncodedRig.thumbnail { $0.cache.lookup = .cacheFirst })
        #expect(transport.requests.count == 2 && second.work == [0, 0])
        _ = try await second.file(EncodedRig.thumbnail { $0.cache.lookup = .loaderOnly })
        #expect(transport.requests.count == 3 && second.work == [1, 1])
    }
}
