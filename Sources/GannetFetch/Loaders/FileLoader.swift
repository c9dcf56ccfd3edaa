import FoundationEssentials
package import GannetCore
package import GannetPlatform
import Glibc

/// Loads files. A file's identity is its path, size, modification time, inode and device: a changed file is another image.
package struct FileLoader: ImageLoader {
    private let files: any FileSystem
    private let executor: BlockingExecutor?
    private let lanes: FileLanes

    /// By default reads real files, on threads of their mounted file system, so that the caller never blocks.
    package init(
        files: any FileSystem = POSIXFileSystem(), executor: BlockingExecutor? = nil, lanes: FileLanes = .shared
    ) {
        self.files = files
        self.executor = executor
        self.lanes = lanes
    }

    package var identifier: String { "file" }
    package var isRemote: Bool { false }

    package func canLoad(_ source: ImageSource) -> Bool {
        switch source {
        case .file: true
        case .url(let url): url.scheme?.lowercased() == "file"
        default: false
        }
    }

    /// Throws `notFound`, `io`, or `limitExceeded` for files above `maximumBytes`.
    package func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        let path = try Self.path(of: request.source)
        let maximum = request.maximumBytes
        let files = files
        let bytes = try await (executor ?? lanes.executor(for: path)).run { () throws(ImageError) -> [UInt8] in
            try files.read(path, maximumBytes: maximum, nofollow: false)
        }
        return LoadResponse(body: .bytes(ByteRope(bytes)), origin: .file, expectedBytes: bytes.count)
    }

    /// Blocks for one or two `lstat` and a `statfs`; follows a link at the end of the path, as reading does.
    package func identity(of source: ImageSource) throws(ImageError) -> String? {
        var path = try Self.path(of: source)
        var status = try files.status(path)
        if status.kind == .link, let target = path.withPath({ realpath($0, nil) }) {
            path = ByteText.text(ofPath: target)
            free(target)
            status = try files.status(path)
        }
        // The kernel's cached status of remote files may be outdated, so it must never match a stored identity.
        return Self.text(of: status) + (POSIXFileSystem.isOnThisMachine(path) ? "" : ",elsewhere")
    }

    /// The identity by the status in the kernel's memory. Nil if that would require waiting. For files on file systems of other
    /// machines or processes it differs from ``identity(of:)``, so that those are never found.
    package func identityAtOnce(of source: ImageSource) -> String? {
        guard let path = try? Self.path(of: source), let status = files.statusInMemory(path) else { return nil }
        return Self.text(of: status)
    }

    private static func text(of status: FileStatus) -> String {
        "\(status.size),\(status.modified.milliseconds),\(status.inode),\(status.device)"
    }

    /// Relative paths start at the working folder.
    static func path(of source: ImageSource) throws(ImageError) -> String {
        let path: String
        switch source {
        case .file(let text): path = text
        case .url(let url):
            guard case .file(let local) = ImageSource(url) else {
                throw ImageError(
                    .unsupported, stage: .resolve,
                    "This file: URL names the host \(url.host() ?? ""), and only files of this machine can be read: mount that host's folder and give the path, or use https:.",
                    source: source.redactedDescription)
            }
            path = local
        default: throw ImageError(.misuse, stage: .load, "The source is no file.", source: source.redactedDescription)
        }
        guard !path.isEmpty else { throw ImageError(.misuse, stage: .resolve, "The path is empty.") }
        guard !path.utf8.contains(0) else { throw ImageError(.misuse, stage: .resolve, "The path contains a zero byte.") }
        return WorkingFolder.absolute(path)
    }
}
