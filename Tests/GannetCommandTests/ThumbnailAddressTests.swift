#if CommandLine && HTTP
    import GannetCore
    import Testing

    @testable import gannet

    struct ThumbnailAddressTests {
        @Test func everyPart() throws {
            let address = try ThumbnailAddress("/40x30/fill?url=https%3A%2F%2Fa.org%2Fb%3Fc%3Dd&format=png&quality=7&sig=ab")
            #expect(address.box == Box("40x30") && address.mode == .fill && address.source == "https://a.org/b?c=d")
            #expect(address.format == .png && address.quality == 7 && address.signature == "ab")
            #expect(address.signedPart == "/40x30/fill?url=https%3A%2F%2Fa.org%2Fb%3Fc%3Dd&format=png&quality=7")
        }

        @Test(arguments: [
            "", "/", "/40x30", "/40x30/fit", "/40x30/fit?url=", "/40x30/fit?url=file:///etc/passwd", "/40x30/fit?url=http://",
            "/0x30/fit?url=http://a.org/", "/40x30/around?url=http://a.org/", "/40x30/fit?url=http://a.org/&format=word",
            "/40x30/fit?url=http://a.org/&quality=101", "/40x30/fit?url=http://a.org/&url=http://b.org/",
            "/40x30/fit?url=http://a.org/&x=1", "/40x30/fit?url=http://a.org/&sig=1&sig=2", "/a/40x30/fit?url=http://a.org/",
            "/40x30/fit/?url=http://a.org/", "http://a.org/", "/40x30/fit?url=http://a.org:65536/",
        ])
        func wrongOnes(target: String) { #expect(throws: ImageError.self) { try ThumbnailAddress(target) } }

        @Test func tooLongOnes() {
            let target = "/40x30/fit?url=http://a.org/" + String(repeating: "a", count: 8192)
            #expect(throws: ImageError.self) { try ThumbnailAddress(target) }
        }
    }

    struct SourcePolicyTests {
        /// RFC 4231, test case 2.
        @Test func codesAreThoseOfTheStandard() throws {
            let code = try MessageAuthentication.hex("what do ya want for nothing?", key: Array("Jefe".utf8))
            #expect(code == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        }

        // S3-22
        @Test func hosts() {
            let policy = SourcePolicy(hosts: ["A.org", ".b.org"], key: nil)
            #expect(policy.allows("a.org") && policy.allows("x.b.org") && policy.allows("X.Y.B.ORG"))
            #expect(!policy.allows("b.org") && !policy.allows("aa.org") && !policy.allows("xb.org") && !policy.allows(""))
        }

        @Test func signatures() throws {
            let key = Array("0123456789abcdef".utf8)
            let policy = SourcePolicy(hosts: ["a.org"], key: key)
            let signed = try SourcePolicy.sign("/4x3/fit?url=http://c.org/", key: key)
            try policy.check(try ThumbnailAddress(signed))
            try policy.check(try ThumbnailAddress("/4x3/fit?url=http://a.org/"))
            #expect(throws: ImageError.self) { try policy.check(try ThumbnailAddress("/4x3/fit?url=http://c.org/")) }
            let larger = signed.replacing("4x3", with: "9x9")
            #expect(throws: ImageError.self) { try policy.check(try ThumbnailAddress(larger)) }
            #expect(throws: ImageError.self) { try policy.check(try ThumbnailAddress("/4x3/fit?url=http://a.org/&sig=00")) }
            let other = SourcePolicy(hosts: [], key: nil)
            #expect(throws: ImageError.self) { try other.check(try ThumbnailAddress(signed)) }
        }
    }
#endif
