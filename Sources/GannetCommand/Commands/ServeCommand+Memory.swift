#if CommandLine && Server
    import Gannet
    import GannetCore
    import GannetImages
    import GannetPlatform
    import GannetSandbox
    import GannetServer
    import GannetSupport

    /// One limit of memory for the whole service.
    extension ServeCommand {
        /// Nil where neither an option nor the system names a limit.
        func memoryPlan(_ system: SystemMemory = SystemMemory()) throws(ImageError) -> MemoryPlan? {
            guard let found = memoryLimit.map({ ($0, "--memory-limit") }) ?? MemoryPlan.limit(of: system) else { return nil }
            var (bytes, place) = found
            if memoryLimit == nil, bytes < MemoryPlan.minimum {
                Console.warn(
                    "serve: \(place) leaves less memory than the service needs. It may be ended when there is much to do; give it 128MiB or more."
                )
                bytes = MemoryPlan.minimum
            }
            var wishes = MemoryPlan.Wishes(limit: bytes, processors: BlockingExecutor.processorCount)
            (wishes.responses, wishes.images, wishes.downloads) = (answerMemory, imageMemory, downloadMemory)
            wishes.unread = connections.unreadMemory
            wishes.connections = ThumbnailServer.Limits().connections
            (wishes.downloadsAtOnce, wishes.fileBytes) = (concurrency, limits.maxBytes)
            // A decoder may need as much again as its image.
            wishes.decodeBytes = max(1 << 30, limits.largestImage.multipliedReportingOverflow(by: 2).partialValue)
            let plan = try MemoryPlan(wishes)
            Console.warn("serve: of \(place): \(plan.description).")
            return plan
        }

        /// The limits of each image, which are never more than there is for all.
        func limits(under plan: MemoryPlan?) -> LimitOptions {
            guard let plan else { return limits }
            var limits = limits
            limits.maxBytes = min(limits.maxBytes, plan.file)
            let isRaised = limits.largestImage > 0
            limits.maxMemory = min(limits.maxMemory, isRaised ? max(plan.decodes / 2, 1) : plan.decodes)
            return limits
        }

        /// Workers take their part of the plan from now on.
        func limitWorkers(_ plan: MemoryPlan?) {
            guard let plan else { return }
            SandboxPool.shared.limit(
                SandboxLimits(
                    keptPixels: plan.keptPixels, keptFile: min(4 << 20, plan.keptPixels), processBytes: plan.ofWorker,
                    idle: plan.decodesAtOnce))
        }

        func memoryGuard(_ plan: MemoryPlan?, _ manager: ImageManager) -> MemoryGuard? {
            guard let plan else { return nil }
            let (images, pool, sandbox) = (
                manager.configuration.memoryCache, manager.configuration.pool, manager.configuration.places.sandbox
            )
            let memory = ServiceMemory(limit: plan.limit) { sandbox?.processes ?? [] }
            let free: @Sendable () -> Void = {
                images?.trim(toFraction: 0)
                pool.trim()
                FreedMemory.returnAll()
            }
            return MemoryGuard(
                plan, measure: { memory.used },
                relief: MemoryGuard.Relief(
                    free: free,
                    rest: {
                        sandbox?.rest()
                        free()
                    }, endLargest: { sandbox?.endLargest(above: plan.decodes / plan.decodesAtOnce) ?? false }))
        }
    }

    extension MemoryPlan {
        /// The parts of a manager that are its share.
        func apply(to configuration: inout ManagerConfiguration) {
            (configuration.decodeBudget, configuration.concurrentDecodes) = (decodes, decodesAtOnce)
            configuration.pool = PixelPool(maximumIdleBytes: pixels / 2)
        }

        func apply(to options: inout StandardOptions) {
            // One host keeps its part of the downloads.
            let all = max(options.downloader.maximumConcurrentDownloads, 1)
            options.downloader.maximumPerOrigin = options.downloader.maximumPerOrigin.map { max($0 * downloadsAtOnce / all, 1) }
            options.downloader.maximumConcurrentDownloads = downloadsAtOnce
            options.downloader.maximumUnusedBytes = downloads / 2
            options.downloader.hardMaximumUnusedBytes = downloads
            // Each of these reads takes a whole file, whatever its size.
            options.downloader.maximumConcurrentReads = max(
                min(options.downloader.maximumConcurrentReads, downloads / max(file, 1)), 1)
        }
    }
#endif
