#if CommandLine && Server && PNG
    import FoundationEssentials
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Sources without a scheme stay below the base URL.
    struct BaseURLTests {
        @Test(
            arguments: [
                ("http://a.org", "http://a.org/"), ("HTTPS://a.org/b", "https://a.org/b/"),
                ("http://a.org/b/", "http://a.org/b/"),
                ("http://[::1]:8080/b%20c", "http://[::1]:8080/b%20c/"), ("http://10.1.2.3:9000", "http://10.1.2.3:9000/"),
            ])
        func whatABaseIs(text: String, base: String) throws { #expect(try BaseURL(text).text == base) }

        @Test(arguments: [
            "", "a.org", "//a.org", "ftp://a.org", "file:///srv", "http://", "http:///b", "http:a.org", "http:/a.org",
            "http://me@a.org", "http://me:secret@a.org", "http://a.org?b", "http://a.org/?b=", "http://a.org/#b",
            "http://a.org#b",
            "http://a.org/../b", "http://a.org/b/%2e%2e", "http://a.org//b", "http://a.org\\b", "http://a.org/b\\c",
            "http://a%2eorg/b", "http://a.org:99999/", "http://\u{E4}.org", "http://a.org/\n",
        ])
        func whatNoBaseIs(text: String) {
            let error = #expect(throws: ImageError.self) { try BaseURL(text) }
            #expect(error?.code == .misuse && error?.message.contains("secret") == false)
        }

        /// After decoding by the address.
        @Test(
            arguments: [
                ("a.jpg", "a.jpg"), ("/a.jpg", "a.jpg"), ("a/b.jpg", "a/b.jpg"), ("a//b.jpg", "a//b.jpg"), ("a?b=c", "a?b=c"),
                ("a?b=../c", "a?b=../c"), ("a?http://b.org", "a?http://b.org"), ("a/b:c.jpg", "a/b:c.jpg"),
                ("/b:c.jpg", "b:c.jpg"),
                ("a@b.jpg", "a@b.jpg"), ("@b.org/c", "@b.org/c"), ("a%20b.jpg", "a%20b.jpg"), ("a b.jpg", "a b.jpg"),
                ("a%2Fb.jpg?alt=media", "a%2Fb.jpg?alt=media"), ("...", "..."), ("a..b", "a..b"), (".a", ".a"),
                ("100%.jpg", "100%.jpg"), ("a;b/c", "a;b/c"), ("a%5Cb.jpg", "a%5Cb.jpg"), ("\u{E4}.jpg", "\u{E4}.jpg"),
                (".b.org/c", ".b.org/c"), ("a.jpg/", "a.jpg/"), ("caf%E9.jpg", "caf%E9.jpg"), ("%ff", "%ff"),
                ("%C0%B1", "%C0%B1"),
            ])
        func whatStaysBelow(source: String, rest: String) throws {
            let base = try BaseURL("https://a.org/pictures")
            #expect(try base.url(of: source) == "https://a.org/pictures/" + rest)
            #expect(base.contains("https://a.org/pictures/" + rest))
            // As a client and as a server read it.
            var sources = ConfiguredSources()
            sources.base = base
            let found = try AddressSource(source, in: sources)
            #expect(found.host == "a.org" && found.kind == .base)
            guard case .url(let url) = ImageSource(found.url) else {
                Issue.record("no URL")
                return
            }
            #expect(url.scheme == "https" && url.host() == "a.org" && url.port == nil && url.user() == nil)
            #expect(url.standardized.path(percentEncoded: true).hasPrefix("/pictures/"), "\(url)")
        }

        @Test(arguments: [
            "", "/", "?a=b", "/?a=b", "//b.org/c", "///b.org/c", "/\\b.org/c", "\\\\b.org\\c", "\\b.org", "..", "../c", "/../c",
            "a/..",
            "a/../../c", "./a", ".", "a/./b", "%2e%2e/c", "%2E%2E/c", ".%2e/c", "%2e./c", "a/%2e%2e/%2e%2e/c", "%2e",
            "%252e%252e/c",
            "%25252e%25252e/c", "a%2F..%2F..%2Fc", "..%2Fc", "..%5Cc", "a/..%5C..%5Cc", "%5C..%5Cc", "a/..;/c", "..;a=b/c",
            "a/.. /c", "a/%2e%2e;/c", "a#b", "#b", "a\nb", "a\tb", "\u{7F}", "a%00b", "a%0Ab", "a%2500b", "%c0%ae%c0%ae/c",
            "%e0%80%ae/c", "a%c0%afb", "%25c0%25ae/c", "a%c1%9cb",
            "http:a.jpg", "https:/c", "http:\\\\b.org", "javascript:a", "a:b.jpg", "1:b.jpg", ":b.jpg", "http://a.org@b.org:x/",
            "%25252525252525252525252e",
        ])
        func whatIsRefused(source: String) throws {
            var sources = ConfiguredSources()
            sources.base = try BaseURL("https://a.org/pictures/")
            let error = #expect(throws: ImageError.self, "\(source)") { try AddressSource(source, in: sources) }
            #expect(error?.code == .misuse && error?.stage == .resolve)
        }

        /// They are whole URLs, and their own host decides.
        @Test func wholeURLsStayWhatTheyAre() throws {
            var sources = ConfiguredSources()
            sources.base = try BaseURL("https://a.org/pictures")
            for (source, place) in [
                ("https://a.org/pictures/b.jpg", SourceKind.base), ("https://a.org/pictures/", .web),
                ("https://a.org/pictures", .web),
                ("https://a.org/picturesb/c", .web), ("https://a.org/pictures/../c", .web), ("https://a.org/pictures//c", .web),
                ("https://a.org/pictures/%2e%2e/c", .web), ("http://a.org/pictures/b.jpg", .web),
                ("https://a.org:8443/pictures/b.jpg", .web), ("https://b.org/pictures/b.jpg", .web),
            ] {
                let found = try AddressSource(source, in: sources)
                #expect(found.kind == place && found.url == source, "\(source)")
            }
        }

        @Test func withoutABaseASchemeIsNeeded() {
            #expect(throws: ImageError.self) { try AddressSource("a.jpg", in: ConfiguredSources()) }
            #expect(throws: ImageError.self) { try AddressSource("", in: nil) }
        }

        @Test func overASocket() async throws {
            let png = try Samples.png()
            let other = PictureServer(PictureServer.picture(png))
            let elsewhere = other.url("/b.png").replacing("127.0.0.1", with: "localhost")
            let server = PictureServer { head in
                if head.contains("/away.png") { return PictureServer.response("302 Found", ["Location: \(elsewhere)"]) }
                return PictureServer.picture(png)(head)
            }
            let service = try SourcedService(base: try BaseURL(server.url("/pictures")))
            for (source, line) in [
                ("a.png", "/pictures/a.png"), ("/a%20b.png", "/pictures/a%20b.png"), ("a.png%3Fb=c", "/pictures/a.png?b=c"),
                (server.url("/pictures/full.png"), "/pictures/full.png"),
            ] {
                let answer = await service.image(source)
                #expect(answer.status == 200, "\(answer.failure ?? answer.text)")
                #expect(server.requests.last?.hasPrefix("GET \(line) HTTP") == true)
            }
            let count = server.requests.count
            // Another spelling of the same source.
            #expect(await service.image("/a.png").origin == .memory)
            #expect(await service.image("../secret.png").status == 400)
            // The base opens nothing else of its host.
            #expect(await service.image(server.url("/secret.png")).status == 403)
            #expect(server.requests.count == count)
            #expect(await service.image("away.png").status == 502 && other.requests.isEmpty)
            #expect(await service.get("/_/raw:1/plain/a.png").status == 403)
            #expect(try await service.signed("/_/raw:1/plain/a.png").body == png)
            #expect(await service.get("/info/_/plain/a.png").status == 200)
        }
    }
#endif
