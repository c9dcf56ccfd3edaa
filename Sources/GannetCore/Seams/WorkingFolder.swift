import Glibc

/// The folder that relative paths begin at.
package enum WorkingFolder {
    /// The path itself if it is absolute, and what it means at this moment if it is relative: programs may change their folder later.
    package static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
