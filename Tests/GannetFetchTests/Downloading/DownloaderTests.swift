import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// The behaviours of SDWebImage's and Kingfisher's downloaders, by their names where they have one.
@Suite struct DownloaderTests {
    @Test func `test02ThatByDefaultDownloaderSetsTheAcceptHTTPHeader`() async throws {  // DL-10, U-29, U-22, S3-04
        let rig = DownloadRig(answer: DownloadRig.always())
        _ = try await rig.text()
        #expect(rig.sent().headers["Accept"]?.hasPrefix("image/") == true)
        #expect(rig.sent().headers["User-Agent"] == "Gannet")
    }

    @Test func `test03ThatSetAndGetValueForHTTPHeaderFieldWork`() async throws {  // DL-10, DL-18
        let rig = DownloadRig(answer: DownloadRig.always())
        rig.loader.configuration.headers.set("X-Team", "birds")
        #expect(rig.loader.configuration.headers["x-team"] == "birds")
        _ = try await rig.text(DownloadRig.url) { $0.download.headers = HTTPHeaders([("X-Own", "1")]) }
        #expect(rig.sent().headers["X-Team"] == "birds")
        #expect(rig.sent().headers["X-Own"] == "1")
        rig.loader.configuration.headers.remove("X-Team")
        _ = try await rig.text("https://example.org/b.png") { $0.download.headers = HTTPHeaders([("User-Agent", "mine")]) }
        #expect(rig.sent(1).headers["X-Team"] == nil)
        #expect(rig.sent(1).headers.all("User-Agent") == ["mine"])
    }

    @Test func `test04ThatASimpleDownloadWorks`() async throws {  // MG-03
        let rig = DownloadRig(answer: DownloadRig.always())
        let fetched = try await rig.fetch().get()
        #expect(fetched.encoded?.bytes.contiguous() == DownloadRig.picture)
        #expect(fetched.origin == .network)
        #expect(fetched.head?.status == 200)
    }

    @Test func `test07ThatDownloadImageWithNilURLCallsCompletionWithNils`() async {  // ER-1000
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(await rig.fetch("https:///a.png").failureCode == .misuse)
        #expect(rig.transport.requests.isEmpty)
    }

    @Test func `test08ThatAHTTPAuthDownloadWorks`() async throws {  // DL-11
        let rig = DownloadRig { request, _ in
            request.headers["Authorization"] == "Basic dXNlcjpwYXNz"
                ? .fixed(request, body: DownloadRig.picture)
                : .fixed(request, status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(try await rig.text { $0.download.credential = .basic(user: "user", password: "pass") } == "picture")
        #expect(try await rig.text("https://user:pass@example.org/b.png") == "picture")
        #expect(rig.sent(2).url.user == nil)
        rig.loader.configuration.credential = .basic(user: "user", password: "pass")
        #expect(try await rig.text("https://example.org/c.png") == "picture")
        rig.loader.configuration.credential = nil
        #expect(try await rig.text("https://us%65r:p%61ss@example.org/d.png") == "picture")
    }

    @Test func `test10That404CaseCallsCompletionWithError`() async {  // ER, DL-12
        let rig = DownloadRig(answer: DownloadRig.always(status: 404))
        guard case .failure(let error) = await rig.fetch() else {
            Issue.record("a page that is not there became a picture")
            return
        }
        #expect(error.code == .httpStatus && error.httpStatus == 404)
        #expect(error.source == DownloadRig.url)
        #expect(rig.cache.keys.isEmpty)
    }

    @Test(arguments: [199, 204, 299, 300, 302, 400, 404, 500, 599])
    func `Accepted by default is 200 to 299`(_ status: Int) async {  // DL-12
        let rig = DownloadRig(answer: DownloadRig.always(status: status))
        #expect(await rig.fetch().failureCode == ((200..<300).contains(status) ? nil : .httpStatus))
    }

    @Test func `test29AcceptableStatusCodeAndContentType`() async throws {  // DL-12, DL-13
        let rig = DownloadRig(answer: DownloadRig.always(headers: [("Content-Type", "image/jpeg; q=1")]))
        rig.loader.configuration.acceptedStatuses = [201..<300]
        guard case .failure(let refused) = await rig.fetch() else {
            Issue.record("accepted")
            return
        }
        #expect(refused.code == .httpStatus && refused.httpStatus == 200)
        rig.loader.configuration.acceptedStatuses = [200..<201]
        rig.loader.configuration.acceptedContentTypes = ["image/png"]
        #expect(await rig.fetch().failureCode == .contentType)
        rig.loader.configuration.acceptedContentTypes = ["image/*"]
        #expect(try await rig.text() == "picture")
        rig.loader.configuration.acceptedContentTypes = ["image/jpeg"]
        #expect(try await rig.text("https://example.org/b.jpg") == "picture")
    }

    @Test func `test23ThatDownloadRequestModifierWorks`() async throws {  // DL-20, CX-23, ER-2000
        let rig = DownloadRig(answer: DownloadRig.always())
        let modifier = ClosureRequestModifier(
            method: "POST", headers: HTTPHeaders([("X-Key", "k")]), body: Array("ask".utf8))
        _ = try await rig.text { $0.download.requestModifier = modifier }
        #expect(rig.sent().method == "POST" && rig.sent().headers["X-Key"] == "k" && rig.sent().body == Array("ask".utf8))
        let refusing = ClosureRequestModifier(identifier: "no") { _ in nil }
        #expect(await rig.fetch { $0.download.requestModifier = refusing }.failureCode == .hookRefused)
        #expect(rig.transport.requests.count == 1)
        struct Late: Error {}
        let failing = ClosureRequestModifier(identifier: "late") { _ in throw Late() }
        guard case .failure(let error) = await rig.fetch(DownloadRig.url, { $0.download.requestModifier = failing }) else {
            Issue.record("a failing modifier was ignored")
            return
        }
        #expect(error.code == .hookRefused && error.underlying is Late)
    }

    @Test func `test24ThatDownloadResponseModifierWorks`() async throws {  // DL-21, CX-24, ER-2003
        let rig = DownloadRig(answer: DownloadRig.always(status: 404))
        let modifier = ClosureResponseModifier(status: 200, version: "2", headers: HTTPHeaders([("X-Late", "1")]))
        let fetched = try await rig.fetch { $0.download.responseModifier = modifier }.get()
        #expect(fetched.head?.status == 200 && fetched.head?.version == "2" && fetched.head?.headers["X-Late"] == "1")
        let refusing = ClosureResponseModifier(identifier: "no") { _ in nil }
        #expect(await rig.fetch { $0.download.responseModifier = refusing }.failureCode == .hookRefused)
    }

    @Test func `test25ThatDownloadDecryptorWorks`() async throws {  // DL-22, CX-25
        let rig = DownloadRig(answer: DownloadRig.always(body: Array("cGljdHVyZQ==".utf8)))
        #expect(try await rig.text { $0.download.decryptor = Base64Decryptor() } == "picture")
        // The stored bytes are the decrypted ones, under a separate key.
        #expect(try await rig.text { $0.download.decryptor = Base64Decryptor() } == "picture")
        #expect(try await rig.text() == "cGljdHVyZQ==")
        let refusing = ClosureDecryptor(identifier: "no") { _, _ in nil }
        #expect(await rig.fetch { $0.download.decryptor = refusing }.failureCode == .hookRefused)
    }

    @Test func `test26DownloadURLSessionMetrics`() async throws {  // DL-38, KF-16
        let rig = DownloadRig(answer: DownloadRig.always())
        let metrics = try #require(try await rig.fetch().get().metrics)
        #expect(metrics.bytes == 7 && metrics.attempts == 1)
        #expect(rig.observer.count { if case .transferEnded(_, bytes: 7) = $0 { true } else { false } } == 1)
    }

    @Test func `test17ThatMinimumProgressIntervalWorks`() async throws {  // DL-03, DL-37, LD-02, KF-17
        let chunks = (0..<100).map { [UInt8($0)] }
        let rig = DownloadRig(
            change: { $0.minimumProgressInterval = 0.51 },
            answer: { request, _ in
                HTTPResponse(
                    head: HTTPResponseHead(status: 200, headers: HTTPHeaders([("Content-Length", "100")]), url: request.url),
                    body: .chunks(chunks))
            })
        let told = Mutex<[FetchProgress]>([])
        _ = try await rig.fetcher.fetch(rig.request()) { progress in told.withLock { $0.append(progress) } }
        let counts = told.withLock { $0.map(\.bytes.count) }
        #expect(counts == [1, 52, 100])
        #expect(told.withLock { $0.map(\.expected) } == [100, 100, 100])
        #expect(told.withLock { $0.last?.bytes.isComplete } == true)
        #expect(told.withLock { $0.last?.fraction } == 1)
    }

    @Test func `Progress of a body without length has no whole`() async throws {  // DL-37
        let rig = DownloadRig { request, _ in
            HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: request.url), body: .chunks([[1], [2]]))
        }
        let told = Mutex<[FetchProgress]>([])
        _ = try await rig.fetcher.fetch(rig.request()) { progress in told.withLock { $0.append(progress) } }
        #expect(told.withLock { $0.allSatisfy { $0.expected == nil && $0.fraction == nil } })
        #expect(told.withLock { $0.map(\.bytes.count) } == [1, 2, 2])
    }

    @Test func `The smaller of all limits counts, by the announced length and by counting`() async {  // DL-42, NK-15
        let announced = DownloadRig { request, _ in
            HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: HTTPHeaders([("Content-Length", "9")]), url: request.url),
                body: ByteStream { () async throws(ImageError) in
                    Issue.record("a body that is too large was read")
                    return nil
                })
        }
        func small(_ request: inout ImageRequest) {
            var limits = DecodeLimits()
            limits.maximumEncodedBytes = 8
            request.decode.limits = limits
        }
        #expect(await announced.fetch(DownloadRig.url, small).failureCode == .limitExceeded)
        let counted = DownloadRig { request, _ in
            HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: request.url),
                body: .chunks([[1, 2, 3, 4], [5, 6, 7, 8], [9]]))
        }
        #expect(await counted.fetch(DownloadRig.url, small).failureCode == .limitExceeded)
        let exact = DownloadRig(answer: DownloadRig.always(body: [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(await exact.fetch(DownloadRig.url, small).failureCode == nil)
    }

    @Test func `An empty body is an error of its own`() async {  // DL-39
        let rig = DownloadRig(answer: DownloadRig.always(body: []))
        #expect(await rig.fetch().failureCode == .empty)
    }

    @Test func `304 without a copy is the server's fault`() async {  // DL-40
        let rig = DownloadRig(answer: DownloadRig.always(status: 304, body: []))
        #expect(await rig.fetch().failureCode == .protocolViolation)
    }

    @Test func `One refresh of a credential for all that wait`() async throws {  // DL-11, U-31
        final class Provider: CredentialProvider {
            let asked = Mutex(0)
            let gate = AsyncGate()
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? {
                asked.withLock { $0 += 1 }
                await gate.wait()
                return .bearer("new")
            }
        }
        let provider = Provider()
        let refused = AsyncGate()
        let rig = DownloadRig(
            change: { $0.credentials = provider },
            answer: { request, _ in
                if request.headers["Authorization"] == "Bearer new" { return .fixed(request, body: DownloadRig.picture) }
                await refused.wait()
                return .fixed(request, status: 401, headers: [("WWW-Authenticate", "Bearer")])
            })
        let results = await withTaskGroup(of: Result<FetchedBytes, ImageError>.self) { group in
            for index in 0..<5 { group.addTask { await rig.fetch("https://example.org/\(index).png") } }
            await refused.waitForArrivals(5)
            refused.open()
            await provider.gate.waitForArrivals(1)
            provider.gate.open()
            var results: [Result<FetchedBytes, ImageError>] = []
            for await result in group { results.append(result) }
            return results
        }
        #expect(results.allSatisfy { $0.failureCode == nil })
        #expect(provider.asked.withLock { $0 } == 1)
        // Known from now on: sent with the first request.
        _ = try await rig.text("https://example.org/later.png")
        #expect(rig.transport.requests.last?.headers["Authorization"] == "Bearer new")
        #expect(provider.asked.withLock { $0 } == 1)
    }

    @Test func `A credential that is refused again is not asked for a second time`() async {  // DL-11
        struct Provider: CredentialProvider {
            func credential(for realm: AuthenticationRealm, rejected: Credential?) async throws -> Credential? { .bearer("bad") }
        }
        let rig = DownloadRig(
            change: { $0.credentials = Provider() },
            answer: DownloadRig.always(status: 401, headers: [("WWW-Authenticate", "Bearer")]))
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(rig.transport.requests.count == 2)
    }

    @Test func `Cookies are kept and sent for those who ask, and for nobody else`() async throws {  // OP-05, U-31
        let jar = MemoryCookieJar()
        let rig = DownloadRig(
            change: { $0.cookies = jar },
            answer: DownloadRig.always(headers: [("Set-Cookie", "id=7; Path=/"), ("Cache-Control", "no-store")]))
        _ = try await rig.text()
        #expect(jar.count == 0)
        _ = try await rig.text { $0.download.cookies = true }
        #expect(jar.count == 1)
        _ = try await rig.text { $0.download.cookies = true }
        _ = try await rig.text()
        _ = try await rig.text("https://other.example/a.png") { $0.download.cookies = true }
        #expect(rig.transport.requests.map { $0.headers["Cookie"] } == [nil, nil, "id=7", nil, nil])
    }

    /// As it is written in the request (RFC 6265, §5.1.4).
    @Test func `A cookie belongs to a path whose escapes are no UTF-8`() async throws {
        let rig = DownloadRig(
            change: { $0.cookies = MemoryCookieJar() }, answer: DownloadRig.always(headers: [("Set-Cookie", "id=7")]))
        for path in ["caf%E9/a.png", "caf%E9/b.png", "caf%E8/a.png", "a.png"] {
            _ = try await rig.text("https://example.org/\(path)") { $0.download.cookies = true }
        }
        #expect(rig.transport.requests.map { $0.headers["Cookie"] } == [nil, "id=7", nil, nil])
    }

    @Test func `Blind trust is per host`() async throws {  // OP-06, DL-11
        let rig = DownloadRig(change: { $0.hostsTrustedBlindly = ["dev.local"] }, answer: DownloadRig.always())
        _ = try await rig.text("https://dev.local/a.png")
        _ = try await rig.text("https://example.org/a.png")
        #expect(rig.transport.requests.map(\.trustsAnyCertificate) == [true, false])
    }

    @Test func `Deadlines of the request come before those of the downloader`() async throws {  // DL-02, DL-47
        let rig = DownloadRig(answer: DownloadRig.always())
        _ = try await rig.text()
        let own = LoadDeadlines(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
        _ = try await rig.text("https://example.org/b.png") { $0.download.deadlines = own }
        #expect(rig.sent().deadlines == LoadDeadlines(connect: .seconds(10), idle: .seconds(15), total: .seconds(60)))
        #expect(rig.sent(1).deadlines == own)
    }

    @Test func `Cancelling is told once, and stores nothing`() async {  // DL-34, test11ThatCancelWorks
        let gate = AsyncGate()
        let rig = DownloadRig { request, _ in
            HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: request.url),
                body: ByteStream { () async throws(ImageError) in
                    await gate.wait()
                    try ImageError.checkCancellation(stage: .load)
                    return nil
                })
        }
        let task = Task { await rig.fetch() }
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(await task.value.failureCode == .cancelled)
        #expect(rig.cache.keys.isEmpty)
        #expect(rig.loader.slots.runningCount == 0)
    }

    @Test func `A custom transport stands under everything`() async throws {  // DL-05, CG-24, test12, testThatLoadersManagerWorks
        let rig = DownloadRig(answer: DownloadRig.always())
        #expect(rig.loader.canLoad("https://example.org/a.png"))
        #expect(rig.loader.canLoad("HTTP://example.org/a.png"))
        #expect(!rig.loader.canLoad("ftp://example.org/a.png"))
        #expect(!rig.loader.canLoad("/a.png"))
        #expect(await rig.fetch("ftp://example.org/a.png").failureCode == .unsupported)
    }

    @Test func `Two downloaders have nothing in common`() {  // test01ThatSharedDownloaderIsNotEqualToInitDownloader, DL-18
        let one = DownloadRig(answer: DownloadRig.always())
        let other = DownloadRig(answer: DownloadRig.always())
        one.loader.configuration.maximumConcurrentDownloads = 1
        one.loader.isSuspended = true
        #expect(other.loader.configuration.maximumConcurrentDownloads == 6)
        #expect(!other.loader.isSuspended)
    }
}
