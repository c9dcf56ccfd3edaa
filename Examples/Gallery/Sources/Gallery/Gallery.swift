// A gallery: a wall of photographs whose columns follow the window, one photograph at a time with zoom, its neighbours below it, and a panel
// of facts.
//
//     swift run Gallery [FOLDER | LIST] [--dark] [--cell POINTS] [--size WIDTHxHEIGHT]
//
// LIST is a file with an address or a path in each line. Without either: the folder of pictures (XDG), else the system's wallpapers.
// For the pictures of the documentation, a window that is shown and closed again, or none:
//
//     swift run Gallery … [--open NUMBER] --screenshot OUT.png | --record OUT.webp
//     swift run Gallery --showcase OUT.png PHOTOGRAPH PHOTOGRAPH
//
// Keys on the wall: arrows and Enter. On a photograph: Left and Right, + and −, 0 (all of it), 1 (actual pixels), i (panel), Escape.
// Everywhere: Ctrl+D (dark or light), F11, Ctrl+W.

import Dispatch
import Gannet
import GannetGTK
import Glibc

@main enum Gallery {
    // GTK wants a synchronous main.
    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if let showcase = arguments.showcase { return draw(showcase, of: arguments.sources) }
            let photographs = try Photographs.find(arguments.sources.first)
            guard !photographs.isEmpty else {
                throw ImageError(.misuse, "There are no photographs: name a folder, or a file of addresses.")
            }
            var options = StandardOptions()
            // Memory for images on top of those on screen; all that scrolled away is on disk, or a file.
            options.memoryLimits = MemoryCacheLimits(bytes: 96 << 20)
            ImageManager.shared = ImageManager(configuration: try .standard(options))
            let works = GTKLoop.run { GalleryProgram(photographs, arguments).present() }
            if !works { fail("There is no display.") }
        } catch {
            fail("\(error)")
        }
    }

    /// Transitions and indicators; no display needed.
    private static func draw(_ path: String, of photographs: [String]) {
        Task { @MainActor in
            do {
                let bitmap = try await Showcase.draw(photographs)
                try DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size)).blockingWrite(to: path)
                exit(0)
            } catch { fail("\(error)") }
        }
        dispatchMain()
    }

    static func fail(_ message: String) -> Never {
        print("Gallery: \(message)")
        exit(1)
    }
}
