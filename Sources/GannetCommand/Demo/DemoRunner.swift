#if CommandLine && HTTP
    import Gannet
    import GannetCore
    import GannetImages
    import GannetSupport
    import Synchronization

    /// Loads thumbnails of the same images repeatedly, and measures.
    struct DemoRunner: Sendable {
        static let tile = PixelSize(clamping: 240, 180)
        /// Loads at once.
        static let concurrency = 8

        var urls: [String]
        var cacheFolder: String
        var limits: LimitOptions
        var progress: ProgressChoice

        /// A manager over the demo's cache folder, with counted disk accesses.
        struct Counted: Sendable {
            var manager: ImageManager
            fileprivate var disk: DiskWatch
        }

        func manager() throws(ImageError) -> Counted {
            let disk = DiskWatch()
            var options = StandardOptions()
            options.cacheDirectory = cacheFolder
            options.downloader.maximumConcurrentDownloads = Self.concurrency
            options.observers = [disk, EventPrinter(level: .warning)]
            return Counted(manager: try Assembly.manager(options), disk: disk)
        }

        func pass(_ name: String, _ counted: Counted, _ server: LoopbackServer) async throws(ImageError) -> DemoPass {
            let requestsBefore = server.requestCount
            let readsBefore = counted.disk.count
            var bar = ProgressBar(progress)
            let usage = ProcessUsage()
            let manager = counted.manager
            let urls = urls
            var results = [Result<LoadedImage, ImageError>?](repeating: nil, count: urls.count)
            await withTaskGroup(of: Finished.self) { group in
                var begun = 0
                var done = 0
                while done < urls.count {
                    while begun < urls.count, begun - done < Self.concurrency {
                        let index = begun
                        var request = ImageRequest(
                            ImageSource(urls[index]), .fit(DemoRunner.tile.width, DemoRunner.tile.height))
                        request.decode.limits = limits.decodeLimits
                        request.download.deadlines = limits.deadlines
                        group.addTask { [request] in await Finished(index, request, manager) }
                        begun += 1
                    }
                    guard let finished = await group.next() else { break }
                    results[finished.index] = finished.result
                    done += 1
                    bar.draw(Double(done) / Double(urls.count), "\(name)  \(done)/\(urls.count)")
                }
            }
            bar.clear()
            var pass = DemoPass(name: name, wall: usage.wall, cpuSeconds: usage.cpuSeconds, peakBytes: ProcessUsage.peakBytes)
            pass.requests = server.requestCount - requestsBefore
            pass.diskReads = counted.disk.count - readsBefore
            for (index, result) in results.enumerated() {
                guard let result else { throw .cancelled() }
                let loaded: LoadedImage
                do throws(ImageError) { loaded = try result.get() } catch {
                    // The address belongs to this process; the user knows the file.
                    throw ImageError(
                        error.code, stage: error.stage, "\(server.path(index)): \(error.message)", source: server.path(index))
                }
                pass.add(loaded, expectedBytes: server.bytes(index))
            }
            return pass
        }
    }

    /// The outcome for one image. A class: with a tuple of the same two values instead, and nothing else changed, an optimised
    /// build of Swift 6.3.1 loses the results.
    private final class Finished: Sendable {
        let index: Int
        let result: Result<LoadedImage, ImageError>

        init(_ index: Int, _ request: ImageRequest, _ manager: ImageManager) async {
            self.index = index
            do throws(ImageError) { result = .success(try await manager.image(for: request)) } catch { result = .failure(error) }
        }
    }

    /// The cost of one pass over all images.
    struct DemoPass: Sendable {
        var name: String
        var wall: Duration
        var cpuSeconds: Double
        var peakBytes: Int
        var requests = 0
        var diskReads = 0
        /// The encoded bytes of the image files.
        var bytes = 0
        var origins: [LoadedImage.Origin: Int] = [:]
        var tiles: [Bitmap] = []

        init(name: String, wall: Duration, cpuSeconds: Double, peakBytes: Int) {
            self.name = name
            self.wall = wall
            self.cpuSeconds = cpuSeconds
            self.peakBytes = peakBytes
        }

        var count: Int { tiles.count }

        mutating func add(_ loaded: LoadedImage, expectedBytes: Int) {
            tiles.append(loaded.bitmap)
            bytes += expectedBytes
            origins[loaded.origin, default: 0] += 1
        }

        private var perSecond: Double { Double(count) / max(wall.seconds, 1e-9) }

        private func hitRate(_ origin: LoadedImage.Origin) -> Double {
            Double(origins[origin, default: 0]) / Double(max(count, 1))
        }

        var json: JSON {
            .object([
                ("pass", .string(name)), ("count", .integer(count)), ("bytes", .integer(bytes)),
                ("seconds", .number(wall.seconds)),
                ("imagesPerSecond", .number(perSecond)), ("cpuSeconds", .number(cpuSeconds)), ("peakBytes", .integer(peakBytes)),
                ("requests", .integer(requests)), ("diskReads", .integer(diskReads)),
                ("memoryHitRate", .number(hitRate(.memory))), ("diskHitRate", .number(hitRate(.disk))),
            ])
        }

        static func table(_ passes: [DemoPass]) -> [String] {
            var table = Table(
                "PASS", "IMAGES", "OF FILES", "TIME", "IMAGES/S", "CPU S", "PEAK MEMORY", "REQUESTS", "DISK HITS", "MEMORY HITS")
            for pass in passes {
                table.add(
                    pass.name, String(pass.count), Readable.bytes(pass.bytes), Readable.time(pass.wall), pass.perSecond.fixed(0),
                    pass.cpuSeconds.fixed(2), Readable.bytes(pass.peakBytes), String(pass.requests),
                    (pass.hitRate(.disk) * 100).fixed(0) + " %", (pass.hitRate(.memory) * 100).fixed(0) + " %")
            }
            return table.lines
        }
    }

    /// Counts the lookups in the disk cache.
    private final class DiskWatch: LoadObserver {
        private let looks = Atomic(0)

        var count: Int { looks.load(ordering: .sequentiallyConsistent) }

        func note(_ id: LoadID?, _ event: LoadEvent) {
            switch event {
            case .diskHit, .diskMiss: looks.add(1, ordering: .sequentiallyConsistent)
            default: break
            }
        }

        func stageDidStart(_ id: LoadID, _ stage: LoadStage) {
            if stage == .cache { looks.add(1, ordering: .sequentiallyConsistent) }
        }
    }
#endif
