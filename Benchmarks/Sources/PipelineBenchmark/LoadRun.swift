#if HTTP
    import BenchmarkSupport
    import Gannet
    import GannetCore
    import GannetImages

    func makeManager(cache: String) throws -> ImageManager {
        var options = StandardOptions()
        options.cacheDirectory = cache
        options.diskLimit = 8 << 30
        return ImageManager(configuration: try .standard(options))
    }

    /// A line of results with what only whole runs have.
    func report(_ name: String, group: String = "pipeline", pictures: Int, cpu: Double, wall: Double, more: String = "") {
        print(
            "{\"group\": \"\(group)\", \"case\": \"\(name)\", \"program\": \"gannet\", \"cpu_ms\": \(cpu), \"wall_ms\": \(wall), "
                + "\"pictures\": \(pictures), \"peak_mib\": \(peakMemory())\(more)}")
    }

    /// `count` requests for thumbnails, `atOnce` of them in flight.
    struct LoadRun {
        var stage: String
        var base: String
        var count: Int
        /// How many different files the server has; further requests differ in their query.
        var distinct: Int
        var atOnce: Int
        var cache: String

        func url(_ index: Int) -> ImageRequest {
            let query = count > distinct ? "?n=\(index)" : ""
            return ImageRequest(ImageSource("\(base)/\(index % distinct).jpg\(query)"), .fit(256, 256))
        }

        func run() async throws {
            let manager = try makeManager(cache: cache)
            if stage == "memory" { try await pass(manager) }
            // As the peers have their addresses, and views what they show.
            let requests = stage == "memory" ? (0..<count).map(url) : []
            let (cpu, wall) = (processorTime(), wallTime())
            if stage == "memory" {
                for request in requests where manager.cachedImage(for: request) == nil {
                    throw ImageError(.cacheMiss, "\(request.source.redactedDescription) is not in memory")
                }
            } else {
                try await pass(manager)
            }
            report(
                "\(stage), \(count) pictures, \(atOnce) at once", pictures: count, cpu: processorTime() - cpu,
                wall: wallTime() - wall)
        }

        private func pass(_ manager: ImageManager) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    if index >= atOnce { try await group.next() }
                    let request = url(index)
                    group.addTask {
                        let picture = try await manager.image(for: request)
                        guard max(picture.size.width, picture.size.height) == 256 else {
                            throw ImageError(.corrupt, "a thumbnail of \(picture.size)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await manager.waitForStores()
        }
    }
#endif
