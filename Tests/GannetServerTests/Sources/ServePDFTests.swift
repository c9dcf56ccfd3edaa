#if CommandLine && HTTP && Server && PNG && PDF
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import Glibc
    import Testing

    @testable import GannetServer

    /// Pages of documents as images of the service. // FM-13
    @Suite(.enabled(if: access("/usr/bin/pdftoppm", X_OK) == 0, "no page is drawn here: poppler-utils is not installed"))
    struct ServePDFTests {
        /// Two pages: red and low, blue and high.
        private static let document: [UInt8] = {
            let contents = ["1 0 0 rg 0 0 100 50 re f", "0 0 1 rg 0 0 30 90 re f"]
            var text = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
            text += "2 0 obj<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>endobj\n"
            for (index, box) in ["100 50", "30 90"].enumerated() {
                let number = 3 + 2 * index
                text += "\(number) 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(box)]/Contents \(number + 1) 0 R>>endobj\n"
                text +=
                    "\(number + 1) 0 obj<</Length \(contents[index].utf8.count)>>stream\n\(contents[index])\nendstream endobj\n"
            }
            // Without a table: readers make one.
            return Array("\(text)trailer<</Root 1 0 R/Size 7>>\n%%EOF\n".utf8)
        }()

        private func info(_ drawn: DrawnService, _ options: String) async -> ThumbnailService.Response {
            await drawn.service.respond(to: .init(target: "/info/_/\(options)/plain/\(drawn.server.url("/a.png"))"))
        }

        // FM-13
        @Test func `The page is the address's, at any size`() async throws {
            let drawn = try DrawnService(Self.document)
            let first = try await drawn.image("rs:fit:400:400/f:png")
            #expect(first.size == PixelSize(width: 400, height: 200) && first.bitmap.row(100)[0] == 255)
            let second = try await drawn.image("pg:1/rs:fit:180:180/f:png")
            #expect(second.size == PixelSize(width: 60, height: 180) && second.bitmap.row(100)[2] == 255)
            let beyond = await drawn.answer("pg:2/f:png")
            #expect(beyond.status == 404 && beyond.text.contains("no page 2"), "\(beyond.text)")
        }

        // FM-13
        @Test func `Facts are those of the page`() async throws {
            let drawn = try DrawnService(Self.document)
            for (page, size) in [(0, [100, 50]), (1, [30, 90])] {
                let answer = await info(drawn, "page:\(page)")
                let told = try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
                #expect(told["format"] as? String == "pdf" && told["pages"] as? Int == 2)
                #expect([told["width"] as? Int, told["height"] as? Int] == size)
            }
            #expect(await info(drawn, "page:2").status == 404)
        }
    }
#endif
