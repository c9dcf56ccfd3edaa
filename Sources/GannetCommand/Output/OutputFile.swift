#if CommandLine
    import GannetCore
    import Glibc

    /// Files that the user asked for: whole or not there, with the mode that his umask says.
    enum OutputFile {
        /// `-` is standard output. A regular file is replaced in one step; devices and pipes are written to.
        static func write(_ pieces: [[UInt8]], to path: String) throws(ImageError) {
            if path == "-" {
                for piece in pieces { Console.write(piece) }
                return
            }
            try WholeFile.write(pieces, to: path)
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
