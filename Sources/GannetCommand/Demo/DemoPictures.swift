#if CommandLine && HTTP
    import Gannet
    import GannetCore
    import GannetPipeline

    /// Different picture files to show what the pipeline does with.
    struct DemoPictures {
        private static let files = POSIXFileSystem()

        let coders: CodersManager
        /// Of one file: what the loads of the demo take, too.
        let maximumBytes: Int

        /// Regular files below the folders, and links to such, that a coder of this build recognises: each content once, sorted by
        /// path. Links to folders are not followed; what cannot be read, or is too long, is left out.
        func find(in folders: [String]) throws(ImageError) -> [ServedFile] {
            var paths: [String] = []
            for folder in folders { try collect(folder, depth: 0, into: &paths) }
            return try unique(paths.sorted(), skipsUnreadable: true)
        }

        /// Where Debian's wallpaper packages put their files; folders that are not there are left out.
        func findUsual() throws(ImageError) -> [ServedFile] {
            try find(
                in: ["/usr/share/backgrounds", "/usr/share/wallpapers"].filter { (try? Self.files.status($0)) != nil })
        }

        /// The files of a list; one that is missing is an error.
        func read(list: String) throws(ImageError) -> [ServedFile] {
            try unique(try SourceArgument.list(list).map(WorkingFolder.absolute), skipsUnreadable: false)
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
                    guard let (file, hash) = try picture(path), seen.insert(hash).inserted else { continue }
                    result.append(file)
                } catch { if !skipsUnreadable { throw error } }
            }
            return result
        }

        /// With a checksum of its bytes; nil if it is none.
        private func picture(_ path: String) throws(ImageError) -> (ServedFile, UInt64)? {
            let head = ByteRope(try Self.files.readHead(path, count: 4096, nofollow: false))
            guard let format = coders.format(of: head) else { return nil }
            let bytes = try Self.files.read(path, maximumBytes: maximumBytes, nofollow: false)
            let type = format.mimeTypes.first ?? "application/octet-stream"
            return (ServedFile(path: path, mimeType: type, bytes: bytes.count), Checksum.xxh3(bytes))
        }
    }
#endif
