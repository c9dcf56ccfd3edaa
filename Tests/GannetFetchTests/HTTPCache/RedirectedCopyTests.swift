import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

/// Stored pictures that were reached over redirects: what their own server allows holds for them, and not for the way to them.
@Suite struct RedirectedCopyTests {
    private static let lenient = "max-age=3600, stale-while-revalidate=86400, stale-if-error=86400"

    private static func speaking(_ language: String, _ wish: String? = nil) -> (inout ImageRequest) -> Void {
        { request in
            request.download.headers = HTTPHeaders([("Accept-Language", language)])
            if let wish { request.download.headers?.add("Cache-Control", wish) }
        }
    }

    /// `/a.png` sends each language to its own picture.
    private static func rig(_ fields: [(String, String)]) -> DownloadRig {
        DownloadRig { request, _ in
            guard request.url.path == "/a.png" else {
                return .fixed(request, headers: [("Cache-Control", lenient)], body: Array(request.url.path.utf8))
            }
            return .fixed(
                request, status: 302, headers: fields + [("Location", "/" + (request.headers["Accept-Language"] ?? ""))])
        }
    }

    /// As servers do that set a cookie first: the browser that comes back with it gets the page.
    @Test func `A permanent redirect to itself is asked again in the same load`() async throws {
        let rig = DownloadRig { request, number in
            number == 1
                ? .fixed(request, status: 301, headers: [("Location", "/a.png")])
                : .fixed(request, headers: [("Cache-Control", "max-age=60")], body: [1])
        }
        #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == [1])
        #expect(rig.transport.requests.count == 2)
        #expect(try await rig.fetch().get().origin == .disk)
        #expect(rig.transport.requests.count == 2)
    }

    @Test func `A circle of stored redirects ends in an error, and is asked anew by the next load`() async throws {
        let isMended = Mutex(false)
        let rig = DownloadRig { request, _ in
            if request.url.path == "/b.png", isMended.withLock({ $0 }) { return .fixed(request, body: [1]) }
            return .fixed(
                request, status: 301,
                headers: [("Location", request.url.path == "/a.png" ? "/b.png" : "/a.png"), ("Cache-Control", "max-age=60")])
        }
        #expect(await rig.fetch().failureCode == .tooManyRedirects)
        isMended.withLock { $0 = true }
        #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == [1])
    }

    /// A hop's body refers to its load: were the load to keep it, neither would ever go, nor the transport's connections.
    @Test func `A load keeps nothing alive when it is over`() async throws {
        weak var transport: ScriptedTransport?
        do {
            let rig = Self.rig([])
            transport = rig.transport
            #expect(try await rig.text(DownloadRig.url, Self.speaking("en")) == "/en")
            #expect(await rig.fetch("https://example.org/").failureCode == nil)
        }
        #expect(await eventually { transport == nil })
    }

    /// RFC 9111 §4.2.4.
    @Test(arguments: [[("Vary", "Accept-Language")], [("Cache-Control", "no-store")], []])
    func `What the picture's server allows does not hold for the redirect`(_ fields: [(String, String)]) async throws {
        for wish in [nil, "max-stale", "max-stale=100"] {
            let rig = Self.rig(fields)
            #expect(try await rig.text(DownloadRig.url, Self.speaking("en")) == "/en")
            #expect(try await rig.text(DownloadRig.url, Self.speaking("de", wish)) == "/de")
        }
        let passing = Self.rig([("Cache-Control", "max-age=10")])
        #expect(try await passing.text(DownloadRig.url, Self.speaking("en")) == "/en")
        #expect(try await passing.text(DownloadRig.url, Self.speaking("en")) == "/en")
        #expect(passing.transport.requests.count == 2)
        passing.time.advance(by: .seconds(11))
        #expect(try await passing.text(DownloadRig.url, Self.speaking("de")) == "/de")
    }

    /// RFC 5861 §4, RFC 9111 §4.2.4.
    @Test(arguments: [
        ([("Vary", "Accept-Language")], true), ([("Cache-Control", "no-store")], false), ([], true),
    ])
    func `Nor does it stand in for where the redirect leads now`(_ fields: [(String, String)], _ whenUnreachable: Bool)
        async throws
    {
        let failures: [(ScriptedTransport.Answer, isUsed: Bool)] = [
            ({ request, _ in .fixed(request, status: 503) }, false),
            ({ _, _ throws(ImageError) in throw ImageError(.connectionFailed, stage: .load, "off") }, whenUnreachable),
        ]
        for (failure, isUsed) in failures {
            let rig = DownloadRig { request, number throws(ImageError) in
                if number > 2 { return try await failure(request, number) }
                if request.url.path == "/b.png" {
                    return .fixed(request, headers: [("Cache-Control", Self.lenient)], body: DownloadRig.picture)
                }
                return .fixed(request, status: 302, headers: fields + [("Location", "/b.png")])
            }
            _ = try await rig.text()
            let fetched = try? await rig.fetch().get()
            #expect(fetched.map(\.isStale) == (isUsed ? true : nil))
        }
    }

    /// RFC 9111 §5.2.2.2: of any redirect on the way, once that one is over.
    @Test(arguments: [("max-age=10", true), ("max-age=10, must-revalidate", false), ("max-age=100, must-revalidate", true)])
    func `A redirect that must be asked is not stood in for where nobody answers`(_ rules: String, _ isUsed: Bool) async throws {
        let rig = DownloadRig { request, number throws(ImageError) in
            if number > 3 { throw ImageError(.connectionFailed, stage: .load, "off") }
            let next = ["/a.png": ("max-age=10", "/b.png"), "/b.png": (rules, "/c.png")][request.url.path]
            guard let next else {
                return .fixed(request, headers: [("Cache-Control", Self.lenient)], body: DownloadRig.picture)
            }
            return .fixed(request, status: 302, headers: [("Cache-Control", next.0), ("Location", next.1)])
        }
        _ = try await rig.text()
        rig.time.advance(by: .seconds(11))
        #expect((try? await rig.fetch().get())?.isStale == (isUsed ? true : nil))
    }

    /// RFC 9111 §5.2.2.7, §5.2.2.10.
    @Test(arguments: ["private, max-age=3600", "s-maxage=0, max-age=3600"])
    func `A cache for many keeps the redirect of one no longer than it may`(_ rules: String) async throws {
        for isShared in [false, true] {
            let rig = DownloadRig(rules: HTTPCachePolicy(isShared: isShared)) { request, _ in
                request.url.path == "/a.png"
                    ? .fixed(request, status: 302, headers: [("Cache-Control", rules), ("Location", "/b.png")])
                    : .fixed(request, headers: [("Cache-Control", "max-age=3600")], body: DownloadRig.picture)
            }
            _ = try await rig.text()
            _ = try await rig.text()
            // The redirect is requested again; the image is served from the cache to every user.
            #expect(rig.transport.requests.count == (isShared ? 3 : 2))
        }
    }
}
