#if CommandLine && HTTP && Server && PNG
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    struct SourceEncryptionTests {
        private static let url = "http://a.org/b c.jpg?token=1"
        private static let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])

        private static func key(_ count: UInt8) -> [UInt8] { Array(0..<count) }

        /// Made by `openssl enc -aes-256-cbc` and `-aes-128-cbc`, with F0 to FF as vector.
        @Test(arguments: [
            (UInt8(32), "8PHy8_T19vf4-fr7_P3-__p-6SL2Tk32Dk5xvr_AjuAEK6ehwUGcPh6akIoG5PD5"),
            (16, "8PHy8_T19vf4-fr7_P3-_6aYQsXJ74gWCiaktKSvVwEY_8ncwHgIXtf0FXfE_FUl"),
        ])
        func textsOfOthersAreRead(count: UInt8, text: String) throws {
            let bytes = try #require(Base64.bytes(ofURLText: text))
            #expect(try SourceEncryption(key: Self.key(count)).decrypted(bytes) == Self.url)
        }

        @Test(arguments: [UInt8(16), 24, 32]) func whatIsEncryptedComesBack(count: UInt8) throws {
            let encryption = try SourceEncryption(key: Self.key(count))
            for length in [1, 15, 16, 17, 500] {
                let url = "http://a.org/" + String(repeating: "x", count: length)
                let text = try encryption.encrypted(url)
                #expect(try encryption.encrypted(url) == text)
                #expect(encryption.decrypted(try #require(Base64.bytes(ofURLText: text))) == url)
            }
        }

        @Test func damagedTextsAreNothing() throws {
            let encryption = try SourceEncryption(key: Self.key(32))
            let bytes = try #require(Base64.bytes(ofURLText: try encryption.encrypted(Self.url)))
            for count in [0, 1, 16, 17, bytes.count - 1] { #expect(encryption.decrypted(Array(bytes.prefix(count))) == nil) }
            #expect(try SourceEncryption(key: Self.key(16)).decrypted(bytes) != Self.url)
            #expect(throws: ImageError.self) { try SourceEncryption(key: Self.key(15)) }
            #expect("\(encryption)".contains("key of encrypted sources"))
        }

        @Test func anAddressHasIt() async throws {
            let encryption = try SourceEncryption(key: Self.key(32))
            let service = try DrawnService(try DrawnService.map()) {
                $0.policy.keys = Self.keys
                $0.policy.hosts = []
                $0.sources.encryption = encryption
            }
            let url = service.server.url("/a.png")
            let address = try ThumbnailAddress("/_/w:20/plain/\(url)@png").encrypted(by: encryption)
            #expect(address.hasPrefix("/_/w:20/enc/") && address.hasSuffix(".png") && !address.contains("127"))
            let signed = try Self.keys.sign(address)
            let answer = await service.service.respond(to: .init(target: signed))
            #expect(try await DrawnService.decoded(answer).bitmap.width == 20)
            #expect(try ThumbnailAddress(signed, sources: nil).shown == "/_/w:20/enc")
            let facts = await service.service.respond(to: .init(target: try Self.keys.sign("/info" + address)))
            #expect(facts.status == 200 && !facts.text.contains("127") && facts.text.contains("\"width\":40"))
        }

        /// Answers to bytes of a stranger's choice would decrypt for him what he has seen.
        @Test func withoutASignatureNothingIsDecrypted() async throws {
            let encryption = try SourceEncryption(key: Self.key(32))
            let service = try DrawnService(try DrawnService.map()) {
                $0.policy.keys = Self.keys
                $0.sources.encryption = encryption
            }
            let right = try encryption.encrypted(service.server.url("/a.png"))
            var wrong = Array(right)
            wrong[40] = wrong[40] == "A" ? "B" : "A"
            let bytes = try #require(Base64.bytes(ofURLText: right))
            let short = Base64.urlText(of: Array(bytes.dropLast(16)))
            var answers: Set<String> = []
            for text in [right, String(wrong), short] {
                for signature in ["_", "AAAA"] {
                    let answer = await service.service.respond(to: .init(target: "/\(signature)/w:9/enc/\(text)"))
                    answers.insert("\(signature) \(answer.status) \(answer.text)")
                }
            }
            #expect(answers.count == 2 && answers.allSatisfy { $0.contains(" 403 ") }, "\(answers)")
            #expect(service.server.requests.isEmpty)
            let signed = try Self.keys.sign("/_/w:9/enc/\(short)")
            #expect(await service.service.respond(to: .init(target: signed)).status == 403)
            let keyless = try DrawnService(try DrawnService.map()) { $0.policy.keys = Self.keys }
            #expect(await keyless.service.respond(to: .init(target: try Self.keys.sign("/_/w:9/enc/\(right)"))).status == 400)
        }
    }
#endif
