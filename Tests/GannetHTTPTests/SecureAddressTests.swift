#if Server
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetTesting
    import Synchronization
    import Testing

    /// Secure hosts at checked addresses.
    @Suite(.enabled(if: Certificates.isAvailable, "there is no /usr/bin/openssl"), .serialized)
    struct SecureAddressTests {
        private static func transport(_ names: Names) throws -> CURLTransport {
            let authority = try Certificates.shared.get().folder + "/ca.pem"
            return try names.transport(allowing: TwoServers.allowed) { $0.additionalTrustRoots = [authority] }
        }

        @Test func `The certificate is that of the name, not of the address`() async throws {
            let server = try await TLSServer("other") { FixedReply(TLSTests.hello) }
            let names = Names(["other.example": [["127.0.0.1"]], "wrong.example": [["127.0.0.1"]]])
            let rig = try Rig(Self.transport(names))
            #expect(try await rig.bytes(server.url("other.example")) == TwoServers.hello)
            for host in ["wrong.example", "127.0.0.1"] {
                let error = await #expect(throws: ImageError.self) { try await rig.bytes(server.url(host)) }
                #expect(error?.code == .tlsFailed, "\(String(describing: error))")
            }
        }

        @Test func `Addresses in a certificate`() async throws {
            let server = try await TLSServer("good") { FixedReply(TLSTests.hello) }
            #expect(try await Rig(Self.transport(Names([:]))).bytes(server.url("127.0.0.1")) == TwoServers.hello)
        }

        @Test func `A name with another address at the next question, with TLS`() async throws {
            let server = try await TLSServer("other") { FixedReply(Array(RebindingTests.closing.utf8), closes: true) }
            let names = Names(["other.example": [["127.0.0.1"], ["127.0.0.2"]]])
            let rig = try Rig(Self.transport(names))
            #expect(try await rig.bytes(server.url("other.example")) == TwoServers.hello)
            let error = await #expect(throws: ImageError.self) { try await rig.bytes(server.url("other.example")) }
            #expect(error?.code == .blocked)
        }

        /// Host trust is not shared between requests that check and requests that do not.
        @Test func `A connection that was trusted blindly is not used by others`() async throws {
            let server = try await TLSServer("self") { FixedReply(TLSTests.hello) }
            let transport = try CURLTransport()
            let url = try #require(URL(string: server.url()))
            let blind = try await transport.send(HTTPRequest(url: url, trustsAnyCertificate: true))
            while try await blind.body.next() != nil {}
            let error = await #expect(throws: ImageError.self) { try await transport.send(HTTPRequest(url: url)) }
            #expect(error?.code == .tlsFailed)
        }

        /// RFC 7858 §4.2 shows the form; the key is checked besides the certificate.
        @Test func `A pinned key is that of the server, or nothing is sent`() async throws {
            let server = try await TLSServer("good") { FixedReply(TLSTests.hello) }
            var options = CURLTransport.Options()
            options.additionalTrustRoots = [try Certificates.shared.get().folder + "/ca.pem"]
            options.pinnedPublicKeys = ["localhost": ["sha256//" + String(repeating: "A", count: 43) + "="]]
            let rig = try Rig(CURLTransport(options: options))
            let error = await #expect(throws: ImageError.self) { try await rig.bytes(server.url()) }
            #expect(error?.code == .tlsFailed && error?.message.contains("public key") == true)
            options.pinnedPublicKeys["localhost"]?.append("sha256//" + (try Certificates.shared.get().publicKey("good")))
            #expect(try await Rig(CURLTransport(options: options)).bytes(server.url()) == TwoServers.hello)
            // It is for one host.
            #expect(try await rig.bytes(server.url("127.0.0.1")) == TwoServers.hello)
        }

        @Test func `A pin holds however its host is written, and is a hash`() async throws {
            let server = try await TLSServer("good") { FixedReply(TLSTests.hello) }
            var options = CURLTransport.Options()
            options.additionalTrustRoots = [try Certificates.shared.get().folder + "/ca.pem"]
            options.pinnedPublicKeys = ["LocalHost.": ["sha256//" + String(repeating: "A", count: 43) + "="]]
            let rig = try Rig(CURLTransport(options: options))
            for host in ["localhost", "LOCALHOST"] {
                let error = await #expect(throws: ImageError.self) { try await rig.bytes(server.url(host)) }
                #expect(error?.code == .tlsFailed && error?.message.contains("public key") == true)
            }
            for key in ["/etc/hostname", "sha256//A;/etc/hostname"] {
                options.pinnedPublicKeys = ["localhost": [key]]
                let error = #expect(throws: ImageError.self) { try CURLTransport(options: options) }
                #expect(error?.code == .misuse)
            }
        }
    }
#endif
