#if HTTP
    import BenchmarkSupport
    import Gannet
    import GannetCore
    import GannetImages
    import GannetViews

    /// Plays a file in real time, as a view does, and prints the processor time of each second of the animation.
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
            // As in views: nothing happens until a frame is due. A frame that is not decoded yet is polled at 60 Hz.
            let rest = tick.isWaiting ? nil : tick.wake.map { $0 - now() }
            try await Task.sleep(for: max(rest ?? .microseconds(16_667), .microseconds(100)))
        }
        let wall = wallTime() - start
        report(
            "a second of \(path.split(separator: "/").last ?? "")", group: "animation", pictures: frames,
            cpu: (processorTime() - cpu) * 1000 / wall, wall: 1000)
    }
#endif
