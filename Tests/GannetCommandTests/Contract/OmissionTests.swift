#if CommandLine && PNG && SVG
    import GannetCommandTestSupport
    import Testing

    /// Notes about elements of a drawing that are not drawn.
    struct OmissionTests {
        private let tool: Tool

        init() throws { tool = try Tool() }

        private func drawing(_ inside: String, _ name: String) throws -> String {
            let text = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'>\(inside)</svg>"
            return try tool.write(Array(text.utf8), name)
        }

        @Test func infoAndExplainNameThem() async throws {
            let path = try drawing("<text><textPath href='#a'>b</textPath></text><foreignObject width='4' height='4'/>", "a.svg")
            let other = try drawing("<rect width='4' height='4'/>", "b.svg")
            let note = "foreignObject and textPath are not drawn; librsvg leaves such elements out"
            let info = try await tool.run("info", "--json", path, other)
            #expect(info.status == 0 && info.errors.contains("\(path): \(note)\n"), "\(info.errors)")
            #expect(info.objects.map { $0["notDrawn"] as? [String] } == [["foreignObject", "textPath"], nil])
            let fetched = try await tool.run("fetch", "--no-cache", "--explain", path)
            #expect(fetched.status == 0 && fetched.text.contains(note), "\(fetched.text)")
            let plain = try await tool.run("fetch", "--no-cache", "--explain", other)
            #expect(plain.status == 0 && !plain.text.contains("not drawn"), "\(plain.text)")
        }
    }
#endif
