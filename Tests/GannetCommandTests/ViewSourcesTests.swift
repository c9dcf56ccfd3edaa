#if CommandLine && GTK && PNG
    import GannetCore
    import Testing

    @testable import gannet

    struct ViewSourcesTests {
        @Test func limitsAndDeadlinesAreThoseOfTheOptions() {
            var limits = DecodeLimits.standard
            limits.maximumPixels = 7
            let request = ViewSources.request("http://a.org/b.png", limits, LoadDeadlines(total: .seconds(3)))
            #expect(request.download.deadlines?.total == .seconds(3) && request.decode.limits?.maximumPixels == 7)
        }

        /// Before a display is looked for.
        @Test func onlyPicturesThatAreThereAreOpened() async throws {
            let tool = try Tool()
            let path = try tool.write(try Samples.png(), "a.png")
            for number in ["0", "-1", "3"] {
                let outcome = try await tool.run("view", "--no-cache", path, path, "--open=\(number)")
                #expect(outcome.status == 64 && outcome.errors.contains("--open"), "\(outcome.errors)")
            }
        }
    }
#endif
