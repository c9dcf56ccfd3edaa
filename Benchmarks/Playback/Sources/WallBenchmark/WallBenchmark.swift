// A wall of many photographs that scrolls in a window: the processor time that GTK's thread needs for each frame, memory, and decodes that
// were cancelled. Needs a display:
//
//     WallBenchmark write FOLDER COUNT PHOTOGRAPH…
//     xvfb-run -a WallBenchmark scroll FOLDER flicks|fast|jumps [SCREENSHOT.png]

import Dispatch
import Gannet
import GannetGTK
import Glibc

@main enum WallBenchmark {
    // GTK wants a synchronous main.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count > 3, arguments[0] == "write", let count = Int(arguments[2]), count > 0 {
            write(count, to: arguments[1], from: Array(arguments[3...]))
        } else if (3...4).contains(arguments.count), arguments[0] == "scroll", let way = Way(rawValue: arguments[2]) {
            scroll(arguments[1], way, screenshot: arguments.count == 4 ? arguments[3] : nil)
        } else {
            fail("usage: WallBenchmark write FOLDER COUNT PHOTOGRAPH… | scroll FOLDER flicks|fast|jumps [SCREENSHOT.png]")
        }
    }

    private static func write(_ count: Int, to folder: String, from photographs: [String]) {
        Task {
            do {
                try await Photographs.write(count, to: folder, from: photographs)
                exit(0)
            } catch { fail("\(error)") }
        }
        dispatchMain()
    }

    private static func scroll(_ folder: String, _ way: Way, screenshot: String?) {
        let decodes = Decodes()
        var options = StandardOptions()
        // What a program sets that has 250 MiB; the standard is up to 512 for images alone.
        options.memoryLimits = MemoryCacheLimits(bytes: 64 << 20)
        options.observers = [decodes]
        do {
            let items = try Photographs.files(in: folder).map { GalleryItem(ImageRequest(source: .file($0))) }
            ImageManager.shared = ImageManager(configuration: try .standard(options))
            let works = GTKLoop.run {
                let run = WallRun(items, way, decodes)
                Task { @GTKActor in await run.measure(screenshot: screenshot) }
            }
            if !works { fail("there is no display") }
        } catch {
            fail("\(error)")
        }
    }

    static func fail(_ message: String) -> Never {
        print(message)
        exit(1)
    }
}
