#if Server
    import FoundationEssentials
    public import GannetCore
    import GannetFetch
    import GannetPlatform
    import GannetSupport

    /// Loads the regular files below one folder, as `local:///a/b.jpg`: the sources of a thumbnail service, or of any manager.
    ///
    /// Links are followed as long as they stay below the folder. Everything else (names with `..`, links that lead out, devices, pipes,
    /// folders) is `notFound` or `misuse`. Each file takes a slot among those that are read at once, which bounds the bytes that wait for a decode.
    public struct FolderLoader: ImageLoader, LocalLoader {
        static let scheme = "local"

        private let folder: ConfinedFolder
        /// Of this folder alone: its file system may hang.
        private let executor = BlockingExecutor(name: "gannet-folder", threads: 4)
        /// The path as given: files of another folder are other sources.
        let name: String

        /// Throws `misuse` if there is no folder at the path. Later its path may lead to another one.
        public init(_ path: String) throws(ImageError) { try self.init(path, walks: false) }

        /// `walks`: as on a system without openat2(2).
        init(_ path: String, walks: Bool) throws(ImageError) {
            folder = try ConfinedFolder(path, walks: walks)
            name = WorkingFolder.absolute(path)
        }

        public var identifier: String { "local " + name }

        public func canLoad(_ source: ImageSource) -> Bool {
            guard case .url(let url) = source else { return false }
            return url.scheme?.lowercased() == Self.scheme
        }

        /// Throws `notFound`, `misuse`, `limitExceeded` and `io`. The freshness has validators, and no end.
        public func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
            let path = try Self.path(of: request.source)
            let (folder, maximum) = (folder, request.maximumBytes)
            let (status, bytes) = try await executor.run { () throws(ImageError) in
                try folder.read(path.text, maximumBytes: maximum)
            }
            return LoadResponse(
                body: .bytes(ByteRope(bytes)), origin: .file, expectedBytes: bytes.count, freshness: Self.freshness(status))
        }

        public func identity(of source: ImageSource) throws(ImageError) -> String? {
            let status = try folder.status(try Self.path(of: source).text)
            return "\(status.size),\(status.seconds).\(status.nanoseconds),\(status.inode),\(status.device)"
        }

        private static func freshness(_ status: ConfinedFolder.Status) -> Freshness {
            func hexadecimal(_ number: some BinaryInteger) -> String { String(number, radix: 16) }
            let parts = [status.size, status.seconds, status.nanoseconds].map { hexadecimal($0) } + [hexadecimal(status.inode)]
            // Years that no HTTP date has are possible in file systems.
            let hasDate = (0..<253_402_300_800).contains(status.seconds)
            return Freshness(
                etag: "\"\(parts.joined(separator: "-"))\"",
                lastModified: hasDate ? HTTPDate.format(Timestamp(milliseconds: Int64(status.seconds) * 1000)) : nil)
        }

        /// The one URL of a file.
        static func url(of path: FolderPath) -> String {
            "\(scheme):///" + PercentEncoding.encoded(path.text, keepsSlashes: true)
        }

        /// The path in a URL, decoded once.
        private static func path(of source: ImageSource) throws(ImageError) -> FolderPath {
            try FolderPath(source.name(after: scheme, example: "local:///a/b.jpg"))
        }
    }
#endif
