#if CommandLine && HTTP && Server && PNG && JPEG && WebP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer

    /// `best` is the smallest file of those that the client shows.
    struct BestFormatTests {
        private func type(_ answer: ThumbnailService.Response) -> String? { answer.headers.first { $0.0 == "Content-Type" }?.1 }

        private func answer(
            _ drawn: DrawnService, _ options: String, accept: String
        ) async -> ThumbnailService.Response {
            let target = "/_/\(options)/plain/\(drawn.server.url("/a.png"))"
            return await drawn.service.respond(to: .init(target: target, headers: [("Accept", accept)]))
        }

        @Test(arguments: ["f:best", "w:120/f:best", "f:best/q:40", "f:best/fq:webp:95:jpeg:20"])
        func `It is the smallest of the files themselves`(options: String) async throws {  // NW-15
            let drawn = try DrawnService(try Samples.photo())
            var sizes: [String: Int] = [:]
            for format in ["jpeg", "png", "webp"] {
                let made = await answer(drawn, options.replacing("best", with: format), accept: "*/*")
                #expect(made.status == 200)
                sizes["image/" + format] = made.body.count
            }
            let all = await answer(drawn, options, accept: "image/webp")
            #expect(all.body.count == sizes.values.min() && all.body.count == type(all).flatMap { sizes[$0] })
            #expect(all.headers.contains { $0.0 == "Vary" && $0.1 == "Accept" })
            sizes["image/webp"] = nil
            let others = await answer(drawn, options, accept: "*/*")
            #expect(others.body.count == sizes.values.min() && others.body.count == type(others).flatMap { sizes[$0] })
        }

        @Test func `A drawing is a PNG where that is smaller`() async throws {
            let drawn = try DrawnService(
                try DrawnService.png(width: 200, height: 200) { x, _ in x % 40 < 20 ? 0xFF00_00FF : 0xFFFF_FFFF })
            #expect(type(await answer(drawn, "f:best", accept: "*/*")) == "image/png")
        }

        @Test func `Transparency stays`() async throws {
            let drawn = try DrawnService(try Samples.clearPNG()) { $0.preferredFormats = [.jpeg, .webp] }
            for accept in ["image/jpeg", "image/jpeg,image/webp"] {
                let made = await answer(drawn, "f:best", accept: accept)
                #expect(try await DrawnService.decoded(made).bitmap.text(0, 0) == "clear", "\(accept)")
            }
        }

        @Test func `The operator's formats are those that are tried`() async throws {
            let drawn = try DrawnService(try Samples.photo()) { $0.preferredFormats = [] }
            let (made, plain) = (
                await answer(drawn, "f:best/q:40", accept: "image/webp"), await answer(drawn, "f:jpeg/q:40", accept: "*/*")
            )
            #expect(made.body == plain.body)
        }

        @Test func `A limit of bytes is kept by the smallest`() async throws {
            let drawn = try DrawnService(try Samples.photo())
            let made = await answer(drawn, "f:best/mb:3000", accept: "image/webp")
            #expect(made.status == 200 && made.body.count <= 3000)
        }

        @Test func `It is kept for each set of formats`() async throws {
            let drawn = try DrawnService(try Samples.photo())
            let (first, other) = (
                await answer(drawn, "f:best/q:40", accept: "image/webp"), await answer(drawn, "f:best/q:40", accept: "*/*")
            )
            let again = await answer(drawn, "f:best/q:40", accept: "image/webp")
            #expect(again.origin == .memory && again.body == first.body && type(again) == type(first))
            #expect(other.origin == .made)
        }

        @Test func `It stands where a format stands, and the last one counts`() throws {
            for text in [
                "/_/f:best/plain/http://a.org/b", "/_/w:9/plain/http://a.org/b@best", "/9x9/fit?format=best&url=http://a.org/b",
            ] {
                let address = try ThumbnailAddress(text)
                #expect(address.options.isBest && address.options.format == nil && address.isCostly, "\(text)")
            }
            #expect(try !ThumbnailAddress("/_/f:best/plain/http://a.org/b@png").options.isBest)
            #expect(try ThumbnailAddress("/_/f:best/f:png/plain/http://a.org/b").options.format == .png)
        }
    }
#endif
