#if Lottie
    import FoundationEssentials
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    @Suite struct JSONReaderTests {
        private static func fault(_ text: String) -> String? { fault(Array(text.utf8)) }

        private static func fault(_ bytes: [UInt8]) -> String? {
            var reader = JSONReader(bytes)
            do throws(JSONReader.Fault) {
                try reader.skip()
                try reader.finish()
                return nil
            } catch {
                switch error {
                case .ended: return "ended"
                case .damaged(let place): return "damaged \(place)"
                case .deep: return "deep"
                }
            }
        }

        @Test(arguments: [
            "0", "-0", "12.5e-3", "1E+9", "true", "false", "null", "\"\"", "\"a\\n\\u00e4\\\"\"", "[]", "{}", "[1,[2,{}],\"x\"]",
            " { \"a\" : [ 1 , 2 ] , \"b\" : { \"c\" : null } } \n",
        ]) func `Every value is passed over`(_ text: String) { #expect(Self.fault(text) == nil) }

        @Test(arguments: [
            ("", "ended"), ("{", "ended"), ("[1", "ended"), ("[1,", "ended"), ("\"a", "ended"), ("\"\\", "ended"),
            ("tru", "ended"),
            ("{\"a\"", "ended"), ("{\"a\":", "ended"), ("-", "ended"), ("1.", "ended"), ("1e", "ended"), ("\"\\u00", "ended"),
            ("[1,]", "damaged 3"), ("{\"a\":1,}", "damaged 7"), ("{a:1}", "damaged 1"), ("[1 2]", "damaged 3"),
            ("01", "damaged 0"),
            ("+1", "damaged 0"), (".5", "damaged 0"), ("nul1", "damaged 3"), ("\"\t\"", "damaged 1"), ("\"\\x\"", "damaged 2"),
            ("[}", "damaged 1"), ("{\"a\" 1}", "damaged 5"), ("{} {}", "damaged 3"), ("1 2", "damaged 2"),
            ("\"\\u00g0\"", "damaged 5"),
        ]) func `Every break of the rules is seen`(_ text: String, _ fault: String) {
            #expect(Self.fault(text) == fault, "\(text)")
        }

        @Test func `Depth has a bound`() {
            let most = JSONReader.maximumDepth
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let deepest = String(repeating: open, count: most) + "1" + String(repeating: close, count: most)
                #expect(Self.fault(deepest) == nil && Self.fault(open + deepest + close) == "deep")
                #expect(Self.fault(String(repeating: open, count: 1_000_000)) == "deep")
            }
        }

        @Test func `Texts and numbers are what they stand for`() throws {
            var reader = JSONReader(Array("[\"a\\/\\u00e4\\ud83d\\ude00\\t\", -1.5e2, \"7\", 7]".utf8))
            var texts: [String?] = []
            var numbers: [Double?] = []
            try reader.elements { reader throws(JSONReader.Fault) in
                if texts.isEmpty || numbers.count == 2 {
                    texts.append(try reader.string())
                } else {
                    numbers.append(try reader.number())
                }
            }
            #expect(texts == ["a/ä😀\t", nil] && numbers == [-150, nil])
        }

        /// A name with escapes could be another one for another reader.
        @Test func `Names of members that are looked at have no escapes`() {
            var reader = JSONReader(Array("{\"l\\u0061yers\":[]}".utf8))
            #expect(throws: JSONReader.Fault.self) {
                try reader.members { reader, _ throws(JSONReader.Fault) in try reader.skip() }
            }
        }

        /// Foundation's reader is the judge, except that it also takes what RFC 8259 does not have.
        @Test func `What is not JSON for Foundation is none here`() {
            let text = Array("{\"a\":[1,-2.5e3,\"x\\n\",true],\"b\":{\"c\":null}}".utf8)
            var random = SeededGenerator(seed: 5)
            var refused = 0
            for _ in 0..<3000 {
                var damaged = text
                damaged[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0x20..<0x7F, using: &random)
                let isTaken = (try? JSONDecoder().decode(Anything.self, from: Data(damaged))) != nil
                if !isTaken { refused += 1 }
                if !isTaken, Self.fault(damaged) == nil { Issue.record("\(String(decoding: damaged, as: UTF8.self))") }
            }
            #expect(refused > 1000)
        }

        private struct Anything: Decodable {
            init(from decoder: any Decoder) throws {}
        }
    }
#endif
