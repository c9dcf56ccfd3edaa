#if CommandLine && HTTP && Server && PNG && Video
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Thumbnails of videos. // FM-16
    struct ServeVideoTests {
        @Test func aSecondIsChosen() async throws {
            // Ten a second, each of another gray.
            let writer = FilmWriter(container: "matroska", codec: "ffv1", colors: (0..<30).map { UInt32($0 * 8) * 0x010101 })
            let service = try DrawnService(try #require(writer.file()), name: "a.mkv")
            for (options, wanted) in [("w:32", 0), ("vts:1", 10), ("video_thumbnail_second:2", 20), ("vts:0", 0), ("vts:60", 29)]
            {
                let color = try await service.bitmap(options).color(atX: 3, y: 3)
                #expect(color?.red == UInt8(wanted * 8), "\(options): \(String(describing: color))")
            }
            #expect(await service.answer("vts:-1").status == 400)
            // An image has no seconds.
            #expect(try await DrawnService(try DrawnService.map()).bitmap("vts:3").width == 40)
        }
    }
#endif
