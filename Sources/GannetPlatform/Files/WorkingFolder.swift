import GannetCore
import Glibc

/// The working folder for relative paths.
package enum WorkingFolder {
    /// Makes a path absolute at this moment, because programs may change their folder later.
    package static func absolute(_ path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return ByteText.text(ofPath: folder) + "/" + path
    }
}
