#if CommandLine
    import GannetCore
    import Glibc

    /// Identifies a file, whatever its names.
    struct FileNumber: Hashable {
        var device: UInt
        var inode: UInt

        /// Links are followed. Nil: nothing is there.
        init?(path: String) {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
            self.init(status)
        }

        init(_ status: stat) { (device, inode) = (UInt(status.st_dev), UInt(status.st_ino)) }

        /// Nil if the source is not a file.
        init?(source: String) {
            guard source != "-", case .file(let path) = SourceArgument.meaning(source) else { return nil }
            self.init(path: path)
        }
    }
#endif
