#if CommandLine && Server
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import Glibc
    import Testing

    @testable import gannet

    struct DemoImagesTests {
        private let tool: Tool

        init() throws { tool = try Tool() }

        /// A user's folder contains all kinds of files, so unreadable ones are skipped; files named in a list must exist.
        @Test func whatCannotBeReadIsLeftOutOfAFolder() throws {
            try OutputFile.makeFolder(tool.path("pictures"))
            let good = try tool.write(try Samples.png(), "pictures/a.png")
            let large = try tool.write(try Samples.png() + [UInt8](repeating: 0, count: 100_000), "pictures/b.png")
            // A name that is no UTF-8.
            let name = tool.path("pictures/bad").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
            let descriptor = open(name, O_CREAT | O_WRONLY, 0o600)
            #expect(descriptor >= 0)
            close(descriptor)
            let search = DemoImages(coders: Assembly.coders, maximumBytes: 50_000)
            #expect(try search.find(in: [tool.path("pictures")]).map(\.path) == [good])
            let list = try tool.write(Array("\(good)\n\(large)\n".utf8), "list")
            #expect { try search.read(list: list) } throws: { ($0 as? ImageError)?.code == .limitExceeded }
            #expect(try DemoImages(coders: Assembly.coders, maximumBytes: 1 << 20).read(list: list).count == 2)
        }
    }
#endif
