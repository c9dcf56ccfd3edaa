#if CommandLine && GTK
    import ArgumentParser
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetGTK
    import GannetImages
    import GannetPlatform
    import GannetSandbox
    import GannetTesting
    import GannetViews
    import Synchronization

    /// Shows a huge file in the window of `gannet view`, zooms and pans, and prints what that costs.
    struct ZoomCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "zoom", abstract: "Shows a file in a window, zooms and pans, and says what that costs, as JSON.")

        @Argument var path: String
        @Option(help: "Places of each zoom.") var count = 40
        @Flag(help: "Decodes in worker processes, whose costs count.") var sandbox = false

        func run() async throws {
            // As `gannet view` does.
            FreedMemory.keepOneArena(forEachOf: BlockingExecutor.processorCount)
            FreedMemory.returnLargePieces()
            let usage = WholeUsage()
            defer { usage.end() }
            var configuration = ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([FileLoader()]),
                coders: CodersManager(BuiltInCoders.all))
            if sandbox { configuration.useSandbox() }
            let job = ZoomJob(path, count, usage, ImageManager(configuration: configuration))
            guard await GTKLoop.runOnOwnThread({ job.start() }) else {
                Lines.warn("gannet-lab: There is no display. Set DISPLAY.")
                throw ExitCode.failure
            }
            guard let fields = job.fields.withLock({ $0 }) else { throw ExitCode.failure }
            Lines.print("{" + fields.joined(separator: ", ") + "}")
        }
    }

    private final class ZoomJob: Sendable {
        private let path: String
        private let count: Int
        private let usage: WholeUsage
        private let manager: ImageManager
        private let clock = SystemTimeSource()
        let fields = Mutex<[String]?>(nil)

        init(_ path: String, _ count: Int, _ usage: WholeUsage, _ manager: ImageManager) {
            (self.path, self.count, self.usage, self.manager) = (path, count, usage, manager)
        }

        @GTKActor func start() {
            var request = ImageRequest(.file(path))
            request.decode.limits = DecodeLimits(maximumPixels: .max, maximumEncodedBytes: .max)
            var options = GalleryWindow.Options()
            (options.width, options.height) = (1280, 800)
            let window = GalleryWindow("zoom", items: [GalleryItem(request)], manager: manager, options: options)
            let (began, used) = (clock.uptime, usage.used)
            let before = usage.memory()
            window.present()
            // Ends with the window that it moves.
            Task {
                await measure(window, began, used, before)
                GTKLoop.quit()
            }
        }

        @GTKActor private func measure(_ window: GalleryWindow, _ began: Duration, _ used: Duration, _ before: String) async {
            let zoom = window.zoom
            guard await until({ zoom.view.gannet.image != nil }) else { return }
            var fields = ["\"window_memory\": \(before)"]
            fields.append("\"first_pixels\": \(Costs.json([(usage.used - used, clock.uptime - began)]))")
            fields.append("\"first_pixels_memory\": \(usage.memory())")
            await rest()
            fields.append("\"rest_memory\": \(usage.memory())")
            var random = SeededGenerator(seed: 1)
            for (name, factor) in [("1", 1.0), ("half", 0.5), ("quarter", 0.25)] {
                let (old, began, used) = (zoom.tiles?.wanted ?? [], clock.uptime, usage.used)
                zoom.setZoom(factor)
                guard await until({ isComplete(zoom, unlike: old) }) else { return }
                if factor == 1 {
                    // The lower right corner: all of the file is read.
                    let middle = zoom.tiles?.wanted ?? []
                    zoom.scroll(toX: 1, y: 1)
                    guard await until({ isComplete(zoom, unlike: middle) }) else { return }
                    fields.append("\"index\": \(Costs.json([(usage.used - used, clock.uptime - began)]))")
                    fields.append("\"index_memory\": \(usage.memory())")
                }
                var (places, tiles): ([Costs.One], [Costs.One]) = ([], [])
                for _ in 0..<count {
                    let (old, began, used) = (zoom.tiles?.wanted ?? [], clock.uptime, usage.used)
                    zoom.scroll(toX: Double.random(in: 0...1, using: &random), y: Double.random(in: 0...1, using: &random))
                    guard await until({ isComplete(zoom, unlike: old) }) else { return }
                    let cost = (processor: usage.used - used, clock: clock.uptime - began)
                    places.append(cost)
                    let new = Set(zoom.tiles?.wanted ?? []).subtracting(old).count
                    tiles.append((cost.processor / max(new, 1), cost.clock / max(new, 1)))
                }
                let figures = [
                    "\"place\": \(Costs.json(places))", "\"tile\": \(Costs.json(tiles))", "\"memory\": \(usage.memory())",
                ]
                fields.append("\"zoom_\(name)\": {\(figures.joined(separator: ", "))}")
            }
            self.fields.withLock { $0 = fields }
        }

        @GTKActor private func isComplete(_ zoom: ZoomView, unlike old: [TileGrid.Tile]) -> Bool {
            zoom.tiles.map { $0.wanted != old && $0.isComplete } ?? false
        }

        /// Until what else the window reads of the file is there: a user is slower.
        @GTKActor private func rest() async {
            var last = Duration.zero
            while usage.used - last > .milliseconds(100) {
                last = usage.used
                try? await clock.sleep(for: .milliseconds(300))
            }
        }

        /// False: not within two minutes.
        @GTKActor private func until(_ condition: @GTKActor () -> Bool) async -> Bool {
            let end = clock.uptime + .seconds(120)
            while clock.uptime < end {
                if condition() { return true }
                try? await clock.sleep(for: .milliseconds(1))
            }
            Lines.warn("gannet-lab: \(path) was not shown.")
            return false
        }
    }
#endif
