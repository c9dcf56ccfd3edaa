// A wall of pictures that scrolls in a window: frames that took too long, and how soon a picture that is in memory is there. Needs a
// display:
//
//     xvfb-run -a ScrollBenchmark PICTURES SECONDS

import CGTKBench
import FrameWork
import Gannet
import GannetGTK
import GannetPlatform
import Glibc

@main enum ScrollBenchmark {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[1]), let seconds = Int(arguments[2]) else {
            print("usage: ScrollBenchmark PICTURES SECONDS")
            exit(64)
        }
        let works = GTKLoop.run {
            do {
                let files = try (0..<64).map { try picture($0).blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous() }
                let items = (0..<count).map { number in
                    GalleryItem(
                        ImageRequest(source: .data(ByteRope(files[number % files.count]), identifier: "picture-\(number)")),
                        name: "\(number)")
                }
                let run = ScrollRun(items, seconds: Double(seconds))
                Task { @GTKActor in await run.measure() }
            } catch {
                print(error)
                exit(1)
            }
        }
        if !works { print("there is no display") }
    }

    /// 640 × 480, a gradient with a disc.
    static func picture(_ number: Int) throws(ImageError) -> DecodedImage {
        let size = PixelSize(clamping: 640, 480)
        var buffer = try PixelBuffer(PixelLayout(size: size, alpha: .opaque))
        for y in 0..<size.height {
            var row = buffer.mutableRow(y)
            for x in 0..<size.width {
                let (dx, dy) = (x - 80 - number * 7, y - 240)
                let isDisc = dx * dx + dy * dy < 6400
                row[x * 4] = isDisc ? 250 : UInt8(x * 255 / size.width)
                row[x * 4 + 1] = UInt8((y / 2 + number * 3) & 255)
                row[x * 4 + 2] = isDisc ? 40 : UInt8((x ^ y) & 127)
                row[x * 4 + 3] = 255
            }
        }
        return .still(buffer.freeze(), ImageMetadata(format: nil, originalSize: size))
    }
}

@GTKActor final class ScrollRun {
    private let gallery: GalleryWindow
    private let seconds: Double
    private let count: Int
    /// Cells that were bound and have no picture yet, with the time of binding.
    private var waiting: [Int: Int] = [:]
    /// Of those the ones on screen, with the time since when.
    private var seen: [Int: Int] = [:]
    private var waits: [Double] = []

    init(_ items: [GalleryItem], seconds: Double) {
        var options = GalleryWindow.Options()
        options.width = 900
        options.height = 700
        gallery = GalleryWindow("Scroll", items: items, manager: .shared, options: options)
        self.seconds = seconds
        count = items.count
        let onBind = gallery.cells.onBind
        gallery.cells.onBind = { [weak self] view, position in
            onBind?(view, position)
            self?.waiting[position] = g_get_monotonic_time()
        }
        gallery.present()
    }

    func measure() async {
        let time = SystemTimeSource()
        while !gallery.isSettled { try? await time.sleep(for: .milliseconds(50)) }
        guard let wall = gallery.scroller, let clock = gtk_widget_get_frame_clock(asWidget(wall)) else {
            print("the wall has no frame clock")
            exit(1)
        }
        let work = FrameWork(clock, isContinuous: false)
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(wall))
        // Down: everything is decoded on the way. Up again: everything near is in memory.
        for (name, direction) in [("decoding", 1.0), ("from memory", -1.0)] {
            work.reset()
            (waiting, seen, waits) = ([:], [:], [])
            let start = time.uptime
            while (time.uptime - start) / .seconds(1) < seconds {
                gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + direction * 20)
                look()
                try? await time.sleep(for: .milliseconds(8))
            }
            report(name, work)
        }
        try? await memoryHits()
        GTKLoop.quit()
    }

    /// Which of the cells have their picture by now; the resolution is that of the calls, 8 ms.
    private func look() {
        let now = g_get_monotonic_time()
        let visible = gallery.cells.visiblePositions
        for (position, bound) in waiting {
            guard let view = gallery.cells.view(at: position) else {
                waiting[position] = nil
                continue
            }
            // Lists bind cells long before they are seen: what counts is the time on screen without a picture.
            guard visible.contains(position) else { continue }
            let since = seen[position] ?? max(now, bound)
            seen[position] = since
            if view.gannet.image != nil {
                waits.append(Double(now - since) / 1000)
                (waiting[position], seen[position]) = (nil, nil)
            }
        }
    }

    private func report(_ name: String, _ work: FrameWork) {
        let sorted = work.elapsed.sorted()
        let late = sorted.filter { $0 > 16.7 }.count
        let processor = work.frames.sorted()
        let busy = processor.filter { $0 > 16.7 }.count
        let middle = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        print(
            """
            {"group": "scroll", "case": "\(count) pictures, \(name)", "program": "gannet", "frames": \(sorted.count), \
            "frames_over_16_7_ms": \(late), "over_by_processor_time": \(busy), \
            "median_frame_processor_ms": \(round3(processor.isEmpty ? 0 : processor[processor.count / 2])), \
            "frames_left_out": \(work.leftOut), "median_frame_ms": \(round3(middle)), \
            "longest_frame_ms": \(round3(sorted.last ?? 0)), "shown_while_visible": \(waits.count), \
            "seen_to_picture_ms": \(round3(waits.isEmpty ? 0 : waits.sorted()[waits.count / 2])), \
            "longest_seen_to_picture_ms": \(round3(waits.max() ?? 0))}
            """)
    }

    /// From the call to the picture in the view, for what is in memory: it is there when the call returns.
    private func memoryHits() async throws {
        let request = ImageRequest(
            source: .data(
                try ScrollBenchmark.picture(1).blockingEncoded(EncodeOptions(format: .png)).bytes, identifier: "hit"))
        _ = try await ImageManager.shared.image(for: request)
        var times: [Double] = []
        for _ in 0..<500 {
            let view = ImageView()
            view.gannet.loader = ImageManager.shared
            view.gannet.defaults.decodesForView = false
            let start = g_get_monotonic_time()
            view.gannet.setImage(with: request)
            times.append(Double(g_get_monotonic_time() - start))
            guard view.gannet.image != nil else {
                print("a picture in memory was not shown at once")
                exit(1)
            }
        }
        let sorted = times.sorted()
        print(
            """
            {"group": "scroll", "case": "one picture in memory, call to picture", "program": "gannet", \
            "median_us": \(round3(sorted[sorted.count / 2])), "longest_us": \(round3(sorted.last ?? 0))}
            """)
    }

    private func asWidget(_ raw: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GtkWidget> {
        raw.assumingMemoryBound(to: GtkWidget.self)
    }
}
