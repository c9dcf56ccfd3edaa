#if CommandLine
    import ArgumentParser
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport
    import GannetTesting
    import GannetViews

    /// Decodes tiles of a huge file, as a view that zooms does, and prints what they cost.
    struct TilesCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tiles",
            abstract: "Decodes a file for a window, then tiles of it at random places, and says what that costs, as JSON.")

        @Argument var path: String
        @Option(help: "Tiles of each level.") var count = 100

        func validate() throws { if count < 1 { throw ValidationError("--count must be at least 1.") } }

        func run() async throws {
            let manager = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: nil, loaders: LoadersManager([FileLoader()]),
                    coders: CodersManager(BuiltInCoders.all)))
            var request = ImageRequest(.file(path))
            request.decode.limits = DecodeLimits(maximumPixels: .max, maximumEncodedBytes: .max)
            let whole = try await Self.milliseconds { () throws(ImageError) in
                try await manager.image(for: request.with(.fit(1280, 800))).image.metadata.originalSize
            }
            guard let regions = try await manager.regions(of: request) else { return }
            let grid = TileGrid(whole.result)
            let last = TileGrid.Tile(
                level: 0, column: (whole.result.width - 1) / TileGrid.side, row: (whole.result.height - 1) / TileGrid.side)
            func decode(_ tile: TileGrid.Tile) async throws(ImageError) -> Double {
                let (region, target) = (grid.region(of: tile), grid.target(of: tile))
                return try await Self.milliseconds { () throws(ImageError) in
                    try await regions.bitmap(of: region, at: target)
                }.time
            }
            var fields = ["\"whole_ms\": \(Int(whole.time))", "\"first_tile_ms\": \(Int(try await decode(last)))"]
            var random = SeededGenerator(seed: 1)
            for level in 0...3 {
                var times: [Double] = []
                for _ in 0..<count {
                    times.append(
                        try await decode(
                            TileGrid.Tile(
                                level: level, column: Int.random(in: 0...last.column >> level, using: &random),
                                row: Int.random(in: 0...last.row >> level, using: &random))))
                }
                times.sort()
                fields.append(
                    "\"level_\(level)\": {\"median_ms\": \(Self.round(times[count / 2])), \"p95_ms\": \(Self.round(times[count * 95 / 100])), \"longest_ms\": \(Self.round(times[count - 1]))}"
                )
            }
            fields.append("\"peak_mib\": \(ProcessUsage.peakBytes >> 20)")
            Lines.print("{\(fields.joined(separator: ", "))}")
        }

        private static func round(_ value: Double) -> Double { (value * 10).rounded() / 10 }

        private static func milliseconds<R>(
            _ body: () async throws(ImageError) -> R
        ) async throws(ImageError) -> (result: R, time: Double) {
            let clock = SystemTimeSource()
            let start = clock.uptime
            let result = try await body()
            return (result, (clock.uptime - start) / .milliseconds(1))
        }
    }
#endif
