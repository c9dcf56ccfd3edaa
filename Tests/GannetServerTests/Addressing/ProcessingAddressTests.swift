#if CommandLine && Server
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Addresses of the form /SIGNATURE/OPTIONS/SOURCE.
    struct ProcessingAddressTests {
        private func options(_ path: String, _ presets: Presets = Presets()) throws -> ProcessingOptions {
            try ThumbnailAddress("/_/\(path)/plain/http://a.org/b", presets: presets).options
        }

        @Test func theExampleOfTheDocumentation() throws {
            let options = try options(
                "rs:fill:300:400/g:sm/q:80/f:avif/dpr:2/bl:5/sh:0.5/rot:90/bg:255:128:0/wm:0.5:soea/sm:1/fn:a%20b")
            #expect(options.mode == .fill && options.width == 300 && options.height == 400)
            #expect(options.pixelWidth == 600 && options.pixelHeight == 800)
            #expect(options.gravity == Gravity(kind: .attention) && options.quality == 80 && options.format == .avif)
            #expect(options.transforms == ["blur:5.0", "sharpen:0.5"] && options.rotation == 90)
            #expect(options.background == 0xFF8000)
            #expect(options.watermark == ProcessingOptions.Watermark(opacity: 0.5, gravity: Gravity(kind: .edge(x: 1, y: 1))))
        }

        /// A part that is left out has its default; a later option replaces an earlier one.
        @Test func shortAndLongForms() throws {
            #expect(try options("resize:fit:300").width == 300)
            #expect(try options("resize:fit:300").height == nil)
            #expect(try options("rs::300:0:1").enlarges)
            #expect(try options("s:30:40") == options("w:30/h:40"))
            #expect(try options("rs:fit:1:1/size:30:40:0") == options("width:30/height:40"))
            #expect(try options("rt:force").mode == .stretch)
            #expect(try options("g:fp:0.25:1").gravity == Gravity(kind: .point(x: 0.25, y: 1)))
            #expect(try options("gravity:nowe:0:0").gravity == Gravity(kind: .edge(x: 0, y: 0)))
            #expect(try options("g:ea:5:-0.5").gravity == Gravity(kind: .edge(x: 1, y: 0.5), offsetX: 5, offsetY: -0.5))
            #expect(try options("g:no::3").gravity == Gravity(kind: .edge(x: 0.5, y: 0), offsetY: 3))
            #expect(try options("q:0").quality == nil)
            #expect(try options("bg:0a0B0c").background == 0x0A0B0C)
            #expect(try options("fq:jpeg:70:webp:60/q:5").quality(for: .webp) == 60)
            #expect(try options("fq:jpeg:70:webp:60/q:5").quality(for: .png) == 5)
            #expect(try options("transform:round:8").transforms == ["round:8"])
            #expect(try options("fl:1:1").turn == .down && options("flip:0:1/rot:180").turn == .upMirrored)
            // An option has one value, and `transform` as many as there are.
            #expect(try options("rot:90/rot:180").rotation == 180 && options("rot:90/rot:0").rotation == 0)
            // imgproxy's order, whatever that of the address is.
            #expect(try options("bl:1/sh:2/bl:3").transforms == ["blur:3.0", "sharpen:2.0"])
            #expect(
                try options("pix:4/sh:2/bl:3/br:51").transforms
                    == ["color:brightness=0.2", "blur:3.0", "sharpen:2.0", "pixelate:4"])
            #expect(try options("w:1/bl:1/bl:0/fl:1/fl:0/br:9/br:0") == options("w:1"))
            #expect(try options("transform:blur:1/bl:2/transform:blur:3").transforms == ["blur:2.0", "blur:1", "blur:3"])
            #expect(try options("pd:1:2:3:4") == options("pd:9/pd:1:2:3:4"))
            #expect(try options("pd::10").padding == ProcessingOptions.Padding(right: 10, left: 10))
            #expect(try options("pd:::5").padding == ProcessingOptions.Padding(bottom: 5))
            #expect(try options("pd:1/pd::::7").padding == ProcessingOptions.Padding(top: 1, right: 1, bottom: 1, left: 7))
            #expect(try options("br:51/co:1/sa:0.5").transforms == ["color:brightness=0.2", "color:saturation=0.5"])
            #expect(try options("fn:YS_DpC5qcGc:1").fileName == "a/ä.jpg")
            #expect(try options("fn:YS_DpC5qcGc=:1").fileName == "a/ä.jpg")
            #expect(try options("bg:fff").background == 0xFFFFFF && options("bg:255:255:255/bg:").background == nil)
            #expect(try options("rs::30::1:1:no:5").extended == Gravity(kind: .edge(x: 0.5, y: 0), offsetX: 5))
            #expect(try options("rs:").mode == .fit && options("rs:fill-down::40:T").enlarges)
            #expect(try options("ex:1:fp:0:1/ex:0:so").extended == nil && options("exar:t").extendedRatio == .center)
            #expect(try options("rt:fill-down").mode == .fillDown && options("rt:auto").mode == .auto)
            #expect(try options("mw:1/min-height:2") == options("min-width:1/mh:2") && options("mw:1/mw:0").minimumWidth == nil)
            #expect(try options("z:2").zoomY == 2 && options("zoom:2:3").zoomY == 3 && options("z:2:").zoomY == 2)
            #expect(try options("t:5::1").trim == TrimTransformer(threshold: 5, equalsHorizontal: true))
            #expect(try options("trim:0.5:F0f:0:true").trim?.color == PixelColor(red: 255, green: 0, blue: 255))
            #expect(try options("c:10:20:sm").crop?.gravity == Gravity(kind: .attention))
            #expect(try options("c:10:20:no:1:0.5").crop?.gravity?.offsetY == 0.5 && options("c:10").crop?.gravity == nil)
            #expect(try options("rot:-90").rotation == 270 && options("rot:450").rotation == 90)
            #expect(try options("wm:1:re:2:3:0.1").watermark?.isRepeated == true)
            #expect(try options("cb:").cacheBuster.isEmpty && options("da:False").isAnimated)
            #expect(try options("msr:1.5").maximumPixels == 1_500_000 && options("msr:1/msr:0").maximumPixels == nil)
            #expect(try options("skp:png:JPG").unprocessed == [.png, .jpeg] && options("skp:png/skp:").unprocessed.isEmpty)
            // As clients write it that encode each part.
            #expect(try options("rs%3Afill%3A30%3A40/fn%3aa%2520b") == options("rs:fill:30:40/fn:a%20b"))
            #expect(try options("fn:a%3Ab").fileName == "a:b")
        }

        @Test(arguments: [
            "w:-1", "w:x", "w:1:2", "w:", "rs:fit:1:1:1:2", "rs:best:1:1", "rs:fill:1:1:0:0:0", "dpr:9", "dpr:nan", "q:101",
            "f:word", "g:up", "g:no:5:5:5", "g:no:x", "g:sm:5", "g:fp:2:0", "g:fp:1", "g:", "bg:1:2", "bg:12345", "bg:256:0:0",
            "bg:+12345", "rot:45", "bl:-1", "mb:x", "wm:2", "wm:1:up", "wm:1:re:-1", "wm:1:ce:0:0:11", "sm:2", "scp:0",
            "crop:-1:1", "c:1:1:no:2:2:2", "c:x", "pg:-1", "pr:none", "preset:", "transform:dance:1", "transform:trim:x",
            "transform:pixelate:0", "fq:jpeg", "exp:-1", "zoom:0", "z:", "z:1:2:3", "mw:-1", "mh:1:2", "fl:2", ":", "fn:!:1",
            "ex:2", "ex:1:xx", "ex:1:sm", "exar:1:sm", "pd:x", "pd:1:2:3:4:5", "pd:", "pd:::", "t:", "t:256", "t:1:blue",
            "t:1::2", "t:1::::", "pix:-1", "pix:1.5", "kcr:2", "eth:x", "skp:word", "msr:-1", "msr:x", "msfs:1.5", "maf:0",
            "mafr:", "mrd:-1", "ph:2", "ar:2", "cb:1:2",
        ])
        func whatIsNotUnderstoodIsRefused(part: String) { #expect(throws: ImageError.self) { try options(part) } }

        @Test func sources() throws {
            func source(_ path: String) throws -> String { try ThumbnailAddress("/_/w:1/" + path).source }
            #expect(try source("plain/http://a.org/b%3Fc=d%26e") == "http://a.org/b?c=d&e")
            #expect(try source("plain/http%3A%2F%2Fa.org%2Fb%40c") == "http://a.org/b@c")
            #expect(try source("plain/http://a.org/%C3%A4@png") == "http://a.org/ä")
            #expect(try ThumbnailAddress("/_/plain/http://a.org/b@png").options.format == .png)
            let encoded = Base64.urlText(of: Array("http://a.org/some/longer/path.jpg".utf8))
            #expect(try source(encoded) == "http://a.org/some/longer/path.jpg")
            let half = encoded.index(encoded.startIndex, offsetBy: 16)
            #expect(try source(encoded[..<half] + "/" + encoded[half...] + ".webp") == "http://a.org/some/longer/path.jpg")
            // Padded, as many encoders have it: the same source.
            for end in ["=", "=="] {
                #expect(try source(encoded + end) == "http://a.org/some/longer/path.jpg")
                #expect(try source(encoded + end + ".png") == "http://a.org/some/longer/path.jpg")
            }
            #expect(try ThumbnailAddress("/info/_/plain/http://a.org/b").isInfo)
            for wrong in [
                "plain/", "plain", "", "plain/ftp://a.org/", "plain/http://me:pw@a.org/", "plain/http://me:pw%40a.org/",
                encoded + "!", "=" + encoded, "=", "==.png", encoded + "=a", "plain/http://a.org/@word",
                "plain/http://a.org/@png@png", "plain/http://127.0.0.1%2500.a.org/",
                "plain/http://a.org/?b", "plain/local:///etc/passwd",
                "plain/file:///etc/passwd",
            ] {
                #expect(throws: ImageError.self, "\(wrong)") { try source(wrong) }
            }
        }

        @Test func presetsGiveNamesToOptions() throws {
            let presets = try Presets(
                parsing: "# sizes\ndefault=q:70\n\nthumb=rs:fill:20:20\nsharp=pr:thumb/sh:1\n")
            #expect(try options("pr:sharp", presets).width == 20)
            #expect(try options("pr:sharp", presets).transforms == ["sharpen:1.0"])
            #expect(try options("w:5", presets).quality == 70)
            #expect(try options("pr:thumb/w:5", presets).width == 5)
            for wrong in ["a", "a=w:x", "a=pr:a", "a=pr:b\nb=pr:a", "a=w:1\na=w:2", "a:b=w:1", "=w:1\n=w:1", "a=pr:c"] {
                #expect(throws: ImageError.self, "\(wrong)") { try Presets(parsing: wrong) }
            }
            var strict = presets
            strict.areRequired = true
            let address = try ThumbnailAddress("/_/thumb:sharp/plain/http://a.org/b", presets: strict)
            #expect(address.options.transforms == ["sharpen:1.0"] && address.options.quality == 70)
            for wrong in [
                "/_/w:5/plain/http://a.org/b", "/_/plain/http://a.org/b", "/_/thumb/plain/http://a.org/b@png",
                "/4x3/fit?url=http://a.org/",
            ] {
                #expect(throws: ImageError.self, "\(wrong)") { try ThumbnailAddress(wrong, presets: strict) }
            }
        }

        /// Every option changes the key of the answer, but for those that do not change its bytes.
        @Test func optionsAreKeys() throws {
            let parts = [
                "w:1", "h:1", "rt:fill", "rt:fill/g:sm", "el:1", "w:1/dpr:2", "q:1", "fq:png:5", "mb:7", "f:png", "f:gif", "da:0",
                "bl:1", "rot:90", "rot:180",
                "bl:1/sh:1", "bg:000000", "wm:1", "wm:1:no", "wm:1:ce:0:0:0.5", "raw:1", "cb:1", "pg:1", "c:1:1",
                "c:1:1:no", "c:0.5", "sm:0", "kcr:1", "mw:1", "mh:1", "z:2", "z:2:1", "rt:fill-down", "rt:auto", "rt:force",
                "ex:1",
                "ex:1:no", "exar:1", "pd:1", "pd:0:1", "g:no", "g:no:1", "c:1:1:no:1", "t:1", "t:1:fff", "t:1::1", "t:1::0:1",
                "ar:0", "fl:1", "pix:2", "wm:1:re", "wm:1:ce:1", "eth:1", "skp:png", "msr:1", "msfs:1", "maf:2", "mafr:1",
                "mrd:1",
                "ph:1",
            ]
            #expect(Set(try parts.map { try options($0).keyText }).count == parts.count)
            #expect(try options("sh:1/bl:1").keyText == options("bl:1/sh:1").keyText)
            // The same pixels in another file.
            #expect(try options("q:1/f:webp/mb:9/cb:1/kcr:1/skp:png").pixelText == options("w:0").pixelText)
            #expect(try options("fn:x/att:1/exp:9999999999").keyText == options("sm:1").keyText)
        }
    }
#endif
