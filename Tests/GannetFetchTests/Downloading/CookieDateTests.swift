import FoundationEssentials
import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import Testing

/// RFC 6265 §5.1.1: dates of cookies. // OP-05
@Suite struct CookieDateTests {
    private let now = Timestamp(milliseconds: 1_700_000_000_000)

    private func cookies(_ expires: String) throws -> String? {
        let url = try #require(URL(string: "https://example.org/"))
        let jar = MemoryCookieJar()
        jar.store(["id=7"], from: url, now: now)
        jar.store(["id=8; Expires=\(expires)"], from: url, now: now)
        return jar.cookies(for: url, now: now)
    }

    @Test(arguments: [
        "Thu, 01-Jan-1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "Thursday, 01-Jan-70 00:00:00 GMT",
        "Thu Jan  1 00:00:00 1970", "thu, 1-jan-1970 0:0:0", "1 Jan 1970 00:00:00", "Thu, 01-Jan-1970 00:00:01 UTC",
    ])
    func `A cookie that is over is forgotten`(_ date: String) throws { #expect(try cookies(date) == nil) }

    @Test(arguments: [
        "Thu, 01-Jan-2099 00:00:00 GMT", "Thu, 01-Jan-37 00:00:00 GMT", "", "yesterday", "Thu, 01-Jan-1970",
        "Thu, 41-Jan-1970 00:00:00 GMT", "Thu, 01-Jan-1970 25:00:00 GMT", "Thu, 01-Jan-19700 00:00:00 GMT",
    ])
    func `Others are kept, also where the date is none`(_ date: String) throws { #expect(try cookies(date) == "id=8") }

    /// RFC 6265 §5.2.2, §5.2.3.
    @Test(arguments: [
        ("Max-Age=abc", "id=8"), ("Max-Age=", "id=8"), ("Max-Age=5x", "id=8"), ("Max-Age=--5", "id=8"), ("Max-Age=5", "id=8"),
        ("Max-Age=0", nil), ("Max-Age=-5", nil), ("Max-Age=abc; Expires=Thu, 01-Jan-1970 00:00:00 GMT", nil),
        ("Max-Age=5; Expires=Thu, 01-Jan-1970 00:00:00 GMT", "id=8"), ("Domain=", "id=8"), ("Domain=.", "id=8"),
        ("Domain=other.example", "id=7"),
    ])
    func `Attributes without meaning are as if they were not there`(_ attributes: String, _ expected: String?) throws {
        let url = try #require(URL(string: "https://example.org/"))
        let jar = MemoryCookieJar()
        jar.store(["id=7", "id=8; \(attributes)"], from: url, now: now)
        #expect(jar.cookies(for: url, now: now) == expected)
    }
}
