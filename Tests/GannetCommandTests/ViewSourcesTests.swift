#if CommandLine && GTK && PNG
    import GannetCommandTestSupport
    import GannetCore
    import GannetGTK
    import Glibc
    import Testing

    @testable import gannet

    struct ViewSourcesTests {
        @Test func limitsAndDeadlinesAreThoseOfTheOptions() {
            var limits = DecodeLimits.standard
            limits.maximumPixels = 7
            let request = ViewSources.request("http://a.org/b.png", limits, LoadDeadlines(total: .seconds(3)))
            #expect(request.download.deadlines?.total == .seconds(3) && request.decode.limits?.maximumPixels == 7)
        }

        private func items(_ names: String...) throws -> [ViewSources.Item] {
            try ViewSources.items(names, limits: .standard, deadlines: LoadDeadlines())
        }

        @Test func sourcesMeanWhatTheyMeanElsewhere() throws {
            let tool = try Tool()
            let path = try tool.write(try Samples.png(), "a.png")
            for name in ["file:" + path, "file://" + path, path] {
                let items = try items(name)
                #expect(items.count == 1 && items.first?.text == name)
                guard case .file(let found)? = items.first?.item.request.source, found == path else {
                    Issue.record("\(name) is \(String(describing: items.first?.item.request.source))")
                    continue
                }
            }
        }

        @Test func linksAreFollowed() throws {
            let tool = try Tool()
            try OutputFile.makeFolder(tool.path("real"))
            try tool.write(try Samples.png(), "real/a.png")
            try tool.write(try Samples.png(), "b.png")
            #expect(symlink("../b.png", tool.path("real/b.png")) == 0 && symlink("none", tool.path("real/none.png")) == 0)
            #expect(symlink(".", tool.path("real/circle")) == 0 && symlink("real", tool.path("link")) == 0)
            for folder in ["real", "link", "link/"] {
                #expect(try items(tool.path(folder)).map(\.item.name) == ["a.png", "b.png"], "\(folder)")
            }
        }

        @Test(.enabled(if: getenv("DISPLAY") != nil, "no display: run under xvfb-run"), .timeLimit(.minutes(10)))
        func everyFailureIsTold() async throws {
            let tool = try Tool()
            let path = try tool.write(try Samples.png(), "a.png")
            let none = tool.path("none.png")
            for names in [[path, none], [none]] {
                let outcome = try await tool.start(
                    ["view", "--no-cache", "--json", "--screenshot", tool.path("o.png")] + names,
                    variables: ["GSK_RENDERER": "cairo", "GDK_BACKEND": "x11"]
                ).wait()
                #expect(outcome.status == 1)
                let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("gannet: ") }
                #expect(lines.count == 1 && lines.first?.hasPrefix("gannet: \(none): notFound: ") == true, "\(outcome.errors)")
                #expect(outcome.objects.contains { $0["source"] as? String == none && $0["ok"] as? Bool == false })
                #expect(try tool.read("o.png").starts(with: [0x89, 0x50]))
            }
        }

        /// Checked before the search for a display.
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
