#if CommandLine && Server
    import FoundationEssentials
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    struct ThumbnailAddressTests {
        @Test func everyPart() throws {
            let address = try ThumbnailAddress("/40x30/fill?url=https%3A%2F%2Fa.org%2Fb%3Fc%3Dd&format=png&quality=7&sig=ab")
            #expect(address.options.width == 40 && address.options.height == 30 && address.options.mode == .fill)
            #expect(address.source == "https://a.org/b?c=d" && address.host == "a.org" && !address.isCostly)
            #expect(address.options.format == .png && address.options.quality == 7 && address.signature == .hexadecimal("ab"))
            #expect(address.signedPart == "/40x30/fill?url=https%3A%2F%2Fa.org%2Fb%3Fc%3Dd&format=png&quality=7")
        }

        @Test(arguments: [
            "", "/", "/40x30", "/40x30/fit", "/40x30/fit?url=", "/40x30/fit?url=file:///etc/passwd", "/40x30/fit?url=http://",
            "/0x30/fit?url=http://a.org/", "/40x30/around?url=http://a.org/", "/40x30/fit?url=http://a.org/&format=word",
            "/40x30/fit?url=http://a.org/&quality=101", "/40x30/fit?url=http://a.org/&url=http://b.org/",
            "/40x30/fit?url=http://a.org/&x=1", "/40x30/fit?url=http://a.org/&sig=1&sig=2",
            "/40x30/fit?url=http://a.org/&sig=1&quality=2", "/a/40x30/fit?url=http://a.org/",
            "/40x30/fit/?url=http://a.org/", "http://a.org/", "/40x30/fit?url=http://a.org:65536/",
            "/40x30/fit?url=http://me:secret@a.org/", "/40x30/fit?url=http://me@a.org/", "/40x30/fit?url=http://@a.org/",
            "/40x30/fit?url=http://127.0.0.1%2500.a.org/", "/40x30/fit?url=http://127.0.0.1%00.a.org/",
            "/40x30/fit?url=http://a%252eorg/", "/40x30/fit?url=http://a.org&expires=-1", "/40x30/fit?url=http://a.org&expires=x",
        ])
        func wrongOnes(target: String) { #expect(throws: ImageError.self) { try ThumbnailAddress(target) } }

        /// Escapes that are no UTF-8 stay escapes, in every form of an address; white space around a URL is no part of it.
        @Test(arguments: [
            "/40x30/fit?url=http://a.org/caf%25E9.png%3Fx=1", "/40x30/fit?url=http://a.org/caf%E9.png%3Fx=1",
            "/_/w:40/plain/http://a.org/caf%25E9.png%3Fx=1", "/_/w:40/plain/http:%2F%2Fa.org%2Fcaf%E9.png%3Fx=1",
            "/_/w:40/aHR0cDovL2Eub3JnL2NhZiVFOS5wbmc_eD0x", "/_/w:40/aHR0cDovL2Eub3JnL2NhZukucG5nP3g9MQ",
            "/_/w:40/plain/%20http://a.org/caf%25E9.png%3Fx=1%0A", "/40x30/fit?url=%09http://a.org/caf%25E9.p%0Ang%3Fx=1",
        ])
        func escapesThatAreNoUTF8(target: String) throws {
            let address = try ThumbnailAddress(target)
            #expect(address.source == "http://a.org/caf%E9.png?x=1" && address.host == "a.org")
        }

        @Test func tooLongOnes() {
            let target = "/40x30/fit?url=http://a.org/" + String(repeating: "a", count: 8192)
            #expect(throws: ImageError.self) { try ThumbnailAddress(target) }
        }
    }

    struct SourcePolicyTests {
        /// RFC 4231, test cases 2 and 6, whose key is longer than a block.
        @Test func codesAreThoseOfTheStandard() {
            let code = HMAC.sha256("what do ya want for nothing?".utf8, key: Array("Jefe".utf8))
            #expect(code == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
            let long = HMAC.sha256(
                "Test Using Larger Than Block-Size Key - Hash Key First".utf8, key: [UInt8](repeating: 0xAA, count: 131))
            #expect(long == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        }

        // S3-22
        @Test func hosts() {
            let policy = SourcePolicy(hosts: ["A.org", ".b.org"])
            #expect(policy.allows("a.org") && policy.allows("x.b.org") && policy.allows("X.Y.B.ORG"))
            #expect(!policy.allows("b.org") && !policy.allows("aa.org") && !policy.allows("xb.org") && !policy.allows(""))
        }

        @Test func signatures() throws {
            let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
            let policy = SourcePolicy(hosts: ["a.org"], keys: keys)
            func check(_ policy: SourcePolicy, _ target: String, at second: Int64 = 0) throws {
                try policy.check(try ThumbnailAddress(target), now: Timestamp(milliseconds: second * 1000))
            }
            let signed = try keys.sign("/4x3/fit?url=http://c.org/")
            try check(policy, signed)
            try check(policy, "/4x3/fit?url=http://a.org/")
            #expect(throws: ImageError.self) { try check(policy, "/4x3/fit?url=http://c.org/") }
            #expect(throws: ImageError.self) { try check(policy, signed.replacing("4x3", with: "9x9")) }
            #expect(throws: ImageError.self) { try check(policy, "/4x3/fit?url=http://a.org/&sig=00") }
            #expect(throws: ImageError.self) { try check(SourcePolicy(hosts: []), signed) }
            // Digits in upper case would be a second spelling.
            let digits = signed.components(separatedBy: "&sig=")
            #expect(throws: ImageError.self) { try check(policy, digits[0] + "&sig=" + digits[1].uppercased()) }
            // Expiry is signed with the rest, and holds for allowed hosts too.
            let short = try keys.sign("/4x3/fit?url=http://c.org/&expires=100")
            try check(policy, short, at: 99)
            #expect(throws: ImageError.self) { try check(policy, short, at: 100) }
            #expect(throws: ImageError.self) { try check(policy, short.replacing("=100", with: "=900"), at: 99) }
            #expect(throws: ImageError.self) { try check(policy, "/4x3/fit?url=http://a.org/&expires=5", at: 6) }
        }

        /// An image of a stranger's choice costs no more than a thumbnail.
        @Test func strangersAskForCheapImagesOnly() throws {
            let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
            let presets = try Presets(parsing: "slow=f:avif/bl:3\n")
            let policy = SourcePolicy(hosts: ["a.org"], keys: keys)
            let open = SourcePolicy(hosts: ["a.org"], keys: nil, allowsCostly: true)
            for target in [
                "/4x3/fit?url=http://a.org/&format=avif", "/_/f:jxl/plain/http://a.org/", "/_/bl:4/plain/http://a.org/",
                "/_/mb:9000/plain/http://a.org/", "/_/da:0/plain/http://a.org/", "/_/raw:1/plain/http://a.org/",
                "/_/plain/http://a.org/@avif", "/_/pr:slow/bl:4/plain/http://a.org/", "/_/sm:0/plain/http://a.org/",
                "/_/rot:90/plain/http://a.org/", "/_/pg:1/plain/http://a.org/", "/_/c:1:1/plain/http://a.org/",
                "/_/pr:slow/plain/http://a.org/@jxl", "/_/pr:slow/sm:0/plain/http://a.org/",
            ] {
                let address = try ThumbnailAddress(target, presets: presets)
                #expect(throws: ImageError.self, "\(target)") { try policy.check(address, now: .distantPast) }
                try open.check(address, now: .distantPast)
                let signed = try ThumbnailAddress(try keys.sign(target, presets: presets), presets: presets)
                try policy.check(signed, now: .distantPast)
            }
            for target in [
                "/4x3/fit?url=http://a.org/&format=webp", "/_/rs:fill:4:3/g:sm/q:90/plain/http://a.org/@png",
                "/_/pr:slow/plain/http://a.org/", "/_/w:4/pr:slow/plain/http://a.org/", "/_/pr:slow/w:4/plain/http://a.org/",
                "/_/pr:slow/bl:3/plain/http://a.org/@avif", "/_/pr:slow/bl:0/plain/http://a.org/@png",
            ] {
                try policy.check(try ThumbnailAddress(target, presets: presets), now: .distantPast)
            }
            // What a preset brings to every path is not the stranger's choice, and what a stranger adds to it is.
            let dear = try Presets(parsing: "default=sh:1/f:avif/sm:0/mb:9000\n")
            for target in ["/_/plain/http://a.org/", "/_/w:4/plain/http://a.org/", "/_/w:4/q:7/sm:1/plain/http://a.org/@png"] {
                try policy.check(try ThumbnailAddress(target, presets: dear), now: .distantPast)
            }
            for target in ["/_/sh:2", "/_/mb:9", "/_/f:jxl", "/_/bl:1", "/_/da:0", "/_/raw:1"] {
                let address = try ThumbnailAddress(target + "/plain/http://a.org/", presets: dear)
                #expect(throws: ImageError.self, "\(target)") { try policy.check(address, now: .distantPast) }
            }
        }
    }
#endif
