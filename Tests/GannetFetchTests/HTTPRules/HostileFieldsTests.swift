import FoundationEssentials
import GannetCache
import GannetCore
import GannetPlatform
import GannetTesting
import Testing

@testable import GannetFetch

/// Response fields are untrusted text: whatever they contain, the rules give an answer, and the same one each time. A number that
/// overflows or an index beyond the end would end the process. // U-05, KS-01
@Suite struct HostileFieldsTests {
    /// Seeded mixtures of texts that the rules look for and texts that they do not expect.
    private struct Author {
        var chance: SeededGenerator

        private static let pieces = [
            "max-age", "s-maxage", "no-cache", "no-store", "private", "must-revalidate", "immutable", "stale-while-revalidate",
            "stale-if-error", "max-stale", "min-fresh", "only-if-cached", "=", "=", ",", ", ", ";", " ", "\t", "\"", "\\", "\\\"",
            "0",
            "1", "60", "-1", "+5", "0x10", "1.5", "1e9", "2147483648", "9223372036854775807", "9223372036854775808",
            "99999999999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Mon, 31 Feb 9999 24:60:61 GMT", "Thu, 01 Jan 0000 00:00:00 GMT", "1994", "GMT", "W/",
            "*", "bytes",
            "bytes 0-0/1", "bytes 5-2/*", "-", "/", ":", "a=b", "Path=/", "Expires=", "Max-Age=", "Domain=", "Secure",
            "Digest realm=",
            "Basic", "Bearer", "nonce", "qop=\"auth\"", "gzip", "deflate", "identity", "chunked", "é", "\u{0}", "\u{7F}",
            "http://", "//",
            "?", "#", "%", "%zz", "[::1]", "example.org", "a@b", "..", "\u{1F600}", "ACCEPT", "Accept-Language",
        ]
        static let names = [
            "Cache-Control", "Age", "Date", "Expires", "Last-Modified", "ETag", "Vary", "Pragma", "Content-Length",
            "Content-Range",
            "Location", "Content-Location", "Connection", "Set-Cookie", "Retry-After", "Warning", "Accept", "If-None-Match",
        ]

        mutating func text() -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &chance) { text += Self.pieces.randomElement(using: &chance) ?? "" }
            return text
        }

        mutating func headers() -> HTTPHeaders {
            var headers = HTTPHeaders()
            for _ in 0..<Int.random(in: 0...6, using: &chance) {
                headers.add(Self.names.randomElement(using: &chance) ?? "Age", text())
            }
            return headers
        }

        mutating func moment() -> Timestamp {
            let bounds: [Int64] = [0, 1, 784_111_777_000, 1_800_000_000_000, 253_402_300_799_000]
            return Timestamp(milliseconds: bounds.randomElement(using: &chance) ?? 0)
        }
    }

    private let url = URL(string: "https://example.org/a/b.png?c=d")!

    @Test(arguments: 0..<8) func rulesAnswer(seed: UInt64) {
        var author = Author(chance: SeededGenerator(seed: seed))
        for _ in 0..<250 {
            let (request, answer, later) = (author.headers(), author.headers(), author.headers())
            let (asked, came, now) = (author.moment(), author.moment(), author.moment())
            for policy in [HTTPCachePolicy(), HTTPCachePolicy(isShared: true)] {
                let head = HTTPResponseHead(status: 200, headers: answer, url: url)
                _ = policy.mayStore(method: "GET", request: request, status: 200, response: answer)
                let stored = policy.record(head, request: request, requestTime: asked, responseTime: came)
                #expect(HTTPVary(answer).isEverything || HTTPVary(answer).matches(request, stored: stored))
                let decision = policy.decide(now: now, request: request, stored: stored)
                #expect(policy.decide(now: now, request: request, stored: stored) == decision)
                let wishes = CacheDirectives(request)
                if wishes.contains("only-if-cached") { #expect(decision != .fetch && decision != .revalidate) }
                if decision == .use {
                    #expect(policy.lifetime(of: stored) > policy.age(of: stored, now: now) && !wishes.contains("no-cache"))
                }
                #expect(policy.age(of: stored, now: now) >= .zero)
                let freshness = policy.freshness(of: stored)
                _ = freshness.isFresh(at: now)
                _ = policy.mayUseOnError(now: now, request: request, stored: stored, status: 500)
                _ = policy.conditionalHeaders(for: stored)
                let renewed = policy.updated(stored, by: later, requestTime: now, responseTime: now)
                _ = policy.confirms(later, stored)
                _ = policy.decide(now: now, request: request, stored: renewed, isForced: true)
                _ = policy.updated(stored, byHead: head, requestTime: now, responseTime: now)
                _ = policy.invalidatedURLs(head)
            }
        }
    }

    @Test(arguments: 8..<16) func otherReadersAnswer(seed: UInt64) throws {
        var author = Author(chance: SeededGenerator(seed: seed))
        let jar = MemoryCookieJar(maximumPerHost: 5, maximumCount: 8)
        for _ in 0..<250 {
            let (text, now) = (author.text(), author.moment())
            if let date = HTTPDate.parse(text, now: now) { #expect(HTTPDate.parse(HTTPDate.format(date), now: now) == date) }
            for challenge in AuthenticationChallenge.parse([text, author.text()]) { #expect(!challenge.scheme.isEmpty) }
            _ = ContentCoding.parse(text)
            if let range = ContentRange(text) { #expect(range.first <= range.last && range.last < range.total ?? .max) }
            jar.store([text, author.text()], from: url, now: now)
            #expect(jar.count <= 8)
            _ = jar.cookies(for: url, now: now)
            let head = HTTPResponseHead(status: 302, headers: HTTPHeaders([("Location", text)]), url: url)
            // Redirects lead to web addresses only.
            if let next = try? RedirectPolicy().next(after: head, to: HTTPRequest(url: url)) {
                #expect(["http", "https"].contains(next.url.scheme) && next.url.host?.isEmpty == false)
            }
            let source = ImageSource(text)
            #expect(ImageSource(text).keyText == source.keyText)
            _ = source.redactedDescription
            _ = QueryKeyFilter.tracking.key(for: source)
        }
    }
}
