import GannetCore
import GannetPlatform
import Glibc

/// How another library names the files of its keys, and until when it uses them.
enum PeerLayout: Sendable, Equatable {
    case sdWebImage(maximumAge: Duration?)
    case kingfisher(pathExtension: String?, processor: String)
    case nuke

    /// The names that the file of a key may have, the likeliest first; empty for a key that has no file.
    func names(of key: String) -> [String] {
        guard !key.isEmpty else { return [] }
        switch self {
        case .sdWebImage:
            let name = MD5.hex(Array(key.utf8))
            let ends = Self.uniqued([Self.endOfPath(of: key), Self.end(of: key[...])]).filter {
                $0.utf16.count <= Self.longestName - name.utf8.count - 1
            }
            return ends.map { name + "." + $0 } + [name]
        case .kingfisher(let pathExtension, let processor):
            let key = processor.isEmpty ? key : key + "@" + processor
            return [SHA256.hex(key.utf8), MD5.hex(Array(key.utf8))].flatMap { name in
                if let pathExtension { return [name + "." + pathExtension] }
                return [name] + (Self.shortEnd(of: key).map { [name + "." + $0] } ?? [])
            }
        case .nuke: return [SHA1.hex(Array(key.utf8))]
        }
    }

    /// Nil: for ever. `used`: the later of the last use and the last change.
    func expiry(used: Timestamp, modified: Timestamp) -> Timestamp? {
        switch self {
        case .sdWebImage(let maximumAge): maximumAge.map { used + $0 }
        // Kingfisher writes the end of an entry where other programs see its last change.
        case .kingfisher: modified
        case .nuke: nil
        }
    }

    // MARK: Extensions

    /// NAME_MAX: SDWebImage leaves an extension out with which the name would be longer.
    private static let longestName = 255

    private static func uniqued(_ ends: [String?]) -> [String] {
        ends.compactMap { $0 }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// That of a URL's path, unescaped.
    private static func endOfPath(of key: String) -> String? {
        var path = key.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.firstRange(of: "://") {
            // A host's last label is none.
            guard let slash = path[scheme.upperBound...].firstIndex(of: "/") else { return nil }
            path = path[slash...]
        }
        return end(of: path).map { PercentEncoding.decodedText($0) }.flatMap { end(of: "name." + $0) }
    }

    /// The text after the last dot of the last part; nil without a dot, and where it cannot be in a file's name.
    private static func end(of path: Substring) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let end = String(name[name.index(after: dot)...].unicodeScalars.filter { $0 != ":" && $0.value != 0 })
        return end.isEmpty || end.contains("/") ? nil : end
    }

    /// Kingfisher's: of the text before the first `@`, at most 20 letters and digits.
    private static func shortEnd(of key: String) -> String? {
        guard let first = key.split(separator: "@").first, let dot = first.lastIndex(of: ".") else { return nil }
        let end = first[first.index(after: dot)...]
        return !end.isEmpty && end.count <= 20 && end.allSatisfy { $0.isLetter || $0.isNumber } ? String(end) : nil
    }
}

/// A file of another library's cache.
struct PeerFile: Sendable {
    let path: String
    let modified: Timestamp
    /// The later of the last use and the last change.
    let used: Timestamp
    let size: Int

    /// Nil: there is no such file, or it is a link or a folder. Blocking.
    init?(_ path: String) {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        (modified, size) = (FileStatus.moment(status.st_mtim), Int(status.st_size))
        used = max(modified, FileStatus.moment(status.st_atim))
    }
}
