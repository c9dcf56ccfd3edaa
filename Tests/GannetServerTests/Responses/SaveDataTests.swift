#if CommandLine && HTTP && Server && PNG && JPEG && WebP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer

    /// `Save-Data: on` lowers the quality where nothing else decides it.
    struct SaveDataTests {
        private let drawn: DrawnService

        init() throws { drawn = try DrawnService(try Samples.photo()) { $0.saveDataQuality = 30 } }

        private func request(_ options: String, _ fields: [(String, String)]) -> ThumbnailService.Request {
            .init(target: "/_/\(options)/plain/\(drawn.server.url("/a.png"))", headers: fields)
        }

        private func answer(
            _ options: String, saves: String? = nil, accept: String = "*/*"
        ) async -> ThumbnailService.Response {
            await drawn.service.respond(to: request(options, [("Accept", accept)] + (saves.map { [("Save-Data", $0)] } ?? [])))
        }

        private func vary(_ answer: ThumbnailService.Response) -> String? { answer.headers.first { $0.0 == "Vary" }?.1 }

        @Test func `Clients that save data get the operator's quality`() async throws {  // NW-21
            let (full, saved) = (await answer("f:jpeg"), await answer("f:jpeg", saves: "on"))
            #expect(full.status == 200 && saved.status == 200 && saved.body.count < full.body.count)
            #expect(await answer("f:jpeg/q:30").body == saved.body)
            #expect(vary(full) == "Save-Data" && vary(saved) == "Save-Data")
            let (negotiated, less) = (
                await answer("w:100", accept: "image/webp"), await answer("w:100", saves: "on", accept: "image/webp")
            )
            #expect(vary(negotiated) == "Accept, Save-Data" && vary(less) == "Accept, Save-Data")
            #expect(less.body.count < negotiated.body.count)
        }

        @Test(arguments: ["ON", "on;a=1", " on "]) func `The field is read as RFC 8674 has it`(field: String) async throws {
            let saved = await answer("f:jpeg", saves: field)
            #expect(await answer("f:jpeg/q:30").body == saved.body)
        }

        @Test(arguments: ["off", "", "on2", "1"]) func `Other words change nothing`(field: String) async throws {
            let full = await answer("f:jpeg")
            #expect(await answer("f:jpeg", saves: field).body == full.body)
        }

        @Test(arguments: ["f:jpeg/q:90", "f:jpeg/fq:jpeg:90", "f:png", "f:webp/fq:webp:70", "raw:1"])
        func `What is fixed is the same for all`(options: String) async throws {
            let (full, saved) = (await answer(options), await answer(options, saves: "on"))
            #expect(full.status == 200 && saved.body == full.body)
            #expect(vary(full) == nil && vary(saved) == nil)
        }

        /// The same clients find the same responses in memory, without waiting.
        @Test func `Each kind of client has a response of its own`() async throws {
            let fields = [("Save-Data", "on")]
            let full = await drawn.service.respond(to: request("f:jpeg", []))
            #expect(drawn.service.cachedResponse(to: request("f:jpeg", fields)) == nil)
            let saved = await drawn.service.respond(to: request("f:jpeg", fields))
            #expect(drawn.service.cachedResponse(to: request("f:jpeg", []))?.body == full.body)
            #expect(drawn.service.cachedResponse(to: request("f:jpeg", fields))?.body == saved.body)
        }

        @Test func `Without the operator's word the field means nothing`() async throws {
            let plain = try DrawnService(try Samples.photo())
            let target = "/_/f:jpeg/plain/\(plain.server.url("/a.png"))"
            let saved = await plain.service.respond(to: .init(target: target, headers: [("Save-Data", "on")]))
            let full = await plain.service.respond(to: .init(target: target))
            #expect(saved.status == 200 && saved.body == full.body && vary(saved) == nil)
        }
    }
#endif
