#if CommandLine && HTTP
    import Gannet
    import GannetCore
    import GannetImages
    import GannetPlatform

    /// Finds varied image files for a demonstration of the pipeline.
    struct DemoImages {
        private static let files = POSIXFileSystem()

        let coders: CodersManager
        /// The limit for one file, the same as for the demo's loads.
        let maximumBytes: Int

        /// Finds regular files below the folders, and links to such files, that a coder of this build recognises: each content
        /// once, sorted by path. Links to folders are not followed; files that are unreadable or too large are skipped.
        func find(in folders: [String]) throws(ImageError) -> [ServedFile] {
            var paths: [String] = []
            for folder in folders { try collect(folder, depth: 0, into: &paths) }
            return try unique(paths.sorted(), skipsUnreadable: true)
        }

        /// Finds the files of Debian's wallpaper packages; missing folders are skipped.
        func findUsual() throws(ImageError) -> [ServedFile] {
            try find(
                in: ["/usr/share/backgrounds", "/usr/share/wallpapers"].filter { (try? Self.files.status($0)) != nil })
        }

        /// Reads the files of a list; a missing file is an error.
        func read(list: String) throws(ImageError) -> [ServedFile] {
            try unique(
                try SourceArgument.list(ListFile(path: list, endsWithNull: false)).map(WorkingFolder.absolute),
                skipsUnreadable: false)
        }

        private func collect(_ folder: String, depth: Int, into paths: inout [String]) throws(ImageError) {
            for name in try Self.files.list(folder) {
                let path = folder + "/" + name
                switch try? Self.files.status(path).kind {
                case .directory: if depth < 16 { try? collect(path, depth: depth + 1, into: &paths) }
                case .file: if paths.count < 100_000 { paths.append(path) }
                case .link:
                    if paths.count < 100_000, (try? Self.files.readHead(path, count: 1, nofollow: false)) != nil {
                        paths.append(path)
                    }
                case .other, nil: break
                }
            }
        }

        private func unique(_ paths: [String], skipsUnreadable: Bool) throws(ImageError) -> [ServedFile] {
            var seen: Set<UInt64> = []
            var result: [ServedFile] = []
            for path in paths {
                do throws(ImageError) {
                    guard let (file, hash) = try image(path), seen.insert(hash).inserted else { continue }
                    result.append(file)
                } catch { if !skipsUnreadable { throw error } }
            }
            return result
        }

        /// The file with a checksum of its bytes; nil if it is no image.
        private func image(_ path: String) throws(ImageError) -> (ServedFile, UInt64)? {
            let head = ByteRope(try Self.files.readHead(path, count: 4096, nofollow: false))
            guard let format = coders.format(of: head) else { return nil }
            let bytes = try Self.files.read(path, maximumBytes: maximumBytes, nofollow: false)
            let type = format.mimeTypes.first ?? "application/octet-stream"
            return (ServedFile(path: path, mimeType: type, bytes: bytes.count), Checksum.xxh3(bytes))
        }
    }
#endif
