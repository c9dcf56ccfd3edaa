#if CommandLine && Server
    import FoundationEssentials
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    struct SigningKeysTests {
        /// The key, the salt and the result of imgproxy's documentation on signing.
        @Test func pathsAreSignedAsByImgproxy() throws {
            let key = SigningKeys.Key(secret: Array("secret".utf8), salt: Array("hello".utf8))
            let path = "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"
            let signed = try SigningKeys(keys: [key]).sign("/_" + path)
            #expect(signed == "/oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8" + path)
        }

        /// The same signature, cut off as `IMGPROXY_SIGNATURE_SIZE` does: that length, and no other.
        @Test(arguments: [8, 9, 16, 31, 32]) func signaturesMayBeShort(count: Int) throws {
            var keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("secret".utf8), salt: Array("hello".utf8))])
            let path = "/w:9/plain/http://a.org/b"
            let whole = try keys.sign("/_" + path).dropFirst().prefix { $0 != "/" }
            let bytes = try #require(Base64.bytes(ofURLText: whole))
            keys.pathBytes = count
            let short = Base64.urlText(of: Array(bytes.prefix(count)))
            #expect(try keys.sign("/_" + path) == "/" + short + path)
            for (signature, isRight) in [
                (short, true), (Base64.urlText(of: Array(bytes.prefix(count - 1))), false),
                (Base64.urlText(of: bytes), count == 32),
            ] { #expect(keys.isRight(.base64(signature), of: path) == isRight) }
            // Queries are not cut off.
            let query = try ThumbnailAddress(try keys.sign("/4x3/fit?url=http://a.org/b"))
            #expect(keys.isRight(try #require(query.signature), of: query.signedPart))
            keys.pathBytes = 0
            #expect(keys.pathBytes == 8)
        }

        /// A signature with any byte changed, cut or prolonged passes nowhere.
        @Test func everyByteCounts() throws {
            let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8), salt: [1, 2])])
            let policy = SourcePolicy(hosts: [], keys: keys)
            for target in ["/_/w:9/plain/http://a.org/b", "/4x3/fit?url=http://a.org/b"] {
                let signed = Array(try keys.sign(target).utf8)
                let isRight = { (bytes: [UInt8]) -> Bool in
                    guard let address = try? ThumbnailAddress(String(decoding: bytes, as: UTF8.self)) else { return false }
                    return (try? policy.check(address, now: .distantPast)) != nil
                }
                #expect(isRight(signed))
                for index in signed.indices {
                    for byte in [signed[index] ^ 1, signed[index] ^ 0x20, UInt8(ascii: "A"), UInt8(ascii: "=")]
                    where byte != signed[index] {
                        var changed = signed
                        changed[index] = byte
                        #expect(!isRight(changed), "\(String(decoding: changed, as: UTF8.self))")
                    }
                    var cut = signed
                    cut.remove(at: index)
                    #expect(!isRight(cut), "\(String(decoding: cut, as: UTF8.self))")
                }
                #expect(!isRight(signed + [UInt8(ascii: "=")]))
            }
        }

        @Test func keysAreExchangedWithoutAGap() throws {
            let (old, new) = (
                SigningKeys.Key(secret: Array("old key of 16 by".utf8)),
                SigningKeys.Key(secret: Array("new key of 16 by".utf8), salt: [7])
            )
            let (both, onlyNew) = (SigningKeys(keys: [new, old]), SigningKeys(keys: [new]))
            for target in ["/_/w:9/plain/http://a.org/b", "/4x3/fit?url=http://a.org/b", "/info/_/plain/http://a.org/b"] {
                let address = try ThumbnailAddress(try SigningKeys(keys: [old]).sign(target))
                let signature = try #require(address.signature)
                #expect(both.isRight(signature, of: address.signedPart))
                #expect(!onlyNew.isRight(signature, of: address.signedPart))
                let next = try ThumbnailAddress(try both.sign(target))
                let own = try #require(next.signature)
                #expect(onlyNew.isRight(own, of: next.signedPart))
            }
        }

        @Test func keysAreFiles() throws {
            let tool = try Tool()
            func read(_ text: String, isKey: Bool = true) throws -> [UInt8] {
                try SigningKeys.read(try tool.write(Array(text.utf8), "key"), isKey: isKey)
            }
            #expect(try read("0123456789abcdef\n") == Array("0123456789abcdef".utf8))
            #expect(try read("hex:000102030405060708090a0b0c0d0e0F\n") == Array(0...15))
            #expect(try read("hex:00", isKey: false) == [0])
            for wrong in ["short", "hex:0", "hex:xx", "hex:", "hex:0001"] {
                #expect(throws: ImageError.self, "\(wrong)") { try read(wrong) }
            }
        }
    }
#endif
