import GannetCore
import GannetPlatform
import Glibc

/// The folder of thumbnails that all programs of a user's desktop share, by freedesktop.org's Thumbnail Managing Standard 0.9.0:
/// a PNG for each file and side, named by the MD5 of the file's URI, which says in text which state of the file it shows.
///
/// Blocking: call it on `BlockingExecutor.files`.
package struct DesktopThumbnails: Sendable {
    /// `$XDG_CACHE_HOME/thumbnails`, or `~/.cache/thumbnails`.
    package let folder: String
    private let files = POSIXFileSystem()

    /// A thumbnail fits into a square of so many pixels.
    package enum Side: Int, CaseIterable {
        case normal = 128
        case large = 256
        case xLarge = 512
        case xxLarge = 1024

        var folder: String {
            switch self {
            case .normal: "normal"
            case .large: "large"
            case .xLarge: "x-large"
            case .xxLarge: "xx-large"
            }
        }

        /// The smallest that has `pixels`; nil: none has.
        init?(atLeast pixels: Int) {
            guard let side = Self.allCases.first(where: { $0.rawValue >= pixels }) else { return nil }
            self = side
        }
    }

    /// A file at one moment, as thumbnails name it.
    struct File: Equatable {
        let path: String
        let uri: String
        /// Whole seconds since 1970.
        let modified: Int
        let size: Int
    }

    package init(folder: String) { self.folder = folder }

    /// The folder of this process's user; nil without a home.
    static func ofUser() -> DesktopThumbnails? {
        func folder(_ name: String) -> String? {
            // The XDG Base Directory specification has relative ones ignored.
            getenv(name).map { ByteText.text(ofPath: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let cache = folder("XDG_CACHE_HOME") { return DesktopThumbnails(folder: cache + "/thumbnails") }
        return folder("HOME").map { DesktopThumbnails(folder: $0 + "/.cache/thumbnails") }
    }

    // MARK: Files and their names

    /// Throws `notFound` or `io`.
    func file(_ path: String) throws(ImageError) -> File {
        let path = Self.canonical(WorkingFolder.absolute(path))
        let status = try files.status(path)
        return File(
            path: path, uri: Self.uri(of: path), modified: Int(status.modified.milliseconds / 1000), size: status.size)
    }

    /// Without empty parts, `.` and `..`. Links are not followed: each name has a thumbnail.
    package static func canonical(_ path: String) -> String {
        var parts: [Substring.UTF8View] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/")) where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    /// As GLib writes it, whose programs share the folder: these characters are not escaped.
    package static func uri(of path: String) -> String {
        let bytes = ByteText.bytes(of: path).flatMap { byte -> [UInt8] in
            let isKept = PercentEncoding.isLetterOrDigit(byte) || "-_.!~*'()/:@&=+$,".utf8.contains(byte)
            return isKept ? [byte] : PercentEncoding.escape(byte)
        }
        return "file://" + String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the file is itself one of these thumbnails, of which no others are made.
    func holds(_ file: File) -> Bool { file.path.hasPrefix(folder + "/") }

    private func path(_ uri: String, _ side: Side) -> String { "\(folder)/\(side.folder)/\(MD5.hex(Array(uri.utf8))).png" }

    // MARK: Looking up

    /// The smallest valid thumbnail of at least that side: of the user's folder, or of a `.sh_thumbnails` beside the file, as
    /// shared disks have it.
    func stored(for file: File, atLeast side: Side) -> String? {
        let sides = Side.allCases.filter { $0.rawValue >= side.rawValue }
        for side in sides {
            let path = path(file.uri, side)
            if shows(path, file, named: file.uri) { return path }
        }
        guard let slash = file.uri.lastIndex(of: "/"), let end = file.path.lastIndex(of: "/") else { return nil }
        let name = "./" + file.uri[file.uri.index(after: slash)...]
        for side in sides {
            let digest = MD5.hex(Array(name.dropFirst(2).utf8))
            let path = "\(file.path[..<end])/.sh_thumbnails/\(side.folder)/\(digest).png"
            if shows(path, file, named: name) { return path }
        }
        return nil
    }

    /// Texts stand before the pixels.
    private static let headBytes = 64 << 10

    private func shows(_ path: String, _ file: File, named name: String) -> Bool {
        guard let head = try? files.readHead(path, count: Self.headBytes, nofollow: true) else { return false }
        let texts = PNGTextChunks.texts(in: head)
        return texts["Thumb::URI"] == name && texts["Thumb::MTime"] == String(file.modified)
    }

    // MARK: Storing

    /// Stores a thumbnail, readable for this user alone. Nothing is stored if the file has changed since it was looked at.
    func store(_ png: [UInt8], of file: File, _ side: Side, original: PixelSize, type: String?) throws(ImageError) {
        guard try self.file(file.path) == file else { return }
        var texts = [
            ("Thumb::URI", file.uri), ("Thumb::MTime", String(file.modified)), ("Thumb::Size", String(file.size)),
            ("Thumb::Image::Width", String(original.width)), ("Thumb::Image::Height", String(original.height)),
            ("Software", "Gannet"),
        ]
        if let type { texts.append(("Thumb::Mimetype", type)) }
        guard let bytes = PNGTextChunks.adding(texts, to: png) else {
            throw ImageError(
                .encodeFailed, stage: .store, "A thumbnail for the desktop is a PNG; the coder for PNG wrote something else.")
        }
        try makeFolders(for: side)
        let target = path(file.uri, side)
        // In the same folder, so that other programs see the whole file or none.
        let part = "\(target).\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
        do throws(ImageError) {
            try files.write([bytes], toNew: part, sync: false)
            try files.rename(part, to: target)
        } catch {
            try? files.remove(part)
            throw error
        }
    }

    private func makeFolders(for side: Side) throws(ImageError) {
        if files.statusInMemory("\(folder)/\(side.folder)") != nil { return }
        var path = ""
        for part in "\(folder)/\(side.folder)".split(separator: "/") {
            path += "/" + part
            try files.makeDirectory(path)
        }
    }
}
