#if Links
    import FoundationEssentials
    @testable import GannetLinks
    import Testing

    /// What pages name as their image, and in which order it is tried.
    @Suite struct PageImagesTests {
        private func urls(_ html: String, charset: String? = nil, at page: String = "https://example.org/news/1") throws
            -> [String]
        {
            let page = try #require(URL(string: page))
            return HTMLReader.images(in: Array(html.utf8), charset: charset).urls(from: page).map(\.absoluteString)
        }

        private let icon = "https://example.org/favicon.ico"

        // PL-02
        @Test func `Open Graph comes before cards, links, descriptions and icons`() throws {
            let page = """
                <!doctype html><html><head>
                <link rel="shortcut icon" href="/tab.png">
                <script type="application/ld+json">{"@type": "Article", "image": ["/data.jpg"], "thumbnailUrl": "/small.jpg"}</script>
                <link rel=image_src href=/link.jpg>
                <meta itemprop="image" content="/micro.jpg">
                <META NAME="twitter:image" CONTENT="/card.jpg">
                <meta property="og:image" content="/graph.jpg">
                </head><body>text</body></html>
                """
            let names = ["graph.jpg", "card.jpg", "link.jpg", "micro.jpg", "data.jpg", "small.jpg", "tab.png", "favicon.ico"]
            #expect(try urls(page) == names.map { "https://example.org/" + $0 })
        }

        @Test(arguments: [
            (#"<meta property="og:image" content="a.png">"#, "https://example.org/news/a.png"),
            (
                #"<base href="//cdn.example/x/"><base href="/y/"><meta property="og:image" content="a.png">"#,
                "https://cdn.example/x/a.png"
            ),
            (#"<meta property="og:image" content="a.png?x=1&amp;y=2">"#, "https://example.org/news/a.png?x=1&y=2"),
            (#"<meta property="og:image" content="  a b.png "#, "https://example.org/favicon.ico"),
            (#"<meta property="og:image" content="  a b.png ">"#, "https://example.org/news/a%20b.png"),
            (#"<meta name="og:image" property="x" content="a.png">"#, "https://example.org/news/a.png"),
            (#"<p><div></p><meta property='og:image' content='late.png'"#, "https://example.org/favicon.ico"),
            (#"<meta property="og:image" content="javascript:alert(1)">"#, "https://example.org/favicon.ico"),
            (#"<meta property="og:image" content="file:///etc/passwd">"#, "https://example.org/favicon.ico"),
            (
                #"<meta property="og:image" content=""><meta name="twitter:image:src" content="c.png">"#,
                "https://example.org/news/c.png"
            ),
            (
                #"<!-- <meta property="og:image" content="no.png"> --><link rel="icon" href="i.png">"#,
                "https://example.org/news/i.png"
            ),
            (#"<script>"<meta property='og:image' content='no.png'>"</script>"#, "https://example.org/favicon.ico"),
            ("", "https://example.org/favicon.ico"), ("\u{0}\u{1}<<<>>", "https://example.org/favicon.ico"),
        ])
        func `Addresses are read as browsers read them`(_ html: String, _ first: String) throws {
            #expect(try urls(html).first == first)
        }

        @Test func `An address over TLS replaces the one that it belongs to`() throws {
            let page = """
                <meta property="og:image" content="http://a.example/1.jpg"><meta property="og:image:secure_url" content="https://a.example/1.jpg">
                <meta property="og:image" content="http://a.example/2.jpg">
                """
            #expect(try urls(page) == ["https://a.example/1.jpg", "http://a.example/2.jpg", icon])
        }

        @Test func `Of icons the largest comes first, vectors last, and each once`() throws {
            let page = """
                <link rel="icon" sizes="any" type="image/svg+xml" href="/v.svg"><link rel="icon" href="/plain.png">
                <link rel="icon" sizes="16x16 48X48" href="/48.png"><link rel="apple-touch-icon" href="/touch.png">
                <link rel="icon" sizes="512x512" href="/512.png"><link rel="icon" sizes="9999999999999999999x1" href="/512.png">
                <link rel="stylesheet" href="/no.css">
                """
            let names = ["512.png", "touch.png", "48.png", "plain.png", "v.svg", "favicon.ico"]
            #expect(try urls(page) == names.map { "https://example.org/" + $0 })
        }

        @Test(arguments: [
            (#"{"image": "/a"}"#, ["a"]), (#"{"image": {"@type": "ImageObject", "url": "/a"}}"#, ["a"]),
            (#"{"image": [{"contentUrl": "/a"}, "/b", 3, null]}"#, ["a", "b"]),
            (#"[{"@graph": [{"@type": "WebPage", "image": {"@id": "/a"}}, {"thumbnailUrl": ["/b"]}]}]"#, ["a", "b"]),
            (#"{"image": [[["/no"]]]}"#, []), (#"{"image": "/a""#, []), ("", []), (#"{"name": "x"}"#, []),
        ])
        func `Descriptions in JSON-LD name images in several ways`(_ json: String, _ names: [String]) throws {
            let page = "<script type=\"application/ld+json; charset=utf-8\">\(json)</script>"
            #expect(try urls(page) == names.map { "https://example.org/" + $0 } + [icon])
        }

        @Test func `Text is read in the page's charset`() throws {
            // ä in ISO 8859-1.
            let page = Array("<meta property=\"og:image\" content=\"/".utf8) + [0xE4] + Array(".png\">".utf8)
            let url = try #require(URL(string: "https://example.org/"))
            for charset in ["ISO-8859-1", nil, "no-charset"] {
                let found = HTMLReader.images(in: page, charset: charset).urls(from: url).map(\.absoluteString)
                #expect(found.first == "https://example.org/%C3%A4.png")
            }
            #expect(
                try urls("<meta property=\"og:image\" content=\"/ä.png\">", charset: "utf-8").first
                    == "https://example.org/%C3%A4.png")
        }

        /// libxml2 searches all open elements for the beginning of each end tag.
        @Test func `Elements that are never closed end the reading early`() throws {
            let deep = String(repeating: "<b><i>", count: 300) + "<meta property=\"og:image\" content=\"/no.png\">"
            #expect(try urls("<meta property=\"og:image\" content=\"/a.png\">" + deep) == ["https://example.org/a.png", icon])
            let many = String(repeating: "<b>", count: 80_000) + String(repeating: "</u>", count: 60_000)
            #expect(try urls(many) == [icon])
        }

        @Test func `A page may end anywhere`() throws {
            let page = Array(
                """
                <html><head><base href="/b/"><meta property="og:image" content="a.png"><script type="application/ld+json">{"image":"c"}</script>\
                <link rel=icon href=i.png></head>
                """.utf8)
            let url = try #require(URL(string: "https://example.org/"))
            for end in page.indices {
                let found = HTMLReader.images(in: Array(page[..<end]), charset: nil).urls(from: url)
                #expect(found.last?.absoluteString == icon)
            }
        }
    }
#endif
