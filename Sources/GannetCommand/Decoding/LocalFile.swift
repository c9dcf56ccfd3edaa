#if CommandLine
    import Gannet
    import GannetCore
    import GannetPlatform
    import Glibc

    /// Bytes of a file or of standard input. Blocking.
    enum LocalFile {
        static func read(_ text: String, maximumBytes: Int) throws(ImageError) -> [UInt8] {
            if text == "-" { return try SourceArgument.standardInput(maximumBytes: maximumBytes) }
            do throws(ImageError) {
                return try POSIXFileSystem().read(try path(text), maximumBytes: maximumBytes, nofollow: false)
            } catch { throw error.with(stage: .load, source: text) }
        }

        /// The first `count` bytes, complete if that is all, and the size of the file.
        static func head(_ text: String, count: Int, maximumBytes: Int) throws(ImageError) -> (bytes: ByteRope, fileBytes: Int) {
            if text == "-" {
                let bytes = try SourceArgument.standardInput(maximumBytes: maximumBytes)
                return (ByteRope(bytes), bytes.count)
            }
            do throws(ImageError) {
                let path = try path(text)
                let head = try POSIXFileSystem().readHead(path, count: count + 1, nofollow: false)
                guard head.count > count else { return (ByteRope(head), head.count) }
                var status = stat()
                return (
                    ByteRope(head, isComplete: false), path.withPath { stat($0, &status) } == 0 ? Int(status.st_size) : head.count
                )
            } catch { throw error.with(stage: .load, source: text) }
        }

        private static func path(_ text: String) throws(ImageError) -> String {
            switch try SourceArgument.source(text, maximumBytes: 0) {
            case .file(let path): return WorkingFolder.absolute(path)
            default: throw ImageError(.misuse, stage: .load, "This command reads files only; `gannet fetch -o FILE` it first.")
            }
        }
    }
#endif
