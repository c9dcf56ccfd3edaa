#if CommandLine
    import GannetCore
    import Glibc

    /// What a SOURCE on the command line means.
    enum SourceArgument {
        /// `-` reads standard input to its end; everything else is a URL or a path. Blocks for `-`.
        static func source(_ text: String, maximumBytes: Int) throws(ImageError) -> ImageSource {
            guard text == "-" else { return ImageSource(text) }
            let bytes = try standardInput(maximumBytes: maximumBytes)
            return .data(ByteRope(bytes), identifier: "stdin:" + String(Checksum.xxh3(bytes), radix: 16))
        }

        static func standardInput(maximumBytes: Int) throws(ImageError) -> [UInt8] {
            var all: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let got = read(0, &chunk, chunk.count)
                if got == 0 { return all }
                if got < 0 {
                    if errno == EINTR { continue }
                    throw ImageError(
                        .io, stage: .load, "Standard input cannot be read: \(String(cString: strerror(errno))).")
                }
                all.append(contentsOf: chunk[..<got])
                guard all.count <= maximumBytes else {
                    throw ImageError(
                        .limitExceeded, stage: .load,
                        "Standard input has more than \(maximumBytes) bytes. Raise --max-bytes to allow it.")
                }
            }
        }

        /// The lines of a list file (`-` is standard input): one source each; empty lines and those that begin with # are left out.
        static func list(_ path: String) throws(ImageError) -> [String] {
            let bytes =
                path == "-"
                ? try standardInput(maximumBytes: 1 << 30)
                : try POSIXFileSystem().read(WorkingFolder.absolute(path), maximumBytes: 1 << 30, nofollow: false)
            return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                .map { String($0.drop { $0 == " " || $0 == "\t" }) }
                .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        }
    }
#endif
