import GannetCore
import Testing

@Suite struct SecretParameterTests {
    @Test(arguments: [
        ("https://h/a?X-Amz-Signature=s&w=3", "https://h/a?X-Amz-Signature=…&w=3"),
        ("https://h/a?x-amz-credential=a/b&X-Amz-Security-Token=t#f", "https://h/a?x-amz-credential=…&X-Amz-Security-Token=…#f"),
        ("https://h/a?X-Goog-Signature=s&X-Goog-Date=1", "https://h/a?X-Goog-Signature=…&X-Goog-Date=…"),
        ("https://h/a?Expires=1&Signature=s&Key-Pair-Id=k&Policy=p", "https://h/a?Expires=1&Signature=…&Key-Pair-Id=…&Policy=…"),
        ("https://h/a?sv=1&sp=r&se=2&sig=x%2Fy", "https://h/a?sv=…&sp=…&se=…&sig=…"),
        ("https://h/a?sv=1&se=2", "https://h/a?sv=1&se=2"),
        ("https://h/a?access_token=s;t=u", "https://h/a?access_token=…"), ("https://h/a?a=1;token=s", "https://h/a?a=1;token=…"),
        ("https://h/a?tokens[]=s&tokens[]=t", "https://h/a?tokens[]=…&tokens[]=…"),
        ("https://h/a?X%2DAmz%2Dsignature=s", "https://h/a?X%2DAmz%2Dsignature=…"),
        ("https://h/a?%74oken=s", "https://h/a?%74oken=…"),
        ("https://h/a#access_token=s", "https://h/a#access_token=…"),
        (
            "https://h/fit?url=http%3A%2F%2Fg%2Fa%3Fsig%3Ds%26w%3D1&q=2",
            "https://h/fit?url=http%3A%2F%2Fg%2Fa%3Fsig%3D…%26w%3D1&q=2"
        ),
        ("https://h/a%253Ftoken%253Ds%2526w%253D1", "https://h/a%253Ftoken%253D…%2526w%253D1"),
        ("https://h/plain/http://g/a%3Ftoken=s@png", "https://h/plain/http://g/a%3Ftoken=…"),
        ("see https://h/a?token=s and <https://h/b?sig=t>.", "see https://h/a?token=… and <https://h/b?sig=…>."),
        (
            "https://h/a?token=a\u{1}decode=t=1\u{1}low=https://h/b?sig=s",
            "https://h/a?token=…\u{1}decode=t=1\u{1}low=https://h/b?sig=…"
        ),
        ("https://h/a?token=", "https://h/a?token="), ("https://h/a?token", "https://h/a?token"),
    ])
    func `Values of secret parameters are left out`(_ text: String, _ shown: String) {
        #expect(SecretParameters.redacted(text) == shown)
        #expect(SecretParameters.redacted(shown) == shown)
    }

    @Test(arguments: [
        "", "a.png", "/x/a?b=c&d", "token=s", "https://h/a?w=3&h=4", "100%", "%", "%2", "?=&=#", "https://h/a?size=1&s=2",
        "%25%3",
    ])
    func `Everything else stays`(_ text: String) { #expect(SecretParameters.redacted(text) == text) }

    @Test func `A seal stands for the value, and is sealed no further`() {
        let key = ScopeKey()
        let sealed = ["https://h/a?sig=s&w=1\u{1}x", "https://h/a?sig=t&w=1\u{1}x"].map { CacheKey($0).sealed(key) }
        #expect(sealed[0] != sealed[1])
        #expect(sealed[0].sealed(key) == sealed[0])
        #expect(sealed[0].text.hasPrefix("https://h/a?sig=<") && sealed[0].text.hasSuffix(">&w=1\u{1}x"))
        #expect(CacheKey("https://h/a?sig=s&w=1\u{1}x").sealed(key) == sealed[0])
        #expect(CacheKey("https://h/a?sig=s&w=1\u{1}x").sealed(ScopeKey()) != sealed[0])
        #expect(SecretParameters.sealed("https://h/a?sig=s&w=1\u{1}") { key } == String(sealed[0].text.dropLast()))
    }

    @Test func `A program adds names of its own`() {
        #expect(SecretParameters.redacted("https://h/a?own-key_7=s") == "https://h/a?own-key_7=s")
        ImageSource.addSecretParameters("Own_Key-7")
        #expect(SecretParameters.redacted("https://h/a?own-key_7=s&w=1") == "https://h/a?own-key_7=…&w=1")
    }
}
