#if CommandLine
    import GannetCore
    import GannetPlatform
    import Glibc

    /// Output files: written completely or not at all, with the mode that the user's umask gives.
    enum OutputFile {
        /// `-` is standard output. A regular file is replaced in one step; devices and pipes are written to.
        static func write(_ pieces: [[UInt8]], to path: String) throws(ImageError) {
            try write(to: path) { put throws(ImageError) in
                for piece in pieces { try put(piece) }
            }
        }

        /// The same for content that is produced piece by piece while it is written.
        static func write<R>(to path: String, _ body: WholeFile.Body<R>) throws(ImageError) -> R {
            isStandardOutput(path) ? try body(Console.write) : try WholeFile.write(to: path, body)
        }

        /// True for `-` and for the system's names of standard output: messages about the file must then not mix with its bytes.
        static func isStandardOutput(_ path: String?) -> Bool {
            ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
        }

        /// Creates the folder and its parents; no error if it exists.
        static func makeFolder(_ path: String) throws(ImageError) {
            let target = WorkingFolder.absolute(path)
            if target.withPath({ mkdir($0, 0o777) }) == 0 || errno == EEXIST { return }
            guard errno == ENOENT, let slash = target.lastIndex(of: "/"), slash != target.startIndex else {
                throw WholeFile.failure("made", path)
            }
            try makeFolder(String(target[..<slash]))
            if target.withPath({ mkdir($0, 0o777) }) != 0, errno != EEXIST { throw WholeFile.failure("made", path) }
        }
    }
#endif
