import Glibc

/// The user's folder of pictures, as the desktop names it (XDG user directories).
enum PicturesFolder {
    static var path: String? {
        guard let home = variable("HOME") else { return nil }
        let settings = variable("XDG_CONFIG_HOME") ?? home + "/.config"
        return named(in: TextFile.read(settings + "/user-dirs.dirs") ?? "", home: home) ?? home + "/Pictures"
    }

    /// Of a line such as `XDG_PICTURES_DIR="$HOME/Bilder"`.
    private static func named(in text: String, home: String) -> String? {
        let start = "XDG_PICTURES_DIR=\""
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(start) && $0.hasSuffix("\"") }) else {
            return nil
        }
        let path = line.dropFirst(start.count).dropLast()
        return path.hasPrefix("$HOME/") ? home + path.dropFirst("$HOME".count) : String(path)
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

enum TextFile {
    /// Nil: it cannot be read, or is longer than a megabyte.
    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return count < bytes.count ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
