import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Stored images as fallbacks for failures, together with the list of failed sources. U-13, U-14, MG-08
@Suite struct FallbackTests {
    private static let lenient = [("Cache-Control", "max-age=1, stale-while-revalidate=10, stale-if-error=86400")]

    /// The picture, and then nothing but the failure.
    private static func rig(_ failure: @escaping ScriptedTransport.Answer) -> DownloadRig {
        DownloadRig(failedAge: .seconds(300)) { request, number throws(ImageError) in
            if number == 1 { return .fixed(request, headers: lenient, body: DownloadRig.picture) }
            return try await failure(request, number)
        }
    }

    private static let busy: ScriptedTransport.Answer = { request, _ in
        .fixed(request, status: 503, headers: [("Retry-After", "3600")])
    }

    /// RFC 5861 §4.
    @Test func `A source that is listed is stood in for as when it failed`() async throws {
        let rig = Self.rig(Self.busy)
        _ = try await rig.text()
        rig.time.advance(by: .seconds(5))
        #expect(try await rig.fetch().get().needsRevalidation)
        var again = rig.request()
        again.download.forcesRevalidation = true
        await #expect(throws: ImageError.self) { try await rig.fetcher.fetch(again) }
        rig.time.advance(by: .seconds(10))
        let fetched = try await rig.fetch().get()
        #expect(fetched.isStale && fetched.encoded?.bytes.contiguous() == DownloadRig.picture)
        #expect(rig.transport.requests.count == 2)
    }

    @Test func `A busy server is left alone as long as it wants, also where a copy stands in for it`() async throws {
        let rig = Self.rig(Self.busy)
        _ = try await rig.text()
        rig.time.advance(by: .seconds(60))
        for _ in 0..<3 { #expect(try await rig.fetch().get().isStale) }
        #expect(rig.transport.requests.count == 2)
        rig.time.advance(by: .seconds(3601))
        #expect(try await rig.fetch().get().isStale)
        #expect(rig.transport.requests.count == 3)
        // The list records the failure, not the repeated request.
        #expect(await rig.fetch { $0.cache.lookup = .loaderOnly }.failureCode == .blocked)
    }

    @Test func `A busy server is left alone too where its answer would be taken for one`() async throws {
        let rig = Self.rig(Self.busy)
        rig.loader.configuration.acceptedStatuses = [200..<600]
        _ = try await rig.text()
        rig.time.advance(by: .seconds(60))
        for _ in 0..<3 { #expect(try await rig.text() == "picture") }
        #expect(rig.transport.requests.count == 2)
    }

    @Test func `What is missing is not stood in for because it is listed`() async throws {
        let rig = Self.rig { request, _ in .fixed(request, status: 404) }
        _ = try await rig.text()
        rig.time.advance(by: .seconds(60))
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(await rig.fetch().failureCode == .blocked)
    }

    /// RFC 9111 §5.2.2.5.
    @Test func `A whole answer that forbids storing removes the copy that was asked about`() async throws {
        let validated = [("ETag", "\"v1\""), ("Cache-Control", "max-age=0")]
        let confused = DownloadRig { request, number in
            switch number {
            case 1: .fixed(request, headers: validated, body: DownloadRig.picture)
            case 2: .fixed(request, status: 304, headers: [("ETag", "\"other\"")])
            default: .fixed(request, headers: [("Cache-Control", "no-store")], body: [1])
            }
        }
        _ = try await confused.text()
        _ = try await confused.fetch().get()
        #expect(confused.transport.requests.count == 3 && confused.cache.keys.isEmpty)
        for (status, field) in [(200, "If-None-Match"), (304, "If-None-Match"), (206, "Range")] {
            let rig = DownloadRig(
                change: { $0.acceptedStatuses = [200..<400] },
                answer: { request, number in
                    number == 1
                        ? .fixed(request, headers: validated, body: DownloadRig.picture)
                        : .fixed(
                            request, status: status,
                            headers: [("Cache-Control", "no-store"), ("Content-Range", "bytes 0-0/7")],
                            body: status == 304 ? [] : [1])
                })
            _ = try await rig.text()
            let own = field == "Range" ? "bytes=0-0" : "\"v0\""
            let fetched = try await rig.fetch { $0.download.headers = HTTPHeaders([(field, own)]) }.get()
            #expect(fetched.metadata?.http?.status == status)
            #expect(rig.cache.keys.isEmpty, "\(status)")
        }
    }

    /// RFC 9111 §4.3.4: another load has stored other bytes while this one was asking.
    @Test(arguments: ["Last-Modified", "ETag"])
    func `A 304 confirms the bytes that were asked about`(_ validator: String) async throws {
        let gate = AsyncGate()
        let dates = ["Wed, 31 Dec 2025 23:00:00 GMT", "Wed, 31 Dec 2025 23:30:00 GMT"]
        func fields(_ index: Int) -> [(String, String)] {
            [(validator, validator == "ETag" ? "\"\(index)\"" : dates[index]), ("Cache-Control", "max-age=0")]
        }
        let (old, new) = (fields(0), fields(1))
        let rig = DownloadRig { request, number in
            switch number {
            case 1: return .fixed(request, headers: old, body: Array("old".utf8))
            case 2:
                await gate.wait()
                return .fixed(request, status: 304)
            default: return .fixed(request, headers: new, body: Array("new".utf8))
            }
        }
        _ = try await rig.text()
        let asking = Task { await rig.fetch() }
        await gate.waitForArrivals(1)
        #expect(try await rig.text { $0.cache.lookup = .loaderOnly } == "new")
        gate.open()
        let fetched = try await asking.value.get()
        #expect(!fetched.wasRevalidated && fetched.metadata?.http?.headers[validator] == new[0].1)
    }

    /// RFC 8246, RFC 9111 §5.2.2.4.
    @Test func `What is immutable and wants to be asked about is asked about`() async throws {
        let rig = DownloadRig { request, number in
            .fixed(
                request, status: number == 1 ? 200 : 304,
                headers: [("ETag", "\"v1\""), ("Cache-Control", "immutable, max-age=1000, no-cache")],
                body: number == 1 ? DownloadRig.picture : [])
        }
        _ = try await rig.text()
        #expect(try await rig.fetch { $0.cache.lookup = .revalidate }.get().origin == .revalidated)
    }

    /// RFC 9110 §5.5: fields that no client may send. HTTP/2 lets servers send them.
    @Test(arguments: ["\"\u{01}\"", "\"a\u{7F}\"", "\"a\tb\""])
    func `Validators that cannot be sent are none`(_ tag: String) async throws {
        let rig = DownloadRig(
            answer: DownloadRig.always(headers: [("ETag", tag), ("Last-Modified", "\u{02}"), ("Cache-Control", "max-age=0")]))
        _ = try await rig.text()
        #expect(try await rig.text() == "picture")
        #expect(!rig.sent(1).headers.contains("If-None-Match") && !rig.sent(1).headers.contains("If-Modified-Since"))
        let broken = DownloadRig(answer: ResumeTests.server([("ETag", tag), ("Cache-Control", "max-age=60")]))
        _ = await broken.fetch()
        _ = try await broken.fetch().get()
        #expect(!broken.sent(1).headers.contains("If-Range"))
    }
}
