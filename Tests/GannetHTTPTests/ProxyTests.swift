#if HTTP
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetTesting
    import Testing

    /// Which proxy a URL goes through. DL-11
    @Suite struct ProxyTests {
        typealias Proxy = CURLTransport.Proxy
        typealias Proxies = CURLTransport.Proxies

        @Test(arguments: [
            ("http://proxy.example:3128", Proxy(host: "proxy.example", port: 3128)),
            ("HTTP://proxy.example:3128/path?query#fragment", Proxy(host: "proxy.example", port: 3128)),
            ("proxy.example:80", Proxy(host: "proxy.example", port: 80)), (" 10.0.0.1:80\n", Proxy(host: "10.0.0.1", port: 80)),
            ("proxy", Proxy(host: "proxy", port: 1080)), ("http://proxy/", Proxy(host: "proxy", port: 1080)),
            ("http://proxy:/", Proxy(host: "proxy", port: 1080)),
            ("http://[::1]:8080", Proxy(host: "::1", port: 8080)), ("[fd00::2]", Proxy(host: "fd00::2", port: 1080)),
            ("http://bücher.example:1", Proxy(host: "xn--bcher-kva.example", port: 1)),
            (
                "http://us%65r:p%40ss%3Aw%2Ford@proxy:8080",
                Proxy(host: "proxy", port: 8080, credential: .basic(user: "user", password: "p@ss:w/ord"))
            ),
            ("user:a@b:c@proxy:8080", Proxy(host: "proxy", port: 8080, credential: .basic(user: "user", password: "a@b:c"))),
            ("user@proxy:8080", Proxy(host: "proxy", port: 8080, credential: .basic(user: "user", password: ""))),
            ("u:100%@proxy:8080", Proxy(host: "proxy", port: 8080, credential: .basic(user: "u", password: "100%"))),
            ("https://proxy", Proxy(kind: .https, host: "proxy", port: 443)),
            (
                "socks5://u:secret@proxy",
                Proxy(kind: .socks, host: "proxy", port: 1080, credential: .basic(user: "u", password: "secret"))
            ),
            ("socks5://127.0.0.1:9050", Proxy(kind: .socks, host: "127.0.0.1", port: 9050)),
            ("socks5h://localhost", Proxy(kind: .socks, host: "localhost", port: 1080)),
            ("socks://localhost:1/", Proxy(kind: .socks, host: "localhost", port: 1)),
        ])
        func `Addresses as curl has them`(_ text: String, _ proxy: Proxy) throws { #expect(try Proxy(text) == proxy) }

        @Test(arguments: [
            ("", ImageError.Code.misuse), ("http://", .misuse), (":8080", .misuse), ("user:secret@", .misuse),
            ("ftp://proxy:21", .misuse),
            ("user:secret@proxy:0", .misuse), ("user:secret@proxy:65536", .misuse), ("user:secret@proxy:http", .misuse),
            ("proxy:+80", .misuse), ("::1:8080", .misuse), ("[::1]8080", .misuse), ("[proxy]:8080", .misuse), ("[::1", .misuse),
            ("a proxy:80", .misuse), ("pro%20xy:80", .misuse), ("proxy;80", .misuse),
            ("socks4://user:secret@proxy", .unsupported), ("socks4a://proxy", .unsupported),
        ])
        func `Addresses that are none, in words without the password`(_ text: String, _ code: ImageError.Code) {
            let error = #expect(throws: ImageError.self) { try Proxy(text) }
            #expect(error?.code == code)
            #expect(error?.message.contains("secret") == false)
        }

        /// The port of the chosen proxy, or nil.
        static func port(_ url: String, _ environment: [String: String]) throws -> Int? {
            try Proxies(environment: environment).proxy(for: try #require(URL(string: url)))?.port
        }

        // DL-11
        @Test func `Variables for each scheme, and for those that have none`() throws {
            let (plain, secure) = ("http://a.example/", "HTTPS://a.example/")
            #expect(try Self.port(plain, [:]) == nil)
            #expect(try Self.port(plain, ["http_proxy": "p:1"]) == 1)
            #expect(try Self.port(secure, ["http_proxy": "p:1"]) == nil)
            // In a web server (CGI), the variable may hold a client's header field.
            #expect(try Self.port(plain, ["HTTP_PROXY": "p:1"]) == nil)
            #expect(try Self.port(secure, ["HTTPS_PROXY": "p:1"]) == 1)
            #expect(try Self.port(secure, ["HTTPS_PROXY": "p:1", "https_proxy": "p:2"]) == 2)
            #expect(try Self.port(secure, ["HTTPS_PROXY": "p:1", "https_proxy": ""]) == 1)
            #expect(try Self.port(secure, ["ALL_PROXY": "p:1", "http_proxy": "p:2"]) == 1)
            #expect(try Self.port(plain, ["ALL_PROXY": "p:1", "http_proxy": "p:2"]) == 2)
            #expect(try Self.port(plain, ["ALL_PROXY": "p:1", "all_proxy": "p:2"]) == 2)
            #expect(try Self.port(plain, ["all_proxy": "p:2", "NO_PROXY": "a.example"]) == nil)
            #expect(try Self.port(plain, ["all_proxy": "p:2", "NO_PROXY": "a.example", "no_proxy": "b"]) == 2)
        }

        @Test(arguments: [
            ("*", "http://any.example/", true), ("a.example", "http://a.example/", true),
            (".a.example", "http://a.example/", true),
            ("*.a.example", "http://b.a.example/", true), ("a.example", "http://b.A.example./", true),
            ("a.example.", "http://a.example/", true), ("A.Example", "http://a.example/", true),
            ("a.example", "http://ba.example/", false), ("b.a.example", "http://a.example/", false),
            ("example", "http://a.example/", true),
            ("x, \ta.example ,y", "http://a.example/", true), ("x y a.example", "http://a.example/", true),
            ("a.example:8080", "http://a.example:8080/", true), ("a.example:8080", "http://a.example/", false),
            ("a.example:80", "http://a.example/", true), ("a.example:443", "https://a.example/", true),
            ("a.example:80", "https://a.example/", false), ("*:8080", "http://b.example:8080/", true),
            ("bücher.example", "http://xn--bcher-kva.example/", true), ("xn--bcher-kva.example", "http://bücher.example/", true),
            ("127.0.0.1", "http://127.0.0.1:8080/", true), ("127.0.0.1:81", "http://127.0.0.1/", false),
            ("0.0.1", "http://127.0.0.1/", false),
            ("127.0.0.0/8", "http://127.9.9.9/", true), ("127.0.0.0/8", "http://128.0.0.1/", false),
            ("10.1.0.0/15", "http://10.0.255.1/", true), ("10.1.0.0/15", "http://10.2.0.1/", false),
            ("0.0.0.0/0", "http://8.8.8.8/", true),
            ("0.0.0.0/0", "http://a.example/", false), ("10.0.0.1/33", "http://10.0.0.1/", false),
            ("10.0.0.0/8:80", "http://10.1.1.1/", true),
            ("::1", "http://[::1]:8080/", true), ("[::1]", "http://[::1]/", true), ("[::1]:81", "http://[::1]/", false),
            ("[::1]:81", "http://[0:0::1]:81/", true), ("fd00::/8", "http://[fdab::1]/", true),
            ("fd00::/8", "http://[fe80::1]/", false),
            ("localhost", "http://localhost:3000/", true), ("localhost", "http://127.0.0.1/", false),
            ("", "http://127.0.0.1/", false),
            ("a.example:x", "http://a.example/", false), ("a.example:", "http://a.example/", false),
            (",,. ,:", "http://a.example/", false),
        ])
        func `What is reached directly`(_ list: String, _ url: String, _ isDirect: Bool) throws {
            #expect(try (Self.port(url, ["all_proxy": "p:1", "no_proxy": list]) == nil) == isDirect)
        }

        @Test func `A value that is no proxy's fails the loads that would go through it, and no others`() async throws {
            let server = RawServer { connection in
                while connection.readHead() != nil { connection.write(AuthenticationTests.ok) }
            }
            var options = CURLTransport.Options()
            options.proxies = Proxies(environment: ["http_proxy": "user:secret@proxy:x", "no_proxy": "127.0.0.1"])
            let rig = try Rig(CURLTransport(options: options))
            #expect(try await rig.bytes(server.url()) == Array("hello".utf8))
            let result = await rig.fetch("http://pictures.invalid/")
            let error = #expect(throws: ImageError.self) { try result.get() }
            #expect(error?.code == .misuse)
            #expect(error?.message.contains("http_proxy") == true && error?.message.contains("secret") == false)
            withExtendedLifetime(server) {}
        }

        @Test func `A token for a proxy is one field`() throws {
            var options = CURLTransport.Options()
            for token in ["a\r\nX: y", "a\n", "a\0"] {
                options.proxies = Proxies(.https(host: "proxy.example", port: 3128, credential: .bearer(token)))
                let error = #expect(throws: ImageError.self) { try CURLTransport(options: options) }
                #expect(error?.code == .misuse && error?.message.contains("X: y") == false)
            }
        }

        @Test func `Each scheme has its own, and what is listed has none`() async throws {
            let server = RawServer { connection in
                while connection.readHead() != nil { connection.write(AuthenticationTests.ok) }
            }
            let (plain, secure) = (AuthenticationTests.HeadList(), AuthenticationTests.HeadList())
            let proxies = [AuthenticationTests.proxy(nil, heads: plain), AuthenticationTests.proxy(nil, heads: secure)]
            var options = CURLTransport.Options()
            options.proxies = Proxies(
                http: Proxy(host: "127.0.0.1", port: proxies[0].port), https: Proxy(host: "localhost", port: proxies[1].port),
                except: "127.0.0.0/8")
            let rig = try Rig(CURLTransport(options: options))
            #expect(try await rig.bytes(server.url()) == Array("hello".utf8))
            #expect(server.connectionCount == 1 && plain.all.isEmpty)
            #expect(try await rig.bytes("http://pictures.invalid/") == Array("hello".utf8))
            #expect(plain.all.count == 1 && secure.all.isEmpty)
            _ = await rig.fetch("https://pictures.invalid/")
            #expect(secure.all.count == 2 && plain.all.count == 1)
            withExtendedLifetime((server, proxies)) {}
        }

        @Test func `Hosts are written as the domain name system knows them, or not at all`() async throws {
            let heads = AuthenticationTests.HeadList()
            let server = AuthenticationTests.proxy(nil, heads: heads)
            var options = CURLTransport.Options()
            options.proxies = Proxies(Proxy(host: "127.0.0.1", port: server.port))
            let transport = try CURLTransport(options: options)
            #expect(try await Rig(transport).bytes("http://bücher.invalid/ü.png") == Array("hello".utf8))
            #expect(heads.all.first?.hasPrefix("GET http://xn--bcher-kva.invalid/%C3%BC.png HTTP/1.1\r\n") == true)
            // As browsers map them (UTS 46): decomposed, in capitals, full-width, with a soft hyphen, with a sigma at the end.
            for (host, name) in [
                ("bu\u{308}cher", "xn--bcher-kva"), ("B\u{DC}CHER", "xn--bcher-kva"), ("\u{FF42}\u{FC}cher", "xn--bcher-kva"),
                ("b\u{FC}\u{AD}cher", "xn--bcher-kva"), ("\u{392}\u{3CC}\u{3BB}\u{3BF}\u{3A3}", "xn--nxasmq6b"),
            ] {
                #expect(try await Rig(transport).bytes("http://\(host).invalid/") == Array("hello".utf8))
                #expect(heads.all.last?.hasPrefix("GET http://\(name).invalid/ HTTP/1.1\r\n") == true, "\(heads.all)")
            }
            for host in ["a%20b.invalid", "a%0d%0ab.invalid", "a%2fb.invalid"] {
                for scheme in ["http", "https"] {
                    let url = try #require(URL(string: "\(scheme)://\(host)/"))
                    let error = await #expect(throws: ImageError.self) { try await transport.send(HTTPRequest(url: url)) }
                    #expect(error?.code == .hostNotFound)
                }
            }
            #expect(heads.all.count == 6)
        }

        @Test(arguments: ["http", "https"])
        func `A proxy that is not there is named`(_ scheme: String) async throws {
            let port = RawServer { _ in }.port
            var options = CURLTransport.Options()
            options.proxies = Proxies(Proxy(host: "127.0.0.1", port: port, credential: .basic(user: "a", password: "secret")))
            let result = await (try Rig(CURLTransport(options: options))).fetch("\(scheme)://pictures.invalid/")
            let error = #expect(throws: ImageError.self) { try result.get() }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message.hasSuffix("It was asked for through the proxy 127.0.0.1:\(port).") == true)
            #expect(error?.message.contains("secret") == false)
        }
    }
#endif
