#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSharedCaches

    /// The fill levels of a service's queues and stores at one moment, for `/metrics`.
    struct ServiceStatistics: Sendable {
        var responsesInMemory: CacheUsage
        var imagesInMemory: CacheUsage
        /// Nil: there is no disk cache.
        var disk: CacheUsage?
        /// Requests that look for stored responses outside of memory, and those whose responses are rendered.
        var looking: Int
        var rendering: Int
        var downloads: Line
        /// With transforms and encodes, which share its queue.
        var decodes: Line
        /// Of the budget for decodes.
        var reservedBytes: Int
        var shared: [(name: String, counts: RemoteCounts)]
        /// Scopes that are remembered as purged; nil: nothing is purged here.
        var purgedScopes: Int?
        /// How long ago those of other machines were read, in milliseconds; nil: there are none.
        var purgesAge: Int64?
        /// Of the collector of traces; nil: there is none.
        var traces: RemoteCounts?
        /// Images made in one decode with others.
        var sharedDecodes = 0
        /// Nil: it has no limit.
        var memory: (plan: MemoryPlan, state: MemoryGuardState)?
        /// Nil where there is no `/proc`.
        var process: ProcessStatistics?
        /// Of the program; nil: unknown.
        var version: String?

        struct Line: Sendable {
            var running = 0
            var waiting = 0
        }
    }

    extension ThumbnailService {
        func statistics(_ configuration: Configuration) async -> ServiceStatistics {
            let kept = memory.kept
            let (gate, slots) = (manager.decodeGate, manager.fetcher.slots)
            return ServiceStatistics(
                responsesInMemory: CacheUsage(count: kept.count, bytes: kept.bytes),
                imagesInMemory: manager.configuration.memoryCache?.usage ?? CacheUsage(count: 0, bytes: 0),
                disk: try? await manager.configuration.diskCache?.usage(), looking: looking.count, rendering: rendering.count,
                downloads: ServiceStatistics.Line(running: slots.runningCount, waiting: slots.waitingCount),
                decodes: ServiceStatistics.Line(running: gate.runningCount, waiting: gate.waitingCount),
                reservedBytes: manager.budget.usedBytes, shared: shared.counts,
                purgedScopes: purges?.log.count, purgesAge: purges?.age?.wholeMilliseconds, traces: traces?.counts,
                sharedDecodes: manager.sharedDecodeCount, memory: guarding.map { ($0.plan, $0.current) },
                process: (try? await BlockingExecutor.files.run { () throws(ImageError) in ProcessStatistics.read() }) ?? nil,
                version: configuration.version)
        }
    }
#endif
