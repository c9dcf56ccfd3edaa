#if CommandLine && Server && PNG
    import Gannet
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
            return ThumbnailService(configuration, manager: manager, metrics: metrics)
        }

        private func get(_ service: ThumbnailService, _ target: String) async -> (status: Int, text: String) {
            let answer = await service.answer(ThumbnailService.Request(method: "GET", target: target, headers: []))
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
                "gannet_decodes_total 1", "gannet_answers_kept 1", "gannet_requests_running 1", "gannet_cache_degraded 0",
                "gannet_downloads_total 1",
            ] {
                #expect(lines.contains(line), "\(line)\n\(text)")
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

        @Test func timesAreCountedUpToTheirBound() {
            var histogram = Histogram()
            for milliseconds in [1, 2, 5, 6, 10_000, 10_001] { histogram.add(.milliseconds(milliseconds)) }
            #expect(histogram.buckets == [1, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1])
            #expect(histogram.count == 6 && abs(histogram.sum - 20.015) < 1e-9)
        }
    }
#endif
