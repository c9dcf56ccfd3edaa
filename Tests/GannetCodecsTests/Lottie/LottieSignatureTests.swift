#if Lottie
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Animations, and what looks like them. // FM-14
    @Suite struct LottieSignatureTests {
        private static func format(_ bytes: [UInt8]) -> ImageFormat? {
            var rope = ByteRope(bytes)
            rope.isComplete = true
            return CodersManager(BuiltInCoders.all).format(of: rope)
        }

        private static func format(_ text: String) -> ImageFormat? { format(Array(text.utf8)) }

        /// A layer of a rectangle, as programs write it.
        private static let layer = "{\"ddd\":0,\"ind\":1,\"ty\":4,\"nm\":\"a\",\"ks\":{\"o\":{\"k\":100}},\"shapes\":[]}"

        // FM-14
        @Test(arguments: [
            "{\"v\":\"5.7\",\"fr\":30,\"ip\":0,\"op\":60,\"w\":100,\"h\":100,\"layers\":[]}",
            "{\"tgs\":1,\"v\":\"5.5\",\"fr\":60,\"ip\":0,\"op\":180,\"w\":512,\"h\":512,\"assets\":[{\"id\":\"a\"}],\"layers\":[]}",
            "{\"nm\":\"a\",\"meta\":{\"g\":\"program\"},\"layers\":[\(layer)],\"op\":60,\"ip\":0,\"fr\":30,\"w\":9,\"h\":9}",
            "{\"assets\":[{\"id\":\"x\",\"layers\":[\(layer)]}],\"ddd\":0,\"fr\":30,\"h\":9,\"ip\":0,\"layers\":[],\"op\":9,\"w\":9}",
            " \r\n\t{ \"op\" : 6e1 , \"ip\" : -0.5 , \"fr\" : 29.97 , \"layers\" : [ ] }",
        ]) func `Members are in any order`(_ text: String) {
            #expect(Self.format(text) == .lottie)
            #expect(Self.format(Array("\u{FEFF}".utf8) + Array(text.utf8)) == .lottie)
            // No beginning of it is anything else.
            for count in 0..<text.utf8.count {
                switch LottieCoder().recognizes(Array(text.utf8.prefix(count)).span) {
                case .needsMoreBytes(let needed): #expect(needed > count)
                case .yes(let format): #expect(format == .lottie)
                case .no: Issue.record("no after \(count) bytes of \(text)")
                }
            }
        }

        // FM-14
        @Test func `The beginning of a large file is enough`() {
            var writer = LottieWriter((0..<60).map { LottieWriter.square(x: $0, y: 0, side: 8, color: (1, 0, 0)) })
            for putsLayersFirst in [false, true] {
                writer.putsLayersFirst = putsLayersFirst
                #expect(writer.file.count > 20_000)
                #expect(
                    Self.format(writer.file) == .lottie && Self.format(LottieWriter.gzip(writer.file, name: "a.json")) == .lottie)
                #expect(Self.format(LottieWriter.dotLottie(writer.file, isPacked: true)) == .lottie)
                let late = LottieWriter.archive([("animations/drawn.json", writer.file), ("manifest.json", [])])
                #expect(Self.format(late) == .lottie)
            }
        }

        // FM-14
        @Test(arguments: [
            "", "{", "{}", "[]", "[{\"fr\":30,\"ip\":0,\"op\":60,\"w\":1,\"h\":1}]", "{\"fr\":30,\"ip\":0,\"op\":60}",
            "{\"fr\":\"30\",\"ip\":\"0\",\"op\":\"60\",\"w\":1,\"h\":1}", "{\"layers\":[{\"ty\":4}],\"w\":1,\"h\":1}",
            "{\"layers\":[{\"type\":\"fill\",\"id\":\"water\"}],\"version\":8}", "{\"fr\":30,\"ip\":0,\"op\":60,w:1}",
            "{\"type\":\"FeatureCollection\",\"features\":[]}", "{\"nested\":{\"fr\":30,\"ip\":0,\"op\":60,\"w\":1,\"h\":1}}",
            "{\"name\":\"package\",\"version\":\"1\"}", "fr ip op layers",
        ]) func `Other JSON is none`(_ text: String) {
            #expect(Self.format(text) == nil)
            #expect(Self.format(LottieWriter.gzip(Array(text.utf8))) == nil)
            #expect(Self.format(LottieWriter.archive([("a/drawn.json", Array(text.utf8))])) == nil)
        }

        @Test func `Other archives and packed files are none`() {
            let page = Array("<html>".utf8)
            let archives: [[(name: String, bytes: [UInt8])]] = [
                [("manifest.json", Array("{\"manifest_version\":2,\"name\":\"extension\"}".utf8)), ("a/b.js", page)],
                [("[Content_Types].xml", page), ("word/document.xml", page)], [("mimetype", Array("application/epub+zip".utf8))],
                [("META-INF/", []), ("META-INF/MANIFEST.MF", page)],
            ]
            for files in archives {
                for isPacked in [false, true] { #expect(Self.format(LottieWriter.archive(files, isPacked: isPacked)) == nil) }
            }
            #expect(Self.format([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)) == nil)
            #expect(Self.format(LottieWriter.gzip(page)) == nil && Self.format([0x1F, 0x8B, 8]) == nil)
        }

        #if SVG
            @Test func `Packed drawings stay what they are`() {
                let drawing = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\"/>".utf8)
                #expect(Self.format(LottieWriter.gzip(drawing)) == .svg)
            }
        #endif
    }
#endif
