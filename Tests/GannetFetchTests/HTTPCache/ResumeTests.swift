import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// NK-01, DL-41, U-16, S3-14: interrupted transfers are continued, or restarted if the rest may belong to something else.
@Suite struct ResumeTests {
    static let whole = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    static let cut = 20_000
    static let broken = ImageError(.network, stage: .load, "broken")
    static let validator = [("ETag", "\"v1\""), ("Cache-Control", "max-age=60")]

    /// A server that obeys ranges; the first transfer breaks in the middle.
    static func server(
        _ fields: [(String, String)] = validator,
        then rest: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { continuing($0) }
    ) -> ScriptedTransport.Answer {
        { request, number in
            guard number == 1 else { return rest(request) }
            return HTTPResponse(
                head: HTTPResponseHead(
                    status: 200, headers: HTTPHeaders(fields + [("Content-Length", "\(whole.count)")]), url: request.url),
                body: .chunks([Array(whole[..<cut])], failure: broken))
        }
    }

    static func continuing(
        _ request: HTTPRequest, _ fields: [(String, String)] = validator, range: String? = nil, body: [UInt8]? = nil
    ) -> HTTPResponse {
        guard request.headers["Range"] != nil else { return .fixed(request, headers: fields, body: whole) }
        return .fixed(
            request, status: 206,
            headers: fields + [("Content-Range", range ?? "bytes \(cut)-\(whole.count - 1)/\(whole.count)")],
            body: body ?? Array(whole[cut...]))
    }

    // DL-41, NK-01, U-16
    @Test func `A later load asks for the rest, and the whole is stored`() async throws {
        let rig = DownloadRig(answer: Self.server())
        #expect(await rig.fetch().failureCode == .network)
        let fetched = try await rig.fetch().get()
        #expect(fetched.encoded?.bytes.contiguous() == Self.whole)
        #expect(rig.sent(1).headers["Range"] == "bytes=\(Self.cut)-")
        #expect(rig.sent(1).headers["If-Range"] == "\"v1\"")
        #expect(rig.sent(1).headers["Accept-Encoding"] == "identity")
        #expect(fetched.metadata?.http?.status == 200)
        // The part has gone; the whole stands alone, and is used.
        #expect(rig.cache.keys == [DownloadRig.url])
        #expect(try await rig.fetch().get().origin == .disk)
    }

    /// A killed process leaves the content of the cache at that moment.
    @Test(arguments: [false, true]) func `A long transfer is kept while it runs, and its part goes with its end`(
        _ isWatched: Bool
    ) async throws {
        let gate = AsyncGate()
        let rig = DownloadRig { request, number throws(ImageError) in
            guard number == 1 else { return Self.continuing(request) }
            let position = Mutex(0)
            let pieces = [Array(Self.whole[..<1000]), Array(Self.whole[1000..<Self.cut]), Array(Self.whole[Self.cut...])]
            let fields = HTTPHeaders(Self.validator + [("Content-Length", "\(Self.whole.count)")])
            return HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: fields, url: request.url),
                body: ByteStream { () async throws(ImageError) -> [UInt8]? in
                    let index = position.withLock { index in
                        index += 1
                        return index - 1
                    }
                    if index > 0 { await gate.wait() }
                    return index < pieces.count ? pieces[index] : nil
                })
        }
        let request = rig.request()
        let watch: @Sendable (FetchProgress) -> Void = { _ in }
        let watcher = isWatched ? watch : nil
        let first = Task { () async -> [UInt8]? in
            do throws(ImageError) {
                return try await rig.fetcher.fetch(request, publish: watcher).encoded?.bytes.contiguous()
            } catch { return nil }
        }
        await gate.waitForArrivals(1)
        rig.time.advance(by: .seconds(4))
        gate.pass()
        gate.close()
        // The second piece has been kept when the third is requested.
        await gate.waitForArrivals(2)
        #expect(rig.cache.keys.count == 1 && rig.cache.keys != [DownloadRig.url])
        let after = try await rig.fetch().get()
        #expect(after.encoded?.bytes.contiguous() == Self.whole)
        #expect(rig.sent(1).headers["Range"] == "bytes=\(Self.cut)-")
        gate.open()
        #expect(await first.value == Self.whole)
        #expect(rig.cache.keys == [DownloadRig.url])
    }

    @Test func `A part never answers a request`() async {
        let rig = DownloadRig(answer: Self.server())
        _ = await rig.fetch()
        #expect(await rig.fetch { $0.cache.lookup = .cacheOnly }.failureCode == .cacheMiss)
    }

    @Test func `A retry continues in the same load`() async throws {
        let rig = DownloadRig(retry: DelayRetryStrategy(interval: .seconds(0)), answer: Self.server())
        let progress = Mutex<[FetchProgress]>([])
        let fetched = try await rig.fetcher.fetch(rig.request()) { told in progress.withLock { $0.append(told) } }
        #expect(fetched.encoded?.bytes.contiguous() == Self.whole)
        #expect(rig.sent(1).headers["Range"] != nil)
        // Bytes only grow: nothing that was shown is void.
        let counts = progress.withLock { $0.map(\.bytes.count) }
        #expect(counts == counts.sorted())
        #expect(progress.withLock { Set($0.map(\.attempt)) } == [1])
    }

    @Test func `Last-Modified long ago is a strong validator, one of the same minute is not`() async throws {
        let date = ("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
        let old = ("Last-Modified", "Wed, 31 Dec 2025 23:00:00 GMT")
        let rig = DownloadRig(answer: Self.server([date, old]))
        _ = await rig.fetch()
        _ = try await rig.fetch().get()
        #expect(rig.sent(1).headers["If-Range"] == old.1)
        let fresh = DownloadRig(answer: Self.server([date, ("Last-Modified", "Wed, 31 Dec 2025 23:59:30 GMT")]))
        _ = await fresh.fetch()
        _ = try await fresh.fetch().get()
        #expect(fresh.sent(1).headers["Range"] == nil)
    }

    @Test(arguments: [
        [("ETag", "W/\"weak\"")], [], [("ETag", "\"v1\""), ("Accept-Ranges", "none")],
        [("ETag", "\"v1\""), ("Cache-Control", "no-store")], [("ETag", "\"v1\""), ("Content-Encoding", "rot13")],
    ])
    func `Without proof that the rest belongs to it, a part is not kept`(_ fields: [(String, String)]) async throws {
        let rig = DownloadRig(answer: Self.server(fields) { Self.continuing($0, []) })
        _ = await rig.fetch()
        #expect(rig.cache.keys.isEmpty)
        #expect(try await rig.fetch().get().encoded?.bytes.count == Self.whole.count)
        #expect(rig.sent(1).headers["Range"] == nil)
    }

    // NK-01, S3-14
    @Test(arguments: [
        "bytes 19999-39999/40000", "bytes 20001-39999/40000", "bytes 20000-39998/40000", "bytes 20000-39999/40001",
        "bytes 20000-39999/*", "bytes 0-39999/40000", "bytes */40000", "20000-39999/40000", "items 20000-39999/40000", "",
    ])
    func `A range that is not exactly the rest begins anew`(_ range: String) async throws {
        let rig = DownloadRig(answer: Self.server { Self.continuing($0, range: range) })
        _ = await rig.fetch()
        #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == Self.whole)
        #expect(rig.transport.requests.map { $0.headers.contains("Range") } == [false, true, false])
    }

    @Test func `A changed picture begins anew`() async throws {
        // The server obeys If-Range and sends the whole new one.
        let new = Array("another picture".utf8)
        let rig = DownloadRig(answer: Self.server { .fixed($0, headers: [("ETag", "\"v2\"")], body: new) })
        _ = await rig.fetch()
        let progress = Mutex<[FetchProgress]>([])
        let fetched = try await rig.fetcher.fetch(rig.request()) { told in progress.withLock { $0.append(told) } }
        #expect(fetched.encoded?.bytes.contiguous() == new)
        // Nothing else: nothing is requested twice, and nothing of the old response stays.
        #expect(rig.transport.requests.count == 2 && rig.cache.keys == [DownloadRig.url])
        #expect(progress.withLock { $0.allSatisfy { $0.bytes.count <= new.count } })
        // The server ignores If-Range; its tag reveals it.
        let careless = DownloadRig(answer: Self.server { Self.continuing($0, [("ETag", "\"v2\"")]) })
        _ = await careless.fetch()
        #expect(try await careless.fetch().get().encoded?.bytes.contiguous() == Self.whole)
        #expect(careless.transport.requests.count == 3)
    }

    @Test(arguments: [-1, 1])
    func `A rest of the wrong length begins anew`(_ difference: Int) async throws {
        let rest = difference < 0 ? Array(Self.whole[Self.cut...].dropLast()) : Self.whole[Self.cut...] + [0]
        let rig = DownloadRig(answer: Self.server { Self.continuing($0, body: rest) })
        _ = await rig.fetch()
        #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == Self.whole)
    }

    @Test func `416 begins anew, other failures keep the part`() async throws {
        let gone = DownloadRig(
            answer: Self.server { $0.headers.contains("Range") ? .fixed($0, status: 416) : Self.continuing($0) })
        _ = await gone.fetch()
        #expect(try await gone.fetch().get().encoded?.bytes.contiguous() == Self.whole)
        let busy = DownloadRig { request, number throws(ImageError) in
            if number == 2 { return .fixed(request, status: 503) }
            return try await Self.server()(request, number)
        }
        _ = await busy.fetch()
        #expect(await busy.fetch().failureCode == .httpStatus)
        #expect(try await busy.fetch().get().encoded?.bytes.contiguous() == Self.whole)
        #expect(busy.sent(2).headers["Range"] != nil)
    }

    @Test func `What breaks twice is continued twice`() async throws {
        let rig = DownloadRig { request, number in
            let first = number == 1 ? 0 : Self.cut * number / 2
            switch number {
            case 1: return try! await Self.server()(request, 1)
            case 2:
                return HTTPResponse(
                    head: HTTPResponseHead(
                        status: 206,
                        headers: HTTPHeaders(
                            Self.validator + [("Content-Range", "bytes \(Self.cut)-39999/40000"), ("Content-Length", "20000")]),
                        url: request.url),
                    body: .chunks([Array(Self.whole[Self.cut..<30_000])], failure: Self.broken))
            default:
                #expect(first == 30_000)
                return Self.continuing(
                    request, range: "bytes 30000-39999/40000", body: Array(Self.whole[30_000...]))
            }
        }
        _ = await rig.fetch()
        #expect(await rig.fetch().failureCode == .network)
        #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == Self.whole)
        #expect(rig.sent(2).headers["Range"] == "bytes=30000-")
    }

    /// DL-02: discarded transfers use up time too.
    @Test func `A transfer that begins anew has the rest of the time`() async throws {
        let time = ManualTimeSource()
        let transport = ScriptedTransport { request, number throws(ImageError) in
            time.advance(by: .seconds(3))
            return try await Self.server { Self.continuing($0, range: "bytes 0-19999/40000") }(request, number)
        }
        var configuration = DownloaderConfiguration()
        configuration.deadlines.total = .seconds(10)
        let loader = HTTPLoader(transport: transport, configuration: configuration, time: time)
        let fetcher = ByteFetcher(
            loaders: LoadersManager([loader]), cache: InMemoryImageCache(), time: time, slots: loader.slots,
            failedSources: FailedSources(age: .zero, time: time), retry: DelayRetryStrategy(interval: .seconds(0)))
        let request = DownloadRig(answer: DownloadRig.always()).request()
        #expect(try await fetcher.fetch(request).encoded?.bytes.contiguous() == Self.whole)
        #expect(transport.requests.map(\.deadlines.total) == [10, 10, 7].map { .seconds($0) })
    }

    /// RFC 9110 §8.8.1: validators say nothing about another resource, even if they are equal.
    @Test func `What is behind a redirect is continued only where it began`() async throws {
        for places in [["/1.bmp", "/2.bmp"], ["/1.bmp", "/1.bmp"]] {
            let asked = Mutex(0)
            let rig = DownloadRig { request, number throws(ImageError) in
                guard request.url.path == "/a.png" else {
                    if number == 2 { return try await Self.server()(request, 1) }
                    return Self.continuing(request)
                }
                let place = places[
                    asked.withLock { count in
                        defer { count += 1 }
                        return count
                    }]
                return .fixed(request, status: 302, headers: [("Location", place)])
            }
            _ = await rig.fetch()
            // The redirect, and the part.
            #expect(rig.cache.keys.count == 2)
            #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == Self.whole)
            let ranges = rig.transport.requests.map { $0.headers["Range"] != nil && $0.headers["If-Range"] != nil }
            #expect(ranges == [false, false, false, places[0] == places[1]])
        }
        let careless = DownloadRig { request, number throws(ImageError) in
            switch number {
            case 2: return try await Self.server()(request, 1)
            case 4: return Self.continuing(HTTPRequest(url: request.url, headers: HTTPHeaders([("Range", "bytes=0-")])))
            default:
                return request.url.path == "/a.png"
                    ? .fixed(request, status: 302, headers: [("Location", "/\(number).bmp")]) : Self.continuing(request)
            }
        }
        _ = await careless.fetch()
        // Nothing is known of the new place, so no part of it is asked for.
        #expect(await careless.fetch().failureCode == .protocolViolation)
        #expect(careless.transport.requests.count == 4 && careless.transport.requests.allSatisfy { $0.headers["Range"] == nil })
    }

    @Test func `Little is not worth keeping`() async {
        let rig = DownloadRig { request, _ in
            HTTPResponse(
                head: HTTPResponseHead(
                    status: 200, headers: HTTPHeaders(Self.validator + [("Content-Length", "40000")]), url: request.url),
                body: .chunks([Array(Self.whole[..<1000])], failure: Self.broken))
        }
        _ = await rig.fetch()
        #expect(rig.cache.keys.isEmpty)
    }
}
