#if HTTP
    import BenchmarkSupport
    import Gannet
    import GannetCore
    import GannetPipeline

    /// Plays a file in real time, as a view does, and tells the processor time of each second of the clip.
    @MainActor func playAnimation(path: String, seconds: Double) async throws {
        var options = StandardOptions()
        options.cacheDirectory = nil
        let manager = ImageManager(configuration: try .standard(options))
        let picture = try await manager.image(for: .file(path))
        guard case .animated(let animation) = picture.image, let player = AnimationPlayer(animation, onFrameReady: {}) else {
            throw ImageError(.unsupported, "\(path) is no animation")
        }
        let (cpu, start) = (processorTime(), wallTime())
        func now() -> Duration { .microseconds(Int((wallTime() - start) * 1000)) }
        player.start(at: now())
        var frames = 0
        while wallTime() - start < seconds * 1000 {
            let tick = player.tick(at: now())
            if tick.isNew { frames += 1 }
            // A display's tick: 60 Hz.
            try await Task.sleep(for: .microseconds(16_667))
        }
        let wall = wallTime() - start
        report(
            "a second of \(path.split(separator: "/").last ?? "")", group: "animation", pictures: frames,
            cpu: (processorTime() - cpu) * 1000 / wall, wall: 1000)
    }
#endif
