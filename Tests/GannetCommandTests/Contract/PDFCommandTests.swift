#if CommandLine && PNG && PDF
    import GannetCommandTestSupport
    import Glibc
    import Testing

    /// Documents on the command line. // FM-13
    struct PDFCommandTests {
        private static let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 80 40]/Contents 5 0 R>>"
        private static let document = Array(
            """
            %PDF-1.4
            1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
            2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj
            3 0 obj\(page)endobj
            4 0 obj\(page)endobj
            5 0 obj<</Length 23>>stream
            0 1 0 rg 0 0 80 40 re f
            endstream endobj
            trailer<</Root 1 0 R/Size 6>>
            %%EOF

            """.utf8)

        // FM-13
        @Test(.enabled(if: access("/usr/bin/pdftoppm", X_OK) == 0, "no page is drawn here: poppler-utils is not installed"))
        func `A document is described, and a page of it converted`() async throws {
            let tool = try Tool()
            let path = try tool.write(Self.document, "a.pdf")
            let told = try await tool.run("info", "--json", path).objects.first
            #expect(told?["format"] as? String == "pdf" && told?["pages"] as? Int == 2 && told?["width"] as? Int == 80)
            let outcome = try await tool.run(
                "convert", "--json", path, tool.path("b.png"), "--page", "1", "--thumbnail", "320x320")
            #expect(outcome.status == 0 && outcome.objects.first?["width"] as? Int == 320, "\(outcome.errors)")
            let missing = try await tool.run("convert", path, tool.path("c.png"), "--page", "2")
            #expect(missing.status == 1 && missing.errors.contains("There is no page 2: the file has 2, counted from 0."))
            let libraries = try await tool.start(["--version", "--json"]).wait().objects.first?["libraries"] as? [String: String]
            #expect(libraries?["poppler"]?.contains(".") == true)
        }
    }
#endif
