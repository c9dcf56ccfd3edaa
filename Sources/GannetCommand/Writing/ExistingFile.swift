#if CommandLine
    import GannetCore
    import GannetImages
    import GannetPlatform
    import Glibc

    /// A regular file where an output is to be written.
    struct ExistingFile {
        var number: FileNumber
        private var path: String

        /// Links are followed. Nil: nothing is there, or a device or pipe, which is written to and not replaced.
        init?(_ path: String) {
            self.path = WorkingFolder.absolute(path)
            var status = stat()
            guard self.path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            number = FileNumber(status)
        }

        /// Whether its first bytes are those of an image that this build knows. One that cannot be read counts as one.
        var isImage: Bool {
            guard let head = try? POSIXFileSystem().readHead(path, count: 4096, nofollow: false) else { return true }
            return !head.isEmpty && Assembly.coders.format(of: ByteRope(head)) != nil
        }
    }
#endif
