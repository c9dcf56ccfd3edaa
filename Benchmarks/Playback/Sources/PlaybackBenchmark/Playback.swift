// Animated pictures in a window: processor time, tempo, frames, memory. Needs a display:
//
//     PlaybackBenchmark write FOLDER CLIPS                    the clips as files, once: writing them is not to be measured
//     xvfb-run -a PlaybackBenchmark FOLDER CLIPS SECONDS gif|webp|png

import Gannet
import GannetGTK
import GannetPlatform
import Glibc

@main enum Playback {
    static let side = 128
    static let frames = 24
    static let delay = Duration.milliseconds(40)

    static func main() {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "write", let clips = Int(arguments[3]) { return write(arguments[2], clips) }
        guard arguments.count == 5, let clips = Int(arguments[2]), let seconds = Int(arguments[3]),
            let format = ImageFormat.named(arguments[4])
        else {
            print("usage: PlaybackBenchmark write FOLDER CLIPS | FOLDER CLIPS SECONDS gif|webp|png")
            exit(64)
        }
        let works = GTKLoop.run {
            let items = (0..<clips).map { number in
                let path = "\(arguments[1])/clip-\(number).\(arguments[4])"
                return GalleryItem(ImageRequest(source: .file(path)), name: "\(number)")
            }
            let run = Run(items, seconds: seconds, format: format)
            Task { @GTKActor in await run.measure() }
        }
        if !works { print("there is no display") }
    }

    private static func write(_ folder: String, _ clips: Int) {
        do {
            for number in 0..<clips {
                let clip = try clip(number)
                for name in ["gif", "webp", "png"] {
                    guard let format = ImageFormat.named(name) else { continue }
                    let bytes = try clip.blockingEncoded(EncodeOptions(format: format, quality: 100)).bytes.contiguous()
                    guard let file = fopen("\(folder)/clip-\(number).\(name)", "w") else { exit(1) }
                    _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
                    fclose(file)
                }
            }
        } catch {
            print(error)
            exit(1)
        }
    }

    /// A disc that goes round, on a ground of stripes.
    static func clip(_ number: Int) throws(ImageError) -> DecodedImage {
        var bitmaps: [Bitmap] = []
        for index in 0..<frames {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: side, side), alpha: .opaque))
            let turn = (index + number) % frames
            let (cx, cy) = (20 + turn * 4, 20 + abs(turn - frames / 2) * 7)
            for y in 0..<side {
                var row = buffer.mutableRow(y)
                for x in 0..<side {
                    let isDisc = (x - cx) * (x - cx) + (y - cy) * (y - cy) < 256
                    let stripe = (x / 16 + y / 16 + number) % 4
                    row[x * 4] = isDisc ? 250 : UInt8(40 + stripe * 30)
                    row[x * 4 + 1] = isDisc ? UInt8(number * 5 % 256) : UInt8(60 + stripe * 20)
                    row[x * 4 + 2] = isDisc ? 40 : 120
                    row[x * 4 + 3] = 255
                }
            }
            bitmaps.append(buffer.freeze())
        }
        return .animated(
            AnimatedImage(
                metadata: ImageMetadata(format: nil, originalSize: bitmaps[0].size), poster: bitmaps[0], loopCount: 0,
                delays: Array(repeating: delay, count: frames), frames: bitmaps))
    }
}

@GTKActor final class Run {
    private let gallery: GalleryWindow
    private let seconds: Int
    private let format: ImageFormat
    private let count: Int
    /// Of each clip: frames shown, and how late each was beside the clip's own tempo.
    private var shown = 0
    private var dropped = 0
    private var worst = Duration.zero
    private var last: [Int: (frame: Int, time: Duration)] = [:]
    private var isMeasuring = false

    init(_ items: [GalleryItem], seconds: Int, format: ImageFormat) {
        var options = GalleryWindow.Options()
        options.cell = Playback.side
        options.width = 1120
        options.height = 960
        options.prefetch = 0
        options.transition = .none
        // One item would be opened; the same clip twice stays on the wall.
        gallery = GalleryWindow("Playback", items: items + (items.count == 1 ? items : []), manager: .shared, options: options)
        self.seconds = seconds
        self.format = format
        count = max(items.count, 2)
        gallery.present()
    }

    func measure() async {
        let time = SystemTimeSource()
        while !gallery.isSettled { try? await time.sleep(for: .milliseconds(50)) }
        try? await time.sleep(for: .seconds(1))
        for position in gallery.cells.visiblePositions {
            guard let player = gallery.cells.view(at: position)?.gannet.presenter().player else { continue }
            player.onEvent = { [weak self] in self?.note($0, of: position, at: time.uptime) }
        }
        isMeasuring = true
        let start = (cpu(), time.uptime)
        let allocations = Self.allocations()
        try? await time.sleep(for: .seconds(seconds))
        let wall = (time.uptime - start.1) / .seconds(1)
        let used = (cpu() - start.0) / wall
        let perFrame = (Self.allocations() ?? 0) &- (allocations ?? 0)
        let expected = Double(gallery.cells.visiblePositions.count) * wall / (Playback.delay / .seconds(1))
        print(
            """
            {"group": "playback", "case": "\(gallery.cells.visiblePositions.count) \(format) clips", "program": "gannet", \
            "cpu_s_per_s": \(round3(used)), "frames_shown": \(shown), "frames_due": \(Int(expected.rounded())), "skipped": \(dropped), \
            "worst_lateness_ms": \(round3(worst / .milliseconds(1))), "peak_mib": \(peak()), \
            "own_mib": \(own()), "frame_mib": \(FrameBudget.shared.usedBytes >> 20)\(allocations == nil ? "" : ", \"allocations_per_frame\": \(round3(Double(perFrame) / Double(max(shown, 1))))")}
            """)
        GTKLoop.quit()
    }

    /// Calls of the allocator so far, where `count_allocations.so` is loaded before it.
    private static func allocations() -> UInt? {
        dlsym(nil, "gannet_allocation_count")?.load(as: UInt.self)
    }

    private func note(_ event: AnimationEvent, of clip: Int, at now: Duration) {
        guard case .frame(let frame) = event else { return }
        shown += 1
        if let before = last[clip] {
            let steps = (frame - before.frame + Playback.frames) % Playback.frames
            dropped += max(steps - 1, 0)
            let late = now - before.time - Playback.delay * max(steps, 1)
            worst = max(worst, late)
        }
        last[clip] = (frame, now)
    }

    private func cpu() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let micros = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(micros) / 1_000_000
    }

    private func peak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1024
    }

    /// MiB of this process alone, without mapped files.
    private func own() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("RssAnon:") { return (Int(text.filter(\.isNumber)) ?? 0) / 1024 }
        }
        return 0
    }

    private func round3(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
