#if CommandLine
    import ArgumentParser
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSandbox
    import GannetTesting
    import GannetViews

    /// Decodes tiles of a huge file, as a view that zooms does, and prints what they cost.
    struct TilesCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tiles",
            abstract: "Decodes a file for a window, then tiles of it at random places, and says what that costs, as JSON.")

        @Argument var path: String
        @Option(help: "Decodes of each kind.") var count = 100
        @Flag(help: "Decodes in worker processes, whose costs count.") var sandbox = false

        func validate() throws { if count < 1 { throw ValidationError("--count must be at least 1.") } }

        func run() async throws {
            // As `gannet` does.
            FreedMemory.keepOneArena(forEachOf: BlockingExecutor.processorCount)
            let usage = WholeUsage()
            defer { usage.end() }
            var configuration = ManagerConfiguration(
                memoryCache: nil, diskCache: nil, loaders: LoadersManager([FileLoader()]),
                coders: CodersManager(BuiltInCoders.all))
            if sandbox { configuration.places = DecodePlaces(sandbox: SandboxPool.shared, isolation: .sandboxed) }
            let manager = ImageManager(configuration: configuration)
            var request = ImageRequest(.file(path))
            request.decode.limits = DecodeLimits(maximumPixels: .max, maximumEncodedBytes: .max)
            let size: PixelSize
            let (start, clock) = (usage.used, SystemTimeSource())
            let began = clock.uptime
            size = try await manager.image(for: request.with(.fit(1280, 800))).image.metadata.originalSize
            var fields = [("whole", Costs.json([(usage.used - start, clock.uptime - began)]))]
            fields.append(("whole_memory", usage.memory()))
            guard let regions = try await manager.regions(of: request) else { return }
            let grid = TileGrid(size)
            let all = grid.count(at: 0)
            let last = TileGrid.Tile(level: 0, column: all.columns - 1, row: all.rows - 1)
            func decode(_ tiles: [TileGrid.Tile]) async throws(ImageError) -> Costs.One {
                let (part, used, began) = (grid.part(of: tiles), usage.used, clock.uptime)
                _ = try await regions.bitmaps(of: part.region, at: part.size, cut: part.places)
                return (usage.used - used, clock.uptime - began)
            }
            fields.append(("first_tile", Costs.json([try await decode([last])])))
            fields.append(("first_tile_memory", usage.memory()))
            var random = SeededGenerator(seed: 1)
            for (level, together) in [(0, 1), (0, TileGrid.together), (1, 1), (1, TileGrid.together), (2, 1), (3, 1)] {
                let (columns, rows) = grid.count(at: level)
                // The image may be narrower than a pixel of the level.
                guard columns > 0, rows > 0 else { continue }
                var costs: [Costs.One] = []
                for _ in 0..<count {
                    let row = Int.random(in: 0..<rows, using: &random)
                    let first = Int.random(in: 0...max(columns - together, 0), using: &random)
                    let tiles = (first..<min(first + together, columns)).map {
                        TileGrid.Tile(level: level, column: $0, row: row)
                    }
                    costs.append(try await decode(tiles))
                }
                fields.append(("level_\(level)_tiles_\(together)", Costs.json(costs)))
            }
            fields.append(("tiles_memory", usage.memory()))
            Lines.print("{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}")
        }
    }
#endif
