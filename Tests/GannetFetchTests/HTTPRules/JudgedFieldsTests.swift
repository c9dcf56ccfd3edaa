import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Testing

/// Fields of an answer that say how it may be stored, where they contradict each other.
@Suite struct JudgedFieldsTests {
    /// RFC 9111 §5.2.2.3.
    @Test(arguments: [(200, true), (404, true), (302, true), (599, false)])
    func `must-understand takes no-store back for those who know the status`(_ status: Int, _ isStored: Bool) async throws {
        let rig = DownloadRig(
            change: {
                $0.acceptedStatuses = [200..<600]
                $0.redirects.maximumCount = 0
            },
            answer: DownloadRig.always(status: status, headers: [("Cache-Control", "max-age=3600, no-store, must-understand")]))
        for _ in 0..<2 { _ = try await rig.fetch().get() }
        #expect(rig.transport.requests.count == (isStored ? 1 : 2))
    }

    /// A response must not declare `Vary` as hop-by-hop, or as needing revalidation: obeying that would serve one user's image to
    /// all.
    @Test(arguments: ["Connection: Vary", "Cache-Control: no-cache=\"Vary\""])
    func `What a response varies by is kept`(_ line: String) async throws {
        let parts = line.split(separator: ":").map { $0.trimmedOWS() }
        let rig = DownloadRig { request, _ in
            .fixed(
                request, headers: [("Cache-Control", "max-age=100"), ("Vary", "Foo"), (parts[0], parts[1])],
                body: Array((request.headers["Foo"] ?? "").utf8))
        }
        for foo in ["a", "b"] { #expect(try await rig.text { $0.download.headers = HTTPHeaders([("Foo", foo)]) } == foo) }
    }

    @Test func `What a cache notes of redirects is not for servers to say`() async throws {
        let rig = DownloadRig(
            answer: DownloadRig.always(headers: [
                ("Cache-Control", "max-age=1000"), ("Gannet-Redirects-Fresh-Until", "0"),
            ]))
        for _ in 0..<2 { _ = try await rig.fetch().get() }
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `How old a response may become is kept`() async throws {
        let rig = DownloadRig(
            answer: DownloadRig.always(headers: [
                ("Cache-Control", "no-cache, max-age=0"), ("Connection", "Cache-Control"),
                ("Last-Modified", "Mon, 23 Nov 2020 00:00:00 GMT"),
            ]))
        for _ in 0..<2 { _ = try await rig.fetch().get() }
        #expect(rig.transport.requests.count == 2)
    }

    /// Bytes that were no UTF-8 are not known any more, and nothing is no tag.
    @Test(arguments: [("ETag", "\"caf\u{FFFD}\""), ("ETag", ""), ("Last-Modified", "")])
    func `A validator that cannot be sent back is none`(_ field: (String, String)) async throws {
        let rig = DownloadRig(answer: DownloadRig.always(headers: [("Cache-Control", "max-age=0"), field]))
        for _ in 0..<2 { _ = try await rig.fetch().get() }
        #expect(rig.sent(1).headers["If-None-Match"] == nil && rig.sent(1).headers["If-Modified-Since"] == nil)
        let known = DownloadRig(answer: DownloadRig.always(headers: [("Cache-Control", "max-age=0"), ("ETag", "\"✓\"")]))
        for _ in 0..<2 { _ = try await known.fetch().get() }
        #expect(known.sent(1).headers["If-None-Match"] == "\"✓\"")
    }

    /// RFC 9111 §4.1: the most recent one.
    @Test func `A variant's older copy never comes back`() async throws {
        let rig = DownloadRig { request, number in
            let rules = request.headers["Selection"] ?? "max-age=1000"
            return .fixed(
                request, headers: [("Vary", "Foo"), ("Cache-Control", rules)],
                body: Array("\(request.headers["Foo"] ?? "")\(number)".utf8))
        }
        func get(_ foo: String, _ wish: String? = nil) async throws -> String {
            try await rig.text {
                $0.download.headers = HTTPHeaders(
                    [("Foo", foo)] + (wish.map { [("Selection", $0), ("Cache-Control", "no-cache")] } ?? []))
            }
        }
        #expect(try await get("a") == "a1")
        #expect(try await get("b") == "b2")
        #expect(try await get("a", "no-store") == "a3")
        #expect(try await get("b", "max-age=1000") == "b4")
        #expect(try await get("b", "no-store") == "b5")
        #expect(try await get("a") == "a6")
        #expect(try await get("b") == "b7")
    }
}
