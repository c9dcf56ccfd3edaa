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
            // A link is followed, as everybody who writes to it expects; what it points to is replaced.
            var target = WorkingFolder.absolute(path)
            if let resolved = realpath(target, nil) {
                target = String(cString: resolved)
                free(resolved)
            }
            var status = stat()
            if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                guard status.st_mode & S_IFMT != S_IFDIR else {
                    throw ImageError(.io, stage: .store, "\(path) is a folder; name a file, or use -O for folders.")
                }
                return try write(pieces, to: target, flags: O_WRONLY, shown: path)
            }
            let temporary = "\(target).\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
            do throws(ImageError) {
                try write(pieces, to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL, shown: path)
                if rename(temporary, target) != 0 { throw failure("replaced", path) }
            } catch {
                unlink(temporary)
                throw error
            }
        }

        /// With its parents; no error if it is there already.
        static func makeFolder(_ path: String) throws(ImageError) {
            let target = WorkingFolder.absolute(path)
            if mkdir(target, 0o777) == 0 || errno == EEXIST { return }
            guard errno == ENOENT, let slash = target.lastIndex(of: "/"), slash != target.startIndex else {
                throw failure("made", path)
            }
            try makeFolder(String(target[..<slash]))
            if mkdir(target, 0o777) != 0, errno != EEXIST { throw failure("made", path) }
        }

        private static func write(_ pieces: [[UInt8]], to path: String, flags: Int32, shown: String) throws(ImageError) {
            let descriptor = open(path, flags | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw failure("written", shown) }
            var isWhole = true
            for piece in pieces where isWhole { isWhole = put(piece, descriptor) }
            let number = errno
            let closed = close(descriptor) == 0
            guard isWhole else {
                errno = number
                throw failure("written", shown)
            }
            guard closed else { throw failure("closed", shown) }
        }

        private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
            bytes.withUnsafeBytes { source in
                var done = 0
                while done < source.count, let base = source.baseAddress {
                    let count = Glibc.write(descriptor, base + done, source.count - done)
                    if count >= 0 { done += count } else if errno != EINTR { return false }
                }
                return true
            }
        }

        private static func failure(_ verb: String, _ path: String) -> ImageError {
            let number = errno
            return ImageError(
                .io, stage: .store, "\(path) could not be \(verb): \(String(cString: strerror(number))).",
                underlying: FileSystemFailure(call: verb, errno: number))
        }
    }
#endif
