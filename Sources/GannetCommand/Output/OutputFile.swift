#if CommandLine
    import GannetCore
    import Glibc

    /// Files that the user asked for: whole or not there, with the mode that his umask says.
    enum OutputFile {
        /// `-` is standard output. A regular file is replaced in one step; devices and pipes are written to.
        static func write(_ pieces: [[UInt8]], to path: String) throws(ImageError) {
            try write(to: path) { put throws(ImageError) in
                for piece in pieces { try put(piece) }
            }
        }

        /// The same for what is made while it is written, a piece at a time.
        static func write<R>(to path: String, _ body: WholeFile.Body<R>) throws(ImageError) -> R {
            isStandardOutput(path) ? try body(Console.write) : try WholeFile.write(to: path, body)
        }

        /// By its name here, or by one of the system's: sentences about what was written must not stand among its bytes.
        static func isStandardOutput(_ path: String?) -> Bool {
            ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
        }

        /// With its parents; no error if it is there already.
        static func makeFolder(_ path: String) throws(ImageError) {
            let target = WorkingFolder.absolute(path)
            if mkdir(target, 0o777) == 0 || errno == EEXIST { return }
            guard errno == ENOENT, let slash = target.lastIndex(of: "/"), slash != target.startIndex else {
                throw WholeFile.failure("made", path)
            }
            try makeFolder(String(target[..<slash]))
            if mkdir(target, 0o777) != 0, errno != EEXIST { throw WholeFile.failure("made", path) }
        }
    }
#endif
