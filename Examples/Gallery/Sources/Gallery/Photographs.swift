import Gannet
import GannetGTK
import Glibc

/// The photographs to show.
enum Photographs {
    /// Of a folder and its subfolders, or of a file with one address or path in each line; nil: of the user's pictures, else of the
    /// system's wallpapers.
    static func find(_ place: String?) throws(ImageError) -> [GalleryItem] {
        if let place { return isFolder(place) ? folder(place) : try list(place) }
        for place in [PicturesFolder.path, "/usr/share/backgrounds"].compactMap({ $0 }) {
            let found = folder(place)
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func list(_ path: String) throws(ImageError) -> [GalleryItem] {
        guard let text = TextFile.read(path) else { throw ImageError(.io, "\(path) cannot be read.") }
        return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.map {
            GalleryItem(ImageRequest(ImageSource(String($0))))
        }
    }

    // MARK: Folders

    /// Folders inside each other, and files of all of them, that are looked at.
    private static let (deepest, most) = (8, 20_000)

    private static func folder(_ path: String) -> [GalleryItem] {
        var files: [String] = []
        collect(path, depth: 0, into: &files)
        return files.map { GalleryItem(ImageRequest(source: .file($0))) }
    }

    private static func collect(_ path: String, depth: Int, into files: inout [String]) {
        for name in names(in: path) where files.count < most && !name.hasPrefix(".") {
            let inner = path + "/" + name
            if let suffix = name.split(separator: ".").last, ImageFormat.named(String(suffix)) != nil {
                files.append(inner)
            } else if depth < deepest, isFolder(inner) {
                collect(inner, depth: depth + 1, into: &files)
            }
        }
    }

    private static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            // The field is an array of a fixed size in C; the name in it ends with a zero.
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}
