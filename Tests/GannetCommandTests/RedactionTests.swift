#if CommandLine
    import GannetCommandTestSupport
    import GannetCore
    import GannetSupport
    import Testing

    @testable import gannet

    struct RedactionTests {
        @Test(arguments: [
            ("http://me:secret@host/a", "http://host/a"), ("http://me@host", "http://host"),
            ("HTTPS://me:a@b:c@host:80/@x", "HTTPS://host:80/@x"), ("http:me:secret@host/a", "http:host/a"),
            ("http://me:a secret@host/a", "http://host/a"), ("http://me:a\"secret@host/a", "http://host/a"),
            ("http://me:se/cret@host/a", "http://host/a"), ("ftp://me:secret@[::1]/a", "ftp://[::1]/a"),
            ("see http://me:secret@host/a and 'https://you@host'.", "see http://host/a and 'https://host'."),
            ("/4x3/fit?url=http%3A%2F%2Fme%3Asecret%40host%2Fa", "/4x3/fit?url=http%3A%2F%2Fhost%2Fa"),
            ("/4x3/fit?url=http%3a%2f%2fme:secret@host%2fa&quality=5", "/4x3/fit?url=http%3a%2f%2fhost%2fa&quality=5"),
            ("{\"url\":\"http://me:secret@host\"}", "{\"url\":\"http://host\"}"),
            (
                "gannet: http://me:secret@host/a?w=1&X-Amz-Signature=secret: gone",
                "gannet: http://host/a?w=1&X-Amz-Signature=…: gone"
            ),
            (
                "/4x3/fit?url=http%3A%2F%2Fhost%2Fa%3Ftoken%3Dsecret&sig=secret",
                "/4x3/fit?url=http%3A%2F%2Fhost%2Fa%3Ftoken%3D…&sig=…"
            ),
        ])
        func namesAndPasswordsAreLeftOut(text: String, shown: String) {
            #expect(TextRedaction.text(text) == shown)
            #expect(TextRedaction.text(shown) == shown)
        }

        @Test(arguments: [
            "", "a.png", "http://host/a@b", "http://host:80/@me", "http://[::1]:80/a?x=me@host", "http://host#me@host",
            "gannet: a.png: notFound: me@host", "see http://host, or ask me@host", "12:30", "http:", "://", "100%", "%3A%2F%2",
            "file:///a@b", "data:image/png;base64,AAAA@", "https://host?url=http://other/a@b", "IMG:1@2.png",
        ])
        func everythingElseStays(text: String) { #expect(TextRedaction.text(text) == text) }

        @Test func fieldsInKeysHaveNoValues() {
            let key = "http://me:secret@host/a\u{1}m=GET\u{1}h=x-token:secret\u{1}h=cookie:a=b\u{1}decode=h=1"
            #expect(
                TextRedaction.key(key) == "http://host/a\u{1}m=GET\u{1}h=x-token:…\u{1}h=cookie:…\u{1}decode=h=1")
        }

        @Test func filesAreNotCalledByPasswords() {
            #expect(OutputName.name(for: "http://me:secret@host") == "host")
        }

        @Test func signedAddressesStayWhole() async throws {
            let tool = try Tool()
            let key = try tool.write(Array("0123456789abcdef".utf8), "key")
            // The address within the source's query looks like one with a password.
            let target = "/4x3/fit?url=http%3A%2F%2Fc.org%2Fa%3Fb%3Dhttp%3A%2F%2Fme%3Asecret%40d.org"
            let outcome = try await tool.run("serve", "--key-file", key, "--sign", target)
            #expect(outcome.text.hasPrefix(target + "&sig="), "\(outcome.text)")
            let refused = try await tool.run("serve", "--key-file", key, "--sign", "/4x3/fit?url=http://me:secret@c.org/a")
            #expect(refused.status == 1 && !refused.errors.contains("secret"), "\(refused.errors)")
        }
    }
#endif
