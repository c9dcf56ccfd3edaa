import CGTKBench
import FrameWork
import Gannet
import GannetGTK
import GannetPlatform
import Glibc

/// One scroll through a wall.
@GTKActor final class WallRun {
    private let gallery: GalleryWindow
    private let way: Way
    private let decodes: Decodes
    private let count: Int

    init(_ items: [GalleryItem], _ way: Way, _ decodes: Decodes) {
        var options = GalleryWindow.Options()
        (options.width, options.height) = (1280, 800)
        gallery = GalleryWindow("Wall", items: items, manager: .shared, options: options)
        (self.way, self.decodes, count) = (way, decodes, items.count)
        gallery.present()
    }

    func measure(screenshot: String?) async {
        let time = SystemTimeSource()
        while !gallery.isSettled { try? await time.sleep(for: .milliseconds(50)) }
        guard let wall = gallery.scroller, let clock = gtk_widget_get_frame_clock(wall.assumingMemoryBound(to: GtkWidget.self))
        else {
            WallBenchmark.fail("the wall has no frame clock")
        }
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(wall))
        let work = FrameWork(clock, isContinuous: true)
        let before = decodes.now
        var elapsed = 0.0
        var seen = 0
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            work.onFrame = { [way, gallery] seconds in
                elapsed += seconds
                let last = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
                guard let place = way.place(after: elapsed, end: last) else {
                    work.onFrame = nil
                    return end.resume()
                }
                gtk_adjustment_set_value(adjustment, place)
                seen = max(seen, gallery.cells.visiblePositions.upperBound)
            }
        }
        let (frames, intervals) = (work.frames, work.intervals)
        // What was asked for last still arrives.
        while !gallery.isSettled { try? await time.sleep(for: .milliseconds(50)) }
        report(frames, intervals, seconds: elapsed, seen: seen, since: before)
        if let screenshot { await shoot(to: screenshot) }
        GTKLoop.quit()
    }

    private func report(_ frames: [Double], _ intervals: [Double], seconds: Double, seen: Int, since before: Decodes.Counts) {
        let (counts, memory) = (decodes.now, ProcessMemory())
        if let failure = counts.failures.first { WallBenchmark.fail("\(counts.failures.count) failed, the first: \(failure)") }
        print(
            """
            {"group": "wall", "case": "\(count) photographs, \(way.rawValue)", "program": "gannet", \
            "seconds": \(round(seconds)), "frames": \(frames.count), "reached": \(seen), \
            \(Self.spread(frames, "frame")), \(Self.spread(intervals, "interval")), \
            "decodes": \(counts.decodes - before.decodes), \
            "cancelled_decodes": \(counts.cancelledDecodes - before.cancelledDecodes), \
            "loads": \(counts.loads - before.loads), "cancelled_loads": \(counts.cancelledLoads - before.cancelledLoads), \
            "peak_mib": \(round(memory.peak)), "own_mib": \(round(memory.own))}
            """)
    }

    /// Of processor time in milliseconds.
    private static func spread(_ values: [Double], _ name: String) -> String {
        let sorted = values.sorted()
        guard let longest = sorted.last else { return "\"\(name)_ms\": null" }
        let late = sorted.count { $0 > 16.7 }
        return """
            "median_\(name)_ms": \(round3(sorted[sorted.count / 2])), "p99_\(name)_ms": \(round3(sorted[sorted.count * 99 / 100])), \
            "longest_\(name)_ms": \(round3(longest)), "\(name)s_over_16_7_ms": \(late)
            """
    }

    private func shoot(to path: String) async {
        do {
            guard let bitmap = try await gallery.window.captureNextFrame() else { return }
            let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            try image.blockingWrite(to: path, options: EncodeOptions(format: .png))
        } catch { WallBenchmark.fail("\(error)") }
    }

    private func round(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
