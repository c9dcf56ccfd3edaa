#if CommandLine && Server
    import Gannet
    import GannetCore
    import GannetPlatform
    import GannetServer
    import GannetSupport
    import Glibc
    import NIOCore
    import NIOPosix

    /// From the options to the end of the server.
    extension ServeCommand {
        /// Explains why the server cannot listen there, and what to change.
        static func reason(_ error: any Error, host: String, port: Int) -> String {
            guard let error = error as? IOError else {
                return "There is no address for \(host). Choose another --host."
            }
            let option = error.errnoCode == EADDRNOTAVAIL ? "--host" : "--port"
            return
                "\(host):\(port) cannot be listened on: \(String(cString: strerror(error.errnoCode))). Choose another \(option)."
        }

        func serve(_ keys: SigningKeys?, _ presets: Presets) async throws(ImageError) {
            let metrics = ServiceMetrics()
            let stores = try shared.stores { Console.warn($0) }
            let recorded = try shared.purges { Console.warn($0) }
            let purges = Purges(folder: cache.noCache ? nil : cache.folder.path, redis: recorded) { Console.warn($0) }
            let traces = try tracing.parts { Console.warn($0) }
            let serviceTracing = traces.map { ServiceTracing(tracer: $0.tracer) }
            let plan = try memoryPlan()
            limitWorkers(plan)
            let covering: (inout ManagerConfiguration) -> Void = {
                purges.cover(&$0)
                plan?.apply(to: &$0)
            }
            let manager = try Assembly.manager(
                cache: cache, limits: limits(under: plan),
                memory: MemoryCacheLimits(bytes: plan?.images ?? imageMemory ?? 32 << 20),
                concurrency: concurrency,
                perOrigin: min(downloadsPerHost, concurrency),
                policy: ThumbnailService.policy(defaultLifetime: maxAge.duration),
                originalsBehindDisk: shared.shareSources ? stores.s3.map { purges.shared($0) } : nil,
                covering: covering
            ) {
                $0.addressPolicy = addresses.policy
                $0.diskLimit = cacheLimit
                if let downloadMemory { $0.downloader.maximumUnusedBytes = downloadMemory }
                plan?.apply(to: &$0)
                $0.observers.append(metrics)
                if let serviceTracing { $0.observers.append(serviceTracing) }
                if tracing.traceSources, let tracer = traces?.tracer {
                    $0.transport = { TracingTransport($0, tracer: tracer) }
                }
            }
            let sandbox = manager.configuration.places.sandbox
            try await BlockingExecutor.decoding.run { () throws(ImageError) in sandbox?.warmUp() }
            if let formats { manager.configuration.coders.readableFormats = formats.formats }
            let memory = memoryGuard(plan, manager)
            var configuration = try await configuration(keys, presets, try sources.configured(shared), manager, memory)
            (configuration.shared, configuration.purges) = (stores, purges)
            await configuration.shared.check()
            await purges.start()
            configuration.traces = traces?.exporter
            let service = ThumbnailService(configuration, manager: manager, metrics: metrics, tracing: serviceTracing)
            let certificate = try certificate()
            let passed = try PassedSocket.take()
            let server = try await listen(service, certificate, passed, plan)
            let address = host.contains(":") ? "[\(host)]" : host
            let url =
                passed != nil
                ? "the socket that was passed"
                : connections.unixSocket.map { "unix:\($0)" }
                    ?? "\(certificate == nil ? "http" : "https")://\(address):\(server.port)"
            let started = writesJSON ? JSON.object([("ok", .bool(true)), ("url", .string(url))]).text : "Serving on \(url)"
            let hangups = Interrupt.hangups()
            let delay = TimeAmount(drainTime.duration)
            let end: @Sendable () -> Void = {
                service.drain()
                MultiThreadedEventLoopGroup.singleton.next().scheduleTask(in: delay) { server.stop() }
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await _ in hangups { await reload(service, certificate) }
                }
                group.addTask { await purges.run() }
                group.addTask { await service.guardMemory() }
                if let traces { group.addTask { await traces.exporter.run() } }
                await Interrupt.asking(to: end, patience: drainTime.duration + Self.ending) {
                    // Whoever reads this may send a signal at once, which would otherwise end the process without a drain.
                    Console.print(started)
                    try? await server.run()
                }
                group.cancelAll()
            }
            // Both have 2 s.
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await service.finishSharing() }
                if let traces { group.addTask { await traces.exporter.finish() } }
            }
            await Assembly.finish(manager)
        }

        /// After the drain: 4 s for answers that are under way, and 2 s each for what is still to be written to S3 and sent to a collector of
        /// traces, with some to spare.
        private static let ending = Duration.seconds(10)

        private func certificate() throws(ImageError) -> ServerCertificate? {
            guard let tlsCertificate, let tlsKey else { return nil }
            return try ServerCertificate(chain: WorkingFolder.absolute(tlsCertificate), key: WorkingFolder.absolute(tlsKey))
        }

        private func listen(
            _ service: ThumbnailService, _ certificate: ServerCertificate?, _ passed: CInt?, _ plan: MemoryPlan?
        ) async throws(ImageError) -> ThumbnailServer {
            let address: ThumbnailServer.Address =
                passed.map { .listening($0) } ?? connections.unixSocket.map { .unixSocket(WorkingFolder.absolute($0)) }
                ?? .host(host, port: port)
            let (accessLog, isTold) = (accessLog?.log, cache.logLevel >= .info)
            var log: (@Sendable (AccessLog.Entry) -> Void)?
            if accessLog != nil || isTold {
                log = { entry in
                    let presets = service.configuration.presets
                    if let accessLog { Console.print(accessLog.line(entry, presets: presets)) }
                    if isTold { Console.warn(AccessLog.combined.line(entry, presets: presets)) }
                }
            }
            var limits = connections.limits
            if let plan { (limits.unreadBytes, limits.connections) = (plan.unread, plan.maximumConnections) }
            do {
                return try await ThumbnailServer.start(
                    service, at: address, limits: limits, certificate: certificate, front: connections.front, log: log
                )
            } catch let error as ImageError {
                throw error
            } catch {
                let reason =
                    connections.unixSocket.map {
                        "\($0) cannot be listened on: its folder must exist, and allow it. Choose another --unix-socket."
                    }
                    ?? Self.reason(error, host: host, port: port)
                throw ImageError(error, code: .io, stage: .load, reason)
            }
        }

        /// Reads the files again that the options name. Where one is wrong, all stays as it is.
        private func reload(_ service: ThumbnailService, _ certificate: ServerCertificate?) async {
            do throws(ImageError) {
                var sources = service.configuration.sources
                sources.encryption = try self.sources.encryption()
                let configuration = try await configuration(
                    try signingKeys(), try namedPresets(), sources, service.manager, service.configuration.memory)
                try certificate?.reload()
                service.configuration = configuration
                Console.warn("serve: the configuration was read again.")
            } catch { Console.report(error, source: "serve: the configuration stays as it was") }
        }

        private func configuration(
            _ keys: SigningKeys?, _ presets: Presets, _ configured: ConfiguredSources, _ manager: ImageManager,
            _ memory: MemoryGuard?
        ) async throws(ImageError) -> ThumbnailService.Configuration {
            var configuration = ThumbnailService.Configuration(
                policy: SourcePolicy(hosts: allow.compactMap(SourcePolicy.host), keys: keys, allowsCostly: allowCostly))
            configuration.sources = configured
            configuration.presets = presets
            configuration.purgeKeys = try purging.keys
            if !prefer.isEmpty { configuration.preferredFormats = prefer.map(\.format) }
            configuration.readsClientHints = clientHints
            configuration.iiifBaseURL = iiif
            configuration.saveDataQuality = saveDataQuality
            configuration.usesLinearLight = linearLight
            configuration.toneMapping = toneMapping?.curve ?? .bt2390
            configuration.maximumSide = maxSide
            configuration.sizes = size.compactMap { PixelSize(width: $0.width, height: $0.height) }
            configuration.maximumRequests = maxRequests
            configuration.version = GannetCommand.version
            configuration.memory = memory
            let limits = limits(under: memory?.plan)
            let decodeTime = configuration.limits.maximumDecodeTime
            configuration.limits = limits.decodeLimits
            if limits.decodeTime == nil { configuration.limits.maximumDecodeTime = decodeTime }
            if limits.timeout != nil {
                let lowestRate = configuration.deadlines.lowestRate
                configuration.deadlines = limits.deadlines
                configuration.deadlines.lowestRate = lowestRate
            }
            if let bytes = memory?.plan.responses ?? answerMemory { configuration.responseBytes = bytes }
            configuration.showsMetrics = metrics
            if let watermark {
                configuration.watermark = try await manager.image(for: ImageRequest(WorkingFolder.absolute(watermark))).bitmap
            }
            if let fallbackImage {
                let path = WorkingFolder.absolute(fallbackImage)
                // Fails at once if it is no image.
                _ = try await manager.image(for: ImageRequest(path))
                let limit = limits.maxBytes
                configuration.fallback = try POSIXFileSystem().read(path, maximumBytes: limit, nofollow: false)
            }
            return configuration
        }
    }
#endif
