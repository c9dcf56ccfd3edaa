#if HTTP
    import BenchmarkSupport
    import GannetCore
    import GannetImages
    import Synchronization

    /// Counts decodes that ran to their end.
    final class DecodeCounter: LoadObserver {
        let finished = Mutex(0)
        func stageDidEnd(_ id: LoadID, _ stage: LoadStage, error: ImageError?) {
            if stage == .decode, error == nil { finished.withLock { $0 += 1 } }
        }
    }

    /// A list that scrolls by: 60 new cells a second, 40 on screen; a cell that leaves cancels its load.
    func scrollGallery(base: String, distinct: Int, requests: Int, cache: String) async throws {
        let counter = DecodeCounter()
        var configuration = try makeManager(cache: cache).configuration
        configuration.observers = [counter]
        let manager = ImageManager(configuration: configuration)
        var window: [ImageTask] = []
        var (late, shown, longest) = (0, 0, 0.0)
        let (cpu, start) = (processorTime(), wallTime())
        for index in 0..<requests {
            let frame = wallTime()
            window.append(
                manager.task(for: ImageRequest(ImageSource("\(base)/\(index % distinct).jpg?g=\(index)"), .fit(256, 256))))
            if window.count > 40 {
                let leaving = window.removeFirst()
                if case .success = leaving.result { shown += 1 }
                leaving.cancel()
            }
            let spent = wallTime() - frame
            longest = max(longest, spent)
            let due = start + Double(index + 1) * 1000 / 60
            if wallTime() > due { late += 1 } else { try await Task.sleep(for: .milliseconds(due - wallTime())) }
        }
        for task in window {
            _ = try? await task.value
            shown += 1
        }
        let (wall, used) = (wallTime() - start, processorTime() - cpu)
        let decoded = counter.finished.withLock { $0 }
        report(
            "\(requests) cells, 60 a second, 40 on screen", group: "gallery", pictures: shown, cpu: used, wall: wall,
            more: ", \"late\": \(late), \"for_nobody\": \(max(0, decoded - shown)), \"longest_frame_ms\": \(longest)")
    }
#endif
