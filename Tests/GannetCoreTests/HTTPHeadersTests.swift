import GannetCore
import Testing

@Suite struct HTTPHeadersTests {
    private let headers = HTTPHeaders([
        ("Content-Type", "image/png"), ("Vary", "Accept"), ("content-length", "4"), ("VARY", "Origin"),
        ("A-Name-Of-More-Than-Fifteen-Bytes", "long"), ("Last-Modified", "then"),
    ])

    @Test func namesCompareWithoutRegardToCase() {
        #expect(headers["content-type"] == "image/png")
        #expect(headers["Content-Length"] == "4")
        #expect(headers["a-name-of-more-than-fifteen-bytes"] == "long")
        // As long as another field's, and not the same.
        #expect(headers["Cache-Control"] == nil)
        #expect(headers.all("vary") == ["Accept", "Origin"])
        #expect(headers.combined("vary") == "Accept, Origin")
        #expect(headers.combined("last-modified") == "then")
        #expect(headers.combined("Expires") == nil)
        #expect(!headers.contains(""))
    }

    @Test func onlyLettersOfASCIIHaveACase() {
        #expect(HTTPHeaders.equal("ETag", "etag"))
        // The bytes differ by the bit that distinguishes upper and lower case, but are not letters.
        #expect(!HTTPHeaders.equal("@", "`"))
        #expect(!HTTPHeaders.equal("[x", "{x"))
        #expect(!HTTPHeaders.equal("Ä", "ä"))
        #expect(!HTTPHeaders.equal("etag", "etags"))
    }

    @Test func removingTakesEveryFieldOfTheName() {
        var headers = headers
        headers.remove("Expires")
        #expect(headers == self.headers)
        headers.remove("vary")
        #expect(
            headers.fields.map(\.name) == [
                "Content-Type", "content-length", "A-Name-Of-More-Than-Fifteen-Bytes", "Last-Modified",
            ])
    }

    @Test func aLiteralKeepsOrderAndRepeatedNames() {
        var request = ImageRequest("https://example.org/a.jpg", .headers(["X-Album": "birds", "Accept": "a", "Accept": "b"]))
        #expect(request.download.headers?.fields.map(\.value) == ["birds", "a", "b"])
        request = request.with(.headers(["X-Album": "fish"]), .header("Accept", "c"))
        #expect(request.download.headers == ["X-Album": "fish", "Accept": "c"])
    }
}
