import FoundationEssentials
import GannetCore
import GannetFetch
import Testing

/// What comes without encryption does nothing to secure cookies (RFC 6265bis §5.7).
@Suite struct SecureCookieTests {
    private let jar = MemoryCookieJar(maximumPerHost: 3, maximumCount: 5)
    private let now = Timestamp(milliseconds: 0)

    private func store(_ url: String, _ fields: String...) throws {
        jar.store(fields, from: try #require(URL(string: url)), now: now)
    }
    private func sent(_ url: String) throws -> String? { jar.cookies(for: try #require(URL(string: url)), now: now) }

    @Test(arguments: [
        "id=evil", "id=evil; Path=/", "id=evil; Path=/in", "id=evil; Path=/in/deep", "id=; Max-Age=0; Path=/in",
        "id=evil; Secure; Path=/in",
        "id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/in/x",
    ])
    func `Plain http replaces and removes none`(_ field: String) throws {
        try store("https://h.org/", "id=good; Secure; Path=/in")
        try store("http://h.org/in/a", field)
        #expect(try sent("https://h.org/in/deep/x/a")?.hasPrefix("id=good") == true)
        let isElsewhere = field == "id=evil; Path=/"
        #expect(try sent("https://h.org/in/deep/x/a") == (isElsewhere ? "id=good; id=evil" : "id=good"))
        #expect(try sent("http://h.org/in/a") == (isElsewhere ? "id=evil" : nil))
        // With encryption all of it is allowed.
        try store("https://h.org/", "id=; Max-Age=0; Path=/in")
        #expect(try sent("https://h.org/in/a") == (isElsewhere ? "id=evil" : nil))
    }

    @Test func `Plain http evicts none`() throws {
        try store("https://h.org/", "id=good; Secure")
        try store("http://h.org/", "a=1", "b=1", "c=1")
        try store("http://h.org/", "d=1")
        #expect(try sent("https://h.org/") == "id=good; c=1; d=1")
        for host in ["g", "i", "j", "k", "l"] { try store("http://\(host).org/", "a=1", "b=1", "c=1") }
        #expect(try sent("https://h.org/") == "id=good")
        #expect(jar.count == 5)
        // Where all are secure, the plain one is what goes.
        try store("https://m.org/", "a=1; Secure", "b=1; Secure", "c=1; Secure")
        try store("http://m.org/", "d=1")
        #expect(try sent("https://m.org/") == "a=1; b=1; c=1")
    }

    @Test func `Other names and hosts are none of its business`() throws {
        try store("https://h.org/", "id=good; Secure", "plain=old")
        try store("http://h.org/", "plain=new", "Id=other")
        try store("http://g.org/", "id=g")
        #expect(try sent("https://h.org/") == "id=good; plain=new; Id=other")
        #expect(try sent("http://g.org/") == "id=g")
    }

    @Test func `Names that promise something keep it`() throws {
        try store(
            "https://h.org/in/", "__Secure-a=1; Path=/", "__Host-b=1; Secure", "__Host-c=1; Secure; Path=/; Domain=h.org")
        try store("http://h.org/", "__Secure-d=1; Secure", "__host-e=1; Path=/")
        #expect(jar.count == 0)
        try store("https://h.org/in/", "__Secure-a=1; Secure; Path=/", "__Host-b=1; Secure; Path=/")
        #expect(try sent("https://h.org/") == "__Secure-a=1; __Host-b=1")
    }
}
