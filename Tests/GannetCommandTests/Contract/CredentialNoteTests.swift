#if CommandLine && PNG && JPEG
    import GannetCommandTestSupport
    import Testing

    /// Notes about Content Credentials (C2PA), which no new file has.
    struct CredentialNoteTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        /// A JPEG with an empty manifest behind its first marker.
        private static func signed() throws -> [UInt8] {
            let description: [UInt8] = [0, 0, 0, 25] + Array("jumdc2pa".utf8) + [UInt8](repeating: 0, count: 13)
            let box: [UInt8] = [0, 0, 0, 33] + Array("jumb".utf8) + description
            let content = Array("JP".utf8) + [0, 1, 0, 0, 0, 1] + box
            let photo = try Samples.photo()
            return Array(
                [Array(photo.prefix(2)), [0xFF, 0xEB, 0, UInt8(content.count + 2)], content, Array(photo.dropFirst(2))].joined())
        }

        @Test func infoNamesThem() async throws {
            let path = try tool.write(try Self.signed(), "a.jpg")
            #expect(try await tool.run("info", path).text.contains("\(path): Content Credentials (C2PA), 33 B, not checked\n"))
            let object = try #require(try await tool.run("info", "--json", path).objects.first)
            #expect(object["contentCredentialsBytes"] as? Int == 33)
            let plain = try tool.write(try Samples.photo(), "b.jpg")
            #expect(try await tool.run("info", "--json", plain).objects.first?["contentCredentialsBytes"] == nil)
        }

        @Test func itIsSaidThatTheyAreLost() async throws {
            let path = try tool.write(try Self.signed(), "a.jpg")
            let note = "its Content Credentials (C2PA) were left out"
            let small = try await tool.run("convert", path, tool.path("small.png"), "--thumbnail", "12")
            #expect(small.status == 0 && small.errors.contains(note))
            let fetched = try await tool.run("fetch", path, "-o", tool.path("b.png"), "--thumbnail", "12", "--no-cache")
            #expect(fetched.status == 0 && fetched.errors.contains(note), "\(fetched.errors)")
            let copy = try await tool.run("fetch", path, "-o", tool.path("c.jpg"), "--no-cache")
            #expect(try copy.status == 0 && !copy.errors.contains(note) && tool.read("c.jpg") == (try Self.signed()))
            let plain = try tool.write(try Samples.photo(), "b.jpg")
            #expect(try await !tool.run("convert", plain, tool.path("d.png")).errors.contains("C2PA"))
        }
    }
#endif
