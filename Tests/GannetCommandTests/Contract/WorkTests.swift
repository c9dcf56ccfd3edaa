#if CommandLine && PNG && BMP
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Testing

    @testable import gannet

    /// `gannet work`, as programs use it.
    struct WorkTests {
        let tool: Tool
        /// 24 × 16
        let source: String

        init() throws {
            tool = try Tool()
            source = try tool.write(try Samples.png(), "a.png")
        }

        private func work(_ lines: [String], _ options: String...) async throws -> Tool.Outcome {
            try await tool.start(["work"] + options, input: Array(lines.joined(separator: "\n").utf8)).wait()
        }

        private func job(_ id: Int, _ source: String, _ output: String) -> String {
            #"{"id":\#(id),"source":"\#(source)","output":"\#(tool.path(output))"}"#
        }

        @Test func jobsInResultsOut() async throws {
            let outcome = try await work(
                [
                    #"{"id":"the first","source":"\#(source)","output":"\#(tool.path("x/y/a.bmp"))","thumbnail":"12x12"}"#, "",
                    #"{"id":18014398509481985,"source":"\#(source)","output":"\#(tool.path("b")).out","format":"png","transform":["rotate:90"]}"#,
                    #"{"source":"\#(source)"}"#,
                ], "--concurrency", "1")
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            let answers = outcome.objects
            try #require(answers.count == 3, "\(outcome.text)")
            #expect(answers[0]["id"] as? String == "the first" && answers[1]["id"] as? Int == 18_014_398_509_481_985)
            #expect(answers[2]["id"] == nil && answers[2]["line"] as? Int == 4)
            #expect(answers.map { $0["ok"] as? Bool } == [true, true, true])
            #expect(answers.map { $0["width"] as? Int } == [12, 16, 24] && answers.map { $0["height"] as? Int } == [8, 24, 16])
            #expect(answers.map { $0["format"] as? String } == ["bmp", "png", "png"])
            #expect(answers[0]["output"] as? String == tool.path("x/y/a.bmp") && answers[0]["source"] as? String == source)
            #expect(try answers[0]["bytes"] as? Int == tool.read("x/y/a.bmp").count)
            #expect(try tool.read("b.out").starts(with: [0x89, 0x50]))
            // Loaded, not written.
            #expect(answers[2]["output"] is NSNull)
        }

        /// By the pixels that `gannet convert` writes with the options of these names.
        @Test func partsAndLinearLightAreThoseOfConvert() async throws {
            let (region, thumbnail) = ("3,2,17,12", "7x")
            let job = #""thumbnail":"\#(thumbnail)","region":"\#(region)","source":"\#(source)""#
            let outcome = try await work(
                [
                    #"{\#(job),"output":"\#(tool.path("a.bmp"))"}"#,
                    #"{\#(job),"output":"\#(tool.path("b.bmp"))","linear-light":true}"#,
                ], "--concurrency", "1")
            #expect(outcome.status == 0, "\(outcome.errors)")
            for (name, options) in [("a.bmp", []), ("b.bmp", ["--linear-light"])] {
                let words = ["convert", source, tool.path("c-" + name), "--thumbnail", thumbnail, "--region", region] + options
                #expect(try await tool.start(words).wait().status == 0)
                #expect(try tool.read(name) == tool.read("c-" + name), "\(name)")
            }
            #expect(try tool.read("a.bmp") != tool.read("b.bmp"))
        }

        @Test func lightAndPartsAreCheckedLikeOptions() async throws {
            let outcome = try await work(
                [
                    #"{"source":"\#(source)","output":"\#(tool.path("a.bmp"))","hdr":true}"#,
                    #"{"source":"\#(source)","hdr":true}"#, #"{"source":"\#(source)","region":"1,2,3"}"#,
                    #"{"source":"\#(source)","output":"\#(tool.path("b.png"))","hdr":true}"#,
                    #"{"source":"\#(source)","tone-mapping":"hable"}"#,
                    #"{"source":"\#(source)","output":"\#(tool.path("c.png"))","hdr":true,"tone-mapping":"bt2446a"}"#,
                    #"{"source":"\#(source)","output":"\#(tool.path("d.png"))","tone-mapping":"bt2446a"}"#,
                ], "--concurrency", "1")
            let answers = outcome.objects
            try #require(answers.count == 7, "\(outcome.text)")
            let errors = answers.map { $0["error"] as? [String: Any] }
            #expect(errors.map { $0?["code"] as? String } == ["misuse", "misuse", "misuse", nil, "misuse", "misuse", nil])
            let messages = errors.map { $0?["message"] as? String ?? "" }
            #expect(
                messages[0].contains("--hdr writes") && messages[1].contains("name the output") && messages[2].contains("region"))
            #expect(messages[4].contains("bt2390 or bt2446a") && messages[5].contains("none to map"))
            #expect(tool.names("").contains("b.png") && !tool.names("").contains("a.bmp"))
        }

        @Test func badLinesAreAnsweredAndTheNextGoesOn() async throws {
            let outcome = try await work(
                [
                    "nonsense", #"{"id":"x","source":"\#(source)","ouput":"b.png"}"#,
                    #"{"id":"\#(String(repeating: "y", count: 1 << 20))"}"#, job(4, tool.path("none.png"), "4.png"), "",
                    job(6, source, "6.png"), "{\"id\":7,\"source\":\"\u{FFFF}",
                ], "--concurrency", "1")
            let answers = outcome.objects
            try #require(answers.count == 6, "\(outcome.text)")
            #expect(outcome.status == 1)
            #expect(answers.map { $0["ok"] as? Bool } == [false, false, false, false, true, false])
            #expect(answers.map { $0["line"] as? Int } == [1, nil, 3, nil, nil, 7])
            let errors = answers.map { $0["error"] as? [String: Any] }
            #expect(errors.map { $0?["code"] as? String } == ["misuse", "misuse", "misuse", "notFound", nil, "misuse"])
            #expect((errors[1]?["message"] as? String)?.contains("no field ouput") == true)
            #expect((errors[2]?["message"] as? String)?.contains("more than 1048576 bytes") == true)
            #expect(answers[3]["source"] as? String == tool.path("none.png"))
            // As with every command, a line for people too.
            #expect(outcome.errors.split(separator: "\n").count == 5)
            #expect(outcome.errors.contains("gannet: line 1: misuse: ") && outcome.errors.contains("none.png: notFound: "))
            #expect(tool.names("").contains("6.png") && !tool.names("").contains("4.png"))
        }

        /// So the jobs of a worker that died can be given to another one.
        @Test func whatIsThereIsSkipped() async throws {
            try tool.write(Array("mine".utf8), "b.png")
            // Nothing is decoded: the source is missing.
            let outcome = try await work([job(1, tool.path("none.png"), "b.png")], "--skip-existing")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let answer = try #require(outcome.objects.first)
            #expect(answer["ok"] as? Bool == true && answer["skipped"] as? Bool == true && answer["id"] as? Int == 1)
            #expect(try tool.read("b.png") == Array("mine".utf8))
            // Without the option it is written anew.
            #expect(try await work([job(1, source, "b.png")]).status == 0)
            #expect(try tool.read("b.png").starts(with: [0x89, 0x50]))
        }

        @Test(.timeLimit(.minutes(10))) func aProducerWaitsWhileNobodyReads() async throws {
            try tool.write([1], "b.png")
            let (concurrency, pipe) = (2, 4096)
            let worker = try WorkerProcess(
                tool, ["--skip-existing", "--concurrency", "\(concurrency)"], inputBytes: Int32(pipe), outputBytes: Int32(pipe))
            let line = job(1, "a", "b.png")
            let answer = 60
            var (written, refusals) = (0, 0)
            // It has every chance to take more after both pipes are full.
            while refusals < 20_000 {
                if worker.offer(line) {
                    (written, refusals) = (written + 1, 0)
                } else {
                    if worker.unread > pipe - 300 { refusals += 1 }
                    await Task.yield()
                }
            }
            let bound = pipe / answer + concurrency + (JobLines.chunk + pipe) / line.utf8.count + 2
            #expect((concurrency...bound).contains(written), "\(written), \(bound)")
            try worker.endInput()
            let answers = try await worker.answers()
            #expect(answers.count == written && answers.allSatisfy { $0["skipped"] as? Bool == true })
            #expect(try await worker.status() == 0)
        }

        @Test(.timeLimit(.minutes(10)), arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
        func aSignalEndsItAndEachJobThatWasTakenIsAnswered(number: Int32, status: Int32) async throws {
            let held = tool.path("held")
            #expect(mkfifo(held, 0o600) == 0)
            let worker = try WorkerProcess(tool, ["--concurrency", "1"])
            for line in [job(1, source, "1.png"), job(2, held, "2.png"), job(3, source, "3.png")] {
                #expect(worker.offer(line))
            }
            #expect(try await worker.answers(1).first?["id"] as? Int == 1)
            // The second job is running once it has opened its source.
            let descriptor = try await BlockingExecutor.files.run { () throws(ImageError) in open(held, O_WRONLY) }
            worker.signal(number)
            let answers = try await worker.answers()
            close(descriptor)
            #expect(try await worker.status() == status)
            try #require(answers.count == 1, "\(answers)")
            #expect(answers[0]["id"] as? Int == 2 && answers[0]["ok"] as? Bool == false)
            #expect((answers[0]["error"] as? [String: Any])?["code"] as? String == "cancelled")
            #expect(!tool.names("").contains { $0.contains("2.png") || $0.contains("3.png") || $0.contains(".part") })
        }

        /// While it waits for a job.
        @Test(.timeLimit(.minutes(10))) func aSignalEndsAnIdleWorker() async throws {
            let worker = try WorkerProcess(tool, [])
            #expect(worker.offer(job(1, source, "1.png")))
            #expect(try await worker.answers(1).count == 1)
            worker.signal(SIGTERM)
            #expect(try await worker.answers().isEmpty)
            #expect(try await worker.status() == 143)
        }

        /// Its outputs are whole, and a second worker does the rest: nothing is lost, and no result comes twice.
        @Test(.timeLimit(.minutes(10)), arguments: [1, 20, 57])
        func aKilledWorkerLeavesNoTornFile(moment: Int) async throws {
            let count = 150
            let picture = try TestImages.still(TestImages.gradient(width: 200, height: 150))
            let large = try tool.write(try picture.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous(), "large.png")
            let jobs = (0..<count).map { job($0, large, "out/\($0).bmp") }
            // It cannot end before it is killed: its answers have no room.
            let worker = try WorkerProcess(tool, ["--skip-existing", "--concurrency", "2"], outputBytes: 4096)
            for line in jobs { #expect(worker.offer(line)) }
            var answers = try await worker.answers(moment)
            worker.signal(SIGKILL)
            #expect(try await worker.status() == -SIGKILL)
            answers += try await worker.answers()
            #expect(answers.count >= moment && answers.count < count, "\(answers.count)")
            let left = tool.names("out")
            let bytes = 54 + 150 * 600
            for name in left where name.hasSuffix(".bmp") { #expect(try tool.read("out/" + name).count == bytes, "\(name)") }
            let second = try await work(jobs, "--skip-existing")
            #expect(second.status == 0 && second.objects.count == count)
            let skipped = second.objects.filter { $0["skipped"] as? Bool == true }.compactMap { $0["id"] as? Int }
            // Those that it answered, and at most two that it had finished and not answered.
            let answered = Set(answers.compactMap { $0["id"] as? Int })
            #expect(answered.isSubset(of: skipped) && skipped.count <= answered.count + 2)
            #expect((0..<count).allSatisfy { tool.names("out").contains("\($0).bmp") })
        }

        @Test func closedStandardInputIsAFailure() async throws {
            let outcome = try await tool.shell("exec \"$0\" work <&-")
            #expect(outcome.status == 1)
            #expect(outcome.errors == "gannet: -: io: Standard input cannot be read: Bad file descriptor.\n")
        }
    }
#endif
