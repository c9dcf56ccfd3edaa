#if Server
    import GannetCore
    import GannetSharedCaches
    import Glibc

    /// Metrics in Prometheus' text format, version 0.0.4.
    struct PrometheusText {
        static let contentType = "text/plain; version=0.0.4; charset=utf-8"

        private(set) var text = ""

        init(_ counts: ServiceMetrics.Counts, _ statistics: ServiceStatistics) {
            let responses = counts.responses.map { kind, count in
                (#"origin="\#(kind.origin.rawValue)",status="\#(kind.status)""#, "\(count)")
            }
            add("gannet_requests_total", "counter", "Answers, by where they came from.", responses.sorted { $0.0 < $1.0 })
            addSeconds(counts)
            add("gannet_requests_running", "gauge", "Requests that are being answered.", counts.running)
            add("gannet_sent_bytes_total", "counter", "Bytes of bodies.", counts.sentBytes)
            add("gannet_downloads_total", "counter", "Downloads of sources that ended well.", counts.downloads)
            add("gannet_downloads_failed_total", "counter", "Downloads of sources that failed.", counts.failedDownloads)
            add("gannet_downloaded_bytes_total", "counter", "Bytes of sources.", counts.downloadedBytes)
            add("gannet_decodes_total", "counter", "Images decoded.", counts.decodes)
            add("gannet_decodes_shared_total", "counter", "Images made in one decode with other sizes.", statistics.sharedDecodes)
            add("gannet_answers_kept", "gauge", "Answers in memory.", statistics.responsesInMemory.count)
            add("gannet_answers_kept_bytes", "gauge", "Memory of these answers.", statistics.responsesInMemory.bytes)
            add(
                "gannet_cache_degraded", "gauge", "1 while the folder of the cache cannot be used.",
                counts.isCacheDegraded ? 1 : 0)
            addLines(statistics)
            addStores(statistics)
            if !statistics.shared.isEmpty { add(statistics.shared) }
            if let scopes = statistics.purgedScopes {
                add("gannet_purged_scopes", "gauge", "Sources, prefixes and tags that are remembered as purged.", scopes)
            }
            if let age = statistics.purgesAge {
                add(
                    "gannet_purges_read_seconds", "gauge", "How long ago the purges of other services were read.",
                    [("", "\(Double(age) / 1000)")])
            }
            if let traces = statistics.traces { add(traces: traces) }
            if let memory = statistics.memory { add(memory.plan, memory.state) }
            if let process = statistics.process { add(process) }
            if let version = statistics.version {
                add("gannet_build_info", "gauge", "1; the labels say which build this is.", [("version=\"\(version)\"", "1")])
            }
        }

        private mutating func addLines(_ statistics: ServiceStatistics) {
            add("gannet_lookups_running", "gauge", "Requests that look for answers outside of memory.", statistics.looking)
            add("gannet_makings_running", "gauge", "Requests whose answers are made, or wait to be.", statistics.rendering)
            func line(_ name: String, _ what: String, _ line: ServiceStatistics.Line) {
                let values = [(#"state="running""#, "\(line.running)"), (#"state="waiting""#, "\(line.waiting)")]
                add(name, "gauge", what, values)
            }
            line("gannet_downloads", "Downloads at work, and those that wait for a place.", statistics.downloads)
            line("gannet_pixel_jobs", "Decodes, transforms and encodes, and those that wait for a place.", statistics.decodes)
            add("gannet_decode_reserved_bytes", "gauge", "Memory that decodes have reserved.", statistics.reservedBytes)
        }

        private mutating func addStores(_ statistics: ServiceStatistics) {
            var stores = [("images", statistics.imagesInMemory), ("answers", statistics.responsesInMemory)]
            if let disk = statistics.disk { stores.append(("disk", disk)) }
            func values(_ value: KeyPath<CacheUsage, Int>) -> [(String, String)] {
                stores.map { (#"cache="\#($0.0)""#, "\($0.1[keyPath: value])") }
            }
            add(
                "gannet_cache_entries", "gauge", "Entries: decoded images, answers, and both with sources on disk.",
                values(\.count))
            add("gannet_cache_bytes", "gauge", "Bytes of these entries.", values(\.bytes))
        }

        private mutating func add(_ shared: [(name: String, counts: RemoteCounts)]) {
            func lines(_ values: [(String, KeyPath<RemoteCounts, Int>)]) -> [(String, String)] {
                shared.flatMap { store in
                    values.map { (#"store="\#(store.name)",result="\#($0.0)""#, "\(store.counts[keyPath: $0.1])") }
                }
            }
            add(
                "gannet_shared_lookups_total", "counter", "What was looked for in a shared store.",
                lines([("hit", \.hits), ("miss", \.misses), ("skipped", \.skipped)]))
            add(
                "gannet_shared_puts_total", "counter", "What was put into a shared store, or was to be.",
                lines([("stored", \.stored), ("outdated", \.outdated), ("dropped", \.dropped)]))
            add(
                "gannet_leases_total", "counter", "Answers that this service had the right to make for all.",
                shared.reduce(0) { $0 + $1.counts.leases })
            let labels = shared.map { #"store="\#($0.name)""# }
            add(
                "gannet_shared_failures_total", "counter", "Questions to a shared store that failed.",
                Array(zip(labels, shared.map { "\($0.counts.failures)" })))
            add(
                "gannet_shared_open", "gauge", "1 while a shared store, or a node of it, is left alone because it failed.",
                Array(zip(labels, shared.map { $0.counts.isOpen ? "1" : "0" })))
        }

        private mutating func add(traces: RemoteCounts) {
            add(
                "gannet_trace_spans_total", "counter", "Spans for the collector of traces.",
                [(#"result="sent""#, "\(traces.stored)"), (#"result="dropped""#, "\(traces.dropped)")])
            add("gannet_trace_failures_total", "counter", "Batches of spans that the collector did not take.", traces.failures)
            add(
                "gannet_trace_open", "gauge", "1 while the collector of traces is left alone because it failed.",
                traces.isOpen ? 1 : 0)
        }

        private mutating func add(_ plan: MemoryPlan, _ memory: MemoryGuardState) {
            add("gannet_memory_limit_bytes", "gauge", "Memory that the service and its workers may use.", memory.limit)
            add(
                "gannet_memory_used_bytes", "gauge", "Memory that they use, or that their control group is short of.", memory.used
            )
            add("gannet_memory_peak_bytes", "gauge", "The most of it so far.", memory.peak)
            add("gannet_memory_short", "gauge", "1 while new images are refused for want of memory.", memory.isShort ? 1 : 0)
            add("gannet_memory_refused_total", "counter", "Requests refused for want of memory.", memory.refused)
            add(
                "gannet_memory_ended_workers_total", "counter", "Workers ended because they took more than they had reserved.",
                memory.endedWorkers)
            add(
                "gannet_memory_part_bytes", "gauge", "How the limit is divided.",
                plan.parts.map { (#"part="\#($0.name)""#, "\($0.bytes)") })
        }

        private mutating func addSeconds(_ counts: ServiceMetrics.Counts) {
            let name = "gannet_request_seconds"
            var lines: [(String, String, String)] = []
            for (origin, histogram) in counts.seconds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                let label = #"origin="\#(origin.rawValue)""#
                var sum = 0
                for (bound, count) in zip(Histogram.bounds, histogram.buckets) {
                    sum += count
                    lines.append((name + "_bucket", label + #",le="\#(bound)""#, "\(sum)"))
                }
                lines.append((name + "_bucket", label + #",le="+Inf""#, "\(histogram.count)"))
                lines.append((name + "_sum", label, "\(histogram.sum)"))
                lines.append((name + "_count", label, "\(histogram.count)"))
            }
            head(name, "histogram", "Time until an answer is ready to be sent.")
            for line in lines { text += "\(line.0){\(line.1)} \(line.2)\n" }
        }

        /// The names that Prometheus' own client libraries use.
        private mutating func add(_ process: ProcessStatistics) {
            func seconds(_ name: String, _ kind: String, _ help: String, _ value: Double) {
                add(name, kind, help, [("", "\(value)")])
            }
            seconds(
                "process_cpu_seconds_total", "counter", "Processor time, with that of decoding workers.", process.processorSeconds
            )
            seconds("gannet_workers_cpu_seconds_total", "counter", "The part of decoding workers.", process.workerSeconds)
            add("process_resident_memory_bytes", "gauge", "Memory, without that of decoding workers.", process.residentBytes)
            add("gannet_workers_resident_memory_bytes", "gauge", "Memory of decoding workers.", process.workerResidentBytes)
            add("process_virtual_memory_bytes", "gauge", "Addresses in use.", process.virtualBytes)
            add("process_open_fds", "gauge", "Open descriptors.", process.openFiles)
            add("process_max_fds", "gauge", "Descriptors at most.", process.maximumFiles)
            seconds("process_start_time_seconds", "gauge", "When the process began, since 1970.", process.startSeconds)
            var usage = rusage()
            guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
            add("process_max_resident_memory_bytes", "gauge", "The most memory so far.", Int(usage.ru_maxrss) * 1024)
        }

        private mutating func add(_ name: String, _ kind: String, _ help: String, _ value: Int) {
            add(name, kind, help, [("", "\(value)")])
        }

        /// Labels and values.
        private mutating func add(_ name: String, _ kind: String, _ help: String, _ values: [(String, String)]) {
            head(name, kind, help)
            for (labels, value) in values { text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(value)\n" }
        }

        private mutating func head(_ name: String, _ kind: String, _ help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        }
    }
#endif
