// A wall of images that scrolls. Without arguments it shows images that it draws itself; otherwise the files of a folder.
//
//     swift run Gallery [FOLDER] [--open NUMBER] [--screenshot OUT.png]
//     swift run Gallery --showcase OUT.png

import Dispatch
import Gannet
import GannetGTK
import Glibc

@main enum Gallery {
    // GTK wants a synchronous main.
    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func take(_ option: String) -> String? {
            guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(index...(index + 1)) }
            return arguments[index + 1]
        }
        let screenshot = take("--screenshot")
        let open = take("--open").flatMap { Int($0) }
        if arguments.first == "--showcase", arguments.count == 2 { return showcase(to: arguments[1]) }
        let items: [GalleryItem]
        do {
            items = try arguments.first.map { try folder($0) } ?? DrawnPicture.wall(count: 2000)
        } catch {
            print("Gallery: \(error)")
            exit(1)
        }
        let works = GTKLoop.run {
            let manager = ImageManager.shared
            GannetToolkit.loader = manager
            let gallery = GalleryWindow("Gallery", items: items, manager: manager)
            gallery.onClose = {
                withExtendedLifetime(gallery) {}
                GTKLoop.quit()
            }
            gallery.present()
            if let open {
                gallery.open(open - 1)
                gallery.togglePanel()
            }
            if let screenshot { Task { @GTKActor in await shoot(gallery, to: screenshot) } }
        }
        if !works { print("Gallery: there is no display") }
    }

    /// Transitions and indicators; no display needed.
    private static func showcase(to path: String) {
        Task { @MainActor in
            do {
                try write(try await Showcase.draw(), to: path)
                exit(0)
            } catch {
                print("Gallery: \(error)")
                exit(1)
            }
        }
        dispatchMain()
    }

    private static func write(_ bitmap: Bitmap, to path: String) throws {
        let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
        try image.blockingWrite(to: path, options: EncodeOptions(format: .png))
    }

    private static func folder(_ path: String) throws -> [GalleryItem] {
        guard let directory = opendir(path) else { throw ImageError(.io, "\(path) cannot be read.") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let suffix = name.split(separator: ".").last, ImageFormat.named(String(suffix)) != nil { names.append(name) }
        }
        return names.sorted().map { GalleryItem(ImageRequest(source: .file(path + "/" + $0)), name: $0) }
    }

    @GTKActor private static func shoot(_ gallery: GalleryWindow, to path: String) async {
        do {
            while !gallery.isSettled { try await Task.sleep(for: .milliseconds(100)) }
            try await Task.sleep(for: .milliseconds(500))
            // Half as large, for a page.
            if let shot = try await gallery.window.captureNextFrame() {
                try write(try shot.resized(.fit(shot.width / 2, shot.height / 2)), to: path)
            }
        } catch { print("Gallery: \(error)") }
        GTKLoop.quit()
    }
}
