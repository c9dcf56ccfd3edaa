#if Links
    import FoundationEssentials
    import GannetCore
    import GannetFetch
    import GannetLinks
    import GannetTestSupport
    import GannetTesting
    import Testing

    /// Pictures of links: page and image over one loader, with its cache and its rules.
    @Suite struct LinkImageLoaderTests {
        private static let html = [("Content-Type", "text/html; charset=utf-8")]

        /// Answers by URL; everything else is a 404.
        private func rig(
            _ pages: [String: (headers: [(String, String)], body: String)],
            change: (inout DownloaderConfiguration) -> Void = { _ in }
        ) -> DownloadRig {
            DownloadRig(change: change) { request, _ in
                guard let page = pages[request.url.absoluteString] else { return .fixed(request, status: 404, body: []) }
                return .fixed(request, headers: page.headers, body: Array(page.body.utf8))
            }
        }

        private func text(_ rig: DownloadRig, _ url: String, _ change: (inout ImageRequest) -> Void = { _ in }) async throws
            -> String
        {
            try await rig.text(url) {
                $0.download.loader = LinkImageLoader(rig.loaders)
                change(&$0)
            }
        }

        private func addresses(_ rig: DownloadRig) -> [String] { rig.transport.requests.map { $0.url.absoluteString } }

        // PL-02
        @Test func `The image that the page names is loaded`() async throws {
            let rig = rig([
                "https://example.org/": (Self.html, "<meta property=og:image content=/a.png>"),
                "https://example.org/a.png": ([("Content-Type", "image/png")], "bytes"),
            ])
            #expect(try await text(rig, "https://example.org/") == "bytes")
            #expect(addresses(rig) == ["https://example.org/", "https://example.org/a.png"])
            #expect(rig.sent(0).headers["Accept"]?.hasPrefix("text/html") == true)
            #expect(rig.sent(1).headers["Accept"]?.hasPrefix("image/") == true)
        }

        @Test func `What is no page is delivered as it is`() async throws {
            let rig = rig(["https://example.org/a.png": ([("Content-Type", "image/png")], "bytes")])
            #expect(try await text(rig, "https://example.org/a.png") == "bytes")
            #expect(addresses(rig).count == 1)
        }

        @Test func `Page and image are stored, each for its own time, and not as the plain source`() async throws {
            let rig = rig([
                "https://example.org/": (
                    Self.html + [("Cache-Control", "max-age=60")], "<meta property=og:image content=/a.png>"
                ),
                "https://example.org/a.png": ([("Cache-Control", "max-age=600")], "bytes"),
            ])
            #expect(try await text(rig, "https://example.org/") == "bytes")
            #expect(try await text(rig, "https://example.org/") == "bytes")
            #expect(addresses(rig).count == 2)
            rig.time.advance(by: .seconds(61))
            #expect(try await text(rig, "https://example.org/") == "bytes")
            #expect(addresses(rig).dropFirst(2) == ["https://example.org/"])
            // Without the loader, the source is the page.
            #expect(try await rig.text("https://example.org/").hasPrefix("<meta"))
        }

        @Test func `An image that is not there gives way to the next, and the first error is told`() async throws {
            let head =
                "<meta property=og:image content=/gone.png><meta name=twitter:image content=/page><link rel=icon href=/i.png>"
            var pages = [
                "https://example.org/": (Self.html, head), "https://example.org/page": (Self.html, "no image"),
                "https://example.org/i.png": ([], "icon"),
            ]
            #expect(try await text(rig(pages), "https://example.org/") == "icon")
            pages["https://example.org/i.png"] = nil
            let failing = rig(pages)
            await #expect {
                _ = try await text(failing, "https://example.org/")
            } throws: {
                ($0 as? ImageError)?.httpStatus == 404
            }
            #expect(addresses(failing).last == "https://example.org/favicon.ico")
        }

        @Test func `At most four images of a page are tried`() async throws {
            let head = (0..<60).map { "<meta property=og:image content=/\($0).png>" }.joined()
            let rig = rig(["https://example.org/": (Self.html, head)])
            await #expect(throws: ImageError.self) { _ = try await text(rig, "https://example.org/") }
            #expect(addresses(rig).count == 5)
        }

        @Test func `A long page is read up to its limit`() async throws {
            let filler = String(repeating: " ", count: LinkImageLoader.maximumPageBytes)
            let rig = rig([
                "https://example.org/": (
                    Self.html, "<link rel=icon href=/i.png>" + filler + "<meta property=og:image content=/a.png>"
                ),
                "https://example.org/i.png": ([], "icon"), "https://example.org/a.png": ([], "late"),
            ])
            #expect(try await text(rig, "https://example.org/") == "icon")
        }

        @Test func `Another origin gets neither the login nor the fields of the page`() async throws {
            let rig = rig(
                [
                    "https://example.org/": (Self.html, "<meta property=og:image content=https://cdn.example/a.png>"),
                    "https://cdn.example/a.png": ([], "bytes"),
                ]
            ) { $0.redirects.fieldsOfOrigin = ["x-token"] }
            let found = try await text(rig, "https://example.org/") {
                $0.download.credential = Credential.basic(user: "u", password: "p")
                $0.download.headers = ["Cookie": "a=b", "X-Token": "secret", "X-Other": "kept"]
            }
            #expect(found == "bytes")
            #expect(rig.sent(0).headers["Authorization"] != nil && rig.sent(0).headers["X-Token"] == "secret")
            let sent = rig.sent(1).headers
            #expect(sent["Authorization"] == nil && sent["Cookie"] == nil && sent["X-Token"] == nil && sent["X-Other"] == "kept")
        }

        @Test func `A page over TLS has its image over TLS`() async throws {
            let pages = [
                "https://example.org/": (Self.html, "<meta property=og:image content=http://cdn.example:80/a.png>"),
                "https://cdn.example/a.png": ([], "secure"), "http://cdn.example:80/a.png": ([(String, String)](), "plain"),
            ]
            #expect(try await text(rig(pages), "https://example.org/") == "secure")
            #expect(try await text(rig(pages) { $0.redirects.allowsDowngrade = true }, "https://example.org/") == "plain")
        }

        @Test func `A manager of pages may have it among its loaders`() async throws {
            let rig = rig([
                "https://example.org/": (Self.html, "<meta property=og:image content=/a.png>"),
                "https://example.org/a.png": ([], "bytes"),
            ])
            rig.loaders.add(LinkImageLoader(rig.loaders))
            #expect(try await rig.text("https://example.org/") == "bytes")
            let local = LinkImageLoader(LoadersManager())
            #expect(!local.canLoad(ImageSource("https://example.org/")))
            await #expect {
                _ = try await rig.text("https://example.org/x") { $0.download.loader = local }
            } throws: {
                ($0 as? ImageError)?.code == .unsupported
            }
        }

        @Test func `Images may stand in the page itself`() async throws {
            let rig = rig(["https://example.org/": (Self.html, "<link rel=icon href='data:image/png;base64,Ynl0ZXM='>")])
            #expect(try await text(rig, "https://example.org/") == "bytes")
        }
    }
#endif
