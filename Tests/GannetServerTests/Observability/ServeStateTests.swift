#if CommandLine && Server && PNG
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Questions of operators: whether a service is ready, and how much it has done.
    struct ServeStateTests {
        let metrics = ServiceMetrics()
        let manager: ImageManager

        init() throws {
            var options = StandardOptions()
            options.cacheDirectory = nil
            options.observers = [metrics]
            manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
        }

        private func service(showsMetrics: Bool = true) -> ThumbnailService {
            var configuration = ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"]))
            configuration.showsMetrics = showsMetrics
            configuration.version = "7"
            return ThumbnailService(configuration, manager: manager, metrics: metrics)
        }

        private func get(_ service: ThumbnailService, _ target: String) async -> (status: Int, text: String) {
            let answer = await service.respond(to: ThumbnailService.Request(method: "GET", target: target, headers: []))
            return (answer.status, String(decoding: answer.body, as: UTF8.self))
        }

        @Test func whoeverBalancesIsToldBeforeTheEnd() async {
            let service = service()
            #expect(await get(service, "/ready") == (200, "ok\n"))
            metrics.note(nil, .cacheDegraded("no space"))
            #expect(await get(service, "/ready").status == 503)
            #expect(await get(service, "/health").status == 200)
            metrics.note(nil, .cacheRecovered)
            #expect(await get(service, "/ready").status == 200)
            service.drain()
            #expect(await get(service, "/ready") == (503, "draining\n"))
            #expect(await get(service, "/health").status == 200)
        }

        @Test func everyAnswerIsCounted() async throws {
            let png = try Samples.png()
            let server = PictureServer { head in
                head.contains(" /missing ")
                    ? PictureServer.response("404 Not Found") : PictureServer.picture(png)(head)
            }
            let service = service()
            let target = "/12x12/fit?url=\(server.url("/a.png"))"
            for _ in 0..<3 { #expect(await get(service, target).status == 200) }
            #expect(await get(service, "/12x12/fit?url=\(server.url("/missing"))").status == 404)
            #expect(await get(service, "/nothing").status == 400)
            let text = await get(service, "/metrics").text
            let lines = Set(text.split(separator: "\n").map { String($0) })
            for line in [
                #"gannet_requests_total{origin="made",status="200"} 1"#,
                #"gannet_requests_total{origin="memory",status="200"} 2"#,
                #"gannet_requests_total{origin="failed",status="404"} 1"#,
                #"gannet_requests_total{origin="service",status="400"} 1"#,
                #"gannet_request_seconds_count{origin="memory"} 2"#,
                #"gannet_request_seconds_bucket{origin="memory",le="+Inf"} 2"#,
                "gannet_decodes_total 1", "gannet_decodes_shared_total 0", "gannet_answers_kept 1", "gannet_requests_running 1",
                "gannet_cache_degraded 0",
                "gannet_downloads_total 1", #"gannet_cache_entries{cache="answers"} 1"#,
                #"gannet_cache_entries{cache="images"} 1"#,
                "gannet_makings_running 0", "gannet_lookups_running 0", #"gannet_downloads{state="waiting"} 0"#,
                #"gannet_pixel_jobs{state="waiting"} 0"#, "gannet_decode_reserved_bytes 0", #"gannet_build_info{version="7"} 1"#,
            ] {
                #expect(lines.contains(line), "\(line)\n\(text)")
            }
            // What dashboards for any program look for.
            for name in [
                "process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes", "process_open_fds",
                "process_max_fds", "process_start_time_seconds",
            ] {
                let value = lines.first { $0.hasPrefix(name + " ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
                #expect(value.map { $0 > 0 } == true, "\(name)")
            }
            #expect(await get(self.service(showsMetrics: false), "/metrics").status == 400)
        }

        /// The format of Prometheus' documentation: each family once, with its help and type before its values.
        @Test func theTextIsWellFormed() async {
            let service = service()
            _ = await get(service, "/health")
            let text = await get(service, "/metrics").text
            var family = ""
            var families: Set<String> = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                let words = line.split(separator: " ")
                if line.hasPrefix("# HELP ") {
                    family = String(words[2])
                    #expect(families.insert(family).inserted)
                } else if line.hasPrefix("# TYPE ") {
                    #expect(words.count == 4 && words[2] == family)
                } else {
                    #expect(line.hasPrefix(family) && words.count == 2 && Double(words[1]) != nil, "\(line)")
                }
            }
            #expect(text.hasSuffix("\n") && families.count > 10)
        }

        /// proc(5): the name of a process may look like the fields behind it.
        @Test func statesOfProcessesAreRead() throws {
            let rest = "S 7 1 1 0 -1 4194304 90 80 0 0 250 50 30 20 20 0 5 0 123456 1048576 300 18446744073709551615 1 1"
            let status = try #require(ProcessStatus(parsing: "42 (a) R 9 (b)) \(rest)\n"))
            #expect(status.parent == 7 && status.ownTicks == 300 && status.endedTicks == 50)
            #expect(status.startTicks == 123456 && status.virtualBytes == 1_048_576 && status.residentPages == 300)
            for wrong in ["", "42 (a", "42 (a) S 7", "42 (a) " + rest.replacing(" 250 ", with: " x ")] {
                #expect(ProcessStatus(parsing: wrong) == nil, "\(wrong)")
            }
        }

        /// Those of workers too, whose starter is a process of its own, and nobody else's.
        @Test func workersAreDescendants() throws {
            func process(_ parent: Int, _ ticks: Int) throws -> ProcessStatus {
                let line = "1 (a) S \(parent) 1 1 0 -1 0 0 0 0 0 \(ticks) 0 0 0 20 0 5 0 1 1 1"
                return try #require(ProcessStatus(parsing: line))
            }
            let all = [
                2: try process(1, 1), 3: try process(2, 10), 4: try process(2, 100), 5: try process(1, 1000),
                9: try process(9, 5),
            ]
            func ticks(_ root: Int) -> Int { ProcessStatus.descendants(of: root, in: all).reduce(0) { $0 + $1.ownTicks } }
            #expect(ticks(2) == 110 && ticks(1) == 1111 && ticks(3) == 0 && ticks(9) == 0)
        }

        @Test func timesAreCountedUpToTheirBound() {
            var histogram = Histogram()
            for milliseconds in [1, 2, 5, 6, 10_000, 10_001] { histogram.add(.milliseconds(milliseconds)) }
            #expect(histogram.buckets == [1, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1])
            #expect(histogram.count == 6 && abs(histogram.sum - 20.015) < 1e-9)
        }
    }
#endif
