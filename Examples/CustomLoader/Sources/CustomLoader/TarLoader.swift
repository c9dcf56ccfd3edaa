import FoundationEssentials
import Gannet
import GannetCore
import GannetPlatform
import Glibc

/// Brings images out of tar archives: `tar:///path/to/archive.tar?member/name.gif`.
///
/// A loader brings bytes and never decodes. This one streams: the decoder sees the first rows before the last bytes are read.
struct TarLoader: ImageLoader {
    var identifier: String { "tar" }
    /// No download slot, and no copy of the bytes in the disk cache: they are on this disk already.
    var isRemote: Bool { false }

    func canLoad(_ source: ImageSource) -> Bool {
        if case .url(let url) = source { url.scheme == "tar" } else { false }
    }

    /// A rewritten archive holds other images: its size, time and inode become part of the cache keys.
    func identity(of source: ImageSource) throws(ImageError) -> String? {
        var status = stat()
        guard stat(try parts(of: source).archive, &status) == 0 else { return nil }
        return "\(status.st_size),\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec),\(status.st_ino)"
    }

    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        let (path, name) = try parts(of: request.source)
        // Reading blocks, so it is done on the threads for files, not on those that run async functions.
        let (archive, count) = try await BlockingExecutor.files.run { () throws(ImageError) in
            let archive = try TarArchive(path: path)
            return (archive, try archive.find(name))
        }
        guard count <= request.maximumBytes else {
            throw ImageError(.limitExceeded, stage: .load, "\(name) has \(count) bytes; the limit is \(request.maximumBytes).")
        }
        let stream = ByteStream { () async throws(ImageError) in
            try await BlockingExecutor.files.run { () throws(ImageError) in try archive.next() }
        }
        return LoadResponse(body: .stream(stream), origin: .file, expectedBytes: count)
    }

    private func parts(of source: ImageSource) throws(ImageError) -> (archive: String, member: String) {
        guard case .url(let url) = source, let member = url.query(percentEncoded: false), !member.isEmpty else {
            throw ImageError(.misuse, stage: .resolve, "Write it like tar:///archive.tar?member.gif.")
        }
        return (url.path(percentEncoded: false), member)
    }
}
