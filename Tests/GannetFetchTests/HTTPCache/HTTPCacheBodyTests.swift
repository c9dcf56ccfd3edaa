import FoundationEssentials
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTesting
import Synchronization
import Testing

/// Bodies on their way through the cache.
@Suite struct HTTPCacheBodyTests {
    private static let whole = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private static let fields = HTTPHeaders([
        ("ETag", "\"1\""), ("Cache-Control", "max-age=60"), ("Content-Length", "40000"),
    ])
    private static let broken = ImageError(.network, "The connection broke.")

    /// A body of 40 chunks; `pulls` counts those that were pulled.
    private static func chunked(_ request: HTTPRequest, _ pulls: Pulls) -> HTTPResponse {
        HTTPResponse(
            head: HTTPResponseHead(status: 200, headers: fields, url: request.url),
            body: ByteStream { () async throws(ImageError) in
                let number = pulls.next()
                return number < 40 ? Array(whole[number * 1000..<(number + 1) * 1000]) : nil
            })
    }

    private final class Pulls: Sendable {
        private let number = Mutex(0)
        func next() -> Int {
            number.withLock { number in
                number += 1
                return number - 1
            }
        }
        var count: Int { number.withLock { $0 } }
    }

    private static func stream(_ answer: CachedResponse) throws -> ByteStream {
        guard case .stream(let stream) = answer.body else { throw ImageError(.misuse, "The body does not come from the server.") }
        return stream
    }

    @Test func `A body comes at its reader's pace, and is stored when the reader has seen its end`() async throws {
        let pulls = Pulls()
        let rig = HTTPCacheRig { request, _ in Self.chunked(request, pulls) }
        let answer = try await rig.cache.exchange(HTTPCacheRig.request())
        #expect(pulls.count == 0)
        let stream = try Self.stream(answer)
        #expect(try await stream.next()?.count == 1000)
        #expect(pulls.count == 1)
        for _ in 1..<40 { _ = try await stream.next() }
        #expect(rig.store.keys.isEmpty && answer.identity == nil)
        #expect(try await stream.next() == nil)
        #expect(answer.identity != nil)
        #expect(try await rig.store.entry(for: CacheKey(HTTPCacheRig.url), touch: false)?.bytes.contiguous() == Self.whole)
    }

    @Test func `Chunks and one array are stored alike, also after chunks and behind other bytes`() async throws {
        let way: [(ByteStream) async throws -> [UInt8]] = [
            { stream in
                var bytes: [UInt8] = []
                while try await stream.next(into: &bytes) {}
                return bytes
            },
            { stream in
                var bytes = try await stream.next() ?? []
                while try await stream.next(into: &bytes) {}
                return bytes
            },
            { stream in
                var bytes: [UInt8] = [1, 2, 3]
                while try await stream.next(into: &bytes) {}
                return Array(bytes[3...])
            },
        ]
        for read in way {
            let rig = HTTPCacheRig { request, _ in Self.chunked(request, Pulls()) }
            let answer = try await rig.cache.exchange(HTTPCacheRig.request())
            #expect(try await read(Self.stream(answer)) == Self.whole)
            let stored = try await rig.store.entry(for: CacheKey(HTTPCacheRig.url), touch: false)
            #expect(stored?.bytes.contiguous() == Self.whole && stored?.metadata.identity == answer.identity)
        }
    }

    @Test func `A reader that leaves its array, or the body, gives up storing`() async throws {
        let rig = HTTPCacheRig { request, _ in Self.chunked(request, Pulls()) }
        var bytes: [UInt8] = []
        let first = try await Self.stream(rig.cache.exchange(HTTPCacheRig.request()))
        _ = try await first.next(into: &bytes)
        while let chunk = try await first.next() { bytes += chunk }
        #expect(bytes == Self.whole && rig.store.keys.isEmpty)
        do {
            let second = try await Self.stream(rig.cache.exchange(HTTPCacheRig.request()))
            _ = try await second.next()
        }
        #expect(rig.store.keys.isEmpty)
        // Nobody waits for one that has left.
        #expect(try await rig.get().answer.status.isStored)
        #expect(rig.count == 3)
    }

    @Test(arguments: [true, false]) func `A body above the limit is passed on and not stored`(isAnnounced: Bool) async throws {
        let rig = HTTPCacheRig(HTTPCacheConfiguration(maximumBytes: 39_999)) { request, _ in
            var response = Self.chunked(request, Pulls())
            if !isAnnounced { response.head.headers.remove("Content-Length") }
            return response
        }
        let answer = try await rig.get()
        #expect(answer.answer.status.isStored == !isAnnounced)
        #expect(rig.store.keys.isEmpty && answer.answer.identity == nil)
    }

    /// The first transfer breaks after 20,000 bytes; ranges are obeyed.
    private static func breaking(_ then: @escaping @Sendable (HTTPRequest) -> HTTPResponse) -> ScriptedTransport.Answer {
        { request, number in
            guard number == 1 else { return then(request) }
            return HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: fields, url: request.url),
                body: .chunks([Array(whole[..<20_000])], failure: broken))
        }
    }

    @Test func `A broken transfer is continued, and the whole is stored`() async throws {
        let rig = HTTPCacheRig(
            answer: Self.breaking { request in
                .fixed(
                    request, status: 206, headers: [("Content-Range", "bytes 20000-39999/40000"), ("ETag", "\"1\"")],
                    body: Array(Self.whole[20_000...]))
            })
        await #expect(throws: ImageError.self) { try await rig.get() }
        #expect(rig.store.keys == [HTTPCacheRig.url + "\u{1}partial"])
        let answer = try await rig.cache.exchange(HTTPCacheRig.request())
        #expect(answer.status.description == "fwd=partial; fwd-status=206; stored; ttl=60" && answer.head.status == 200)
        #expect(rig.transport.requests[1].headers["Range"] == "bytes=20000-")
        #expect(rig.transport.requests[1].headers["If-Range"] == "\"1\"")
        var bytes: [UInt8] = []
        let stream = try Self.stream(answer)
        while try await stream.next(into: &bytes) {}
        #expect(bytes == Self.whole && rig.store.keys == [HTTPCacheRig.url])
        #expect(try await rig.get().answer.status.isHit)
    }

    @Test func `A rest that does not fit the part is requested anew`() async throws {
        let rig = HTTPCacheRig(
            answer: Self.breaking { request in
                request.headers.contains("Range")
                    ? .fixed(
                        request, status: 206, headers: [("Content-Range", "bytes 20000-39999/40000"), ("ETag", "\"2\"")],
                        body: Array(Self.whole[20_000...]))
                    : .fixed(request, headers: [("ETag", "\"2\""), ("Cache-Control", "max-age=60")], body: [1])
            })
        await #expect(throws: ImageError.self) { try await rig.get() }
        #expect(try await rig.get().text == "\u{1}")
        #expect(rig.count == 3 && rig.store.keys == [HTTPCacheRig.url])
    }

    @Test func `A rest that ends too early is an error, after which no part is left`() async throws {
        let rig = HTTPCacheRig(
            answer: Self.breaking { request in
                .fixed(
                    request, status: 206, headers: [("Content-Range", "bytes 20000-39999/40000"), ("ETag", "\"1\"")], body: [1])
            })
        for _ in 0..<2 { await #expect(throws: ImageError.self) { try await rig.get() } }
        #expect(rig.store.keys.isEmpty)
    }

    @Test func `A long transfer stores its beginning while it runs`() async throws {
        let rig = HTTPCacheRig { request, _ in Self.chunked(request, Pulls()) }
        let stream = try await Self.stream(rig.cache.exchange(HTTPCacheRig.request()))
        var bytes: [UInt8] = []
        for _ in 0..<20 { _ = try await stream.next(into: &bytes) }
        #expect(rig.store.keys.isEmpty)
        rig.time.advance(by: .seconds(3))
        _ = try await stream.next(into: &bytes)
        #expect(rig.store.keys == [HTTPCacheRig.url + "\u{1}partial"])
        while try await stream.next(into: &bytes) {}
        #expect(rig.store.keys == [HTTPCacheRig.url])
    }

    @Test func `A useless answer and the next request share one deadline`() async throws {
        let time = ManualTimeSource()
        let rig = HTTPCacheRig { request, number in
            if number > 1 { time.advance(by: .seconds(50)) }
            return number == 1
                ? .fixed(request, headers: [("ETag", "\"1\"")], body: [1])
                : .fixed(request, status: 304, headers: [("ETag", "\"2\"")])
        }
        let cache = HTTPCache(rig.transport, store: rig.store, time: time)
        let first = try await cache.send(HTTPCacheRig.request())
        var bytes: [UInt8] = []
        while try await first.body.next(into: &bytes) {}
        _ = try await cache.exchange(HTTPCacheRig.request())
        #expect(rig.transport.requests.map(\.deadlines.total) == [.seconds(60), .seconds(60), .seconds(10)])
    }
}
