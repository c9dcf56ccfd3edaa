#if CommandLine
    import ArgumentParser
    import FoundationEssentials
    import GannetCore
    import GannetPlatform
    import Glibc
    import Synchronization

    /// Parses a SOURCE argument of the command line.
    enum SourceArgument {
        /// A URL of a loadable kind, else a path: `IMG:1.png` is a file. Paths are made absolute, because they are keys of a
        /// cache that is also used from other folders.
        static func meaning(_ text: String) -> ImageSource {
            switch ImageSource(text) {
            case .file(let path): .file(WorkingFolder.absolute(path))
            case .url(let url) where !text.contains("://") && !isKnown(url): .file(WorkingFolder.absolute(text))
            case let source: source
            }
        }

        /// `-` reads standard input to its end; everything else is a URL or a path. Blocks for `-`.
        static func source(_ text: String, maximumBytes: Int) throws(ImageError) -> ImageSource {
            guard text == "-" else {
                let source = meaning(text)
                try check(source, text)
                return source
            }
            let bytes = try standardInput(maximumBytes: maximumBytes)
            return .data(ByteRope(bytes), identifier: "stdin:" + String(Checksum.xxh3(bytes), radix: 16))
        }

        private static func isKnown(_ url: URL) -> Bool {
            ["http", "https", "file", "data"].contains(url.scheme?.lowercased() ?? "")
        }

        /// Reports errors in terms of the command line, where the library would have to guess what was meant.
        private static func check(_ source: ImageSource, _ text: String) throws(ImageError) {
            switch source {
            case .url(let url):
                guard isKnown(url) else {
                    throw ImageError(
                        .unsupported, stage: .load,
                        "URLs that begin with \(url.scheme ?? ""): cannot be loaded, only those with http:, https:, file: and data:."
                    )
                }
            case .file(let path):
                // As of a variable of a script that is not set; its absolute path is that of the working folder.
                if text.isEmpty { throw ImageError(.misuse, stage: .resolve, "The source is empty; give a URL or a path.") }
                let start = text.prefix(8).lowercased()
                if start.hasPrefix("http://") || start.hasPrefix("https://") {
                    throw ImageError(
                        .misuse, stage: .resolve, "This is no valid URL. Write it like https://example.org/image.jpg.")
                }
                try checkFolder(WorkingFolder.absolute(path))
            case .data, .provider: break
            }
        }

        private static func checkFolder(_ path: String) throws(ImageError) {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
            guard path.withPath({ access($0, R_OK) }) == 0 else {
                throw ImageError(.io, stage: .load, "This folder cannot be read: \(String(cString: strerror(errno))).")
            }
            throw ImageError(.io, stage: .load, "This is a folder. Take the images in it with --recursive.")
        }

        /// Standard input can only be read once, so two sources must not name it.
        static func checkStandardInput(_ sources: [String], list: String? = nil) throws {
            guard (sources + (list.map { [$0] } ?? [])).filter({ $0 == "-" }).count <= 1 else {
                throw ValidationError("Standard input can be read only once; name - once.")
            }
        }

        /// One reader at a time: a list may name standard input twice, and the second read finds it empty.
        private static let reading = Mutex(())

        /// `advice`: what to do if there are more bytes than that.
        static func standardInput(
            maximumBytes: Int, advice: String = "Raise --max-bytes to allow it."
        ) throws(ImageError) -> [UInt8] {
            try reading.withLock { _ throws(ImageError) in try readAll(maximumBytes, advice) }
        }

        private static func readAll(_ maximumBytes: Int, _ advice: String) throws(ImageError) -> [UInt8] {
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
                        "Standard input has more than \(maximumBytes) bytes. \(advice)")
                }
            }
        }

        private static func file(_ path: String) throws(ImageError) -> [UInt8] {
            do throws(ImageError) {
                return try POSIXFileSystem().read(path, maximumBytes: 1 << 30, nofollow: false)
            } catch {
                guard error.code == .limitExceeded else { throw error }
                throw ImageError(
                    .limitExceeded, stage: .load, "The list \(path) has more than \(1 << 30) bytes. Make several lists of it.")
            }
        }

        /// The lines of a list file (`-` is standard input): one source each, without surrounding spaces. Empty lines, lines that
        /// begin with #, and a byte order mark are skipped. Everything between two NULs is a source as it is.
        static func list(_ list: ListFile) throws(ImageError) -> [String] {
            let bytes =
                list.path == "-"
                ? try standardInput(maximumBytes: 1 << 30, advice: "Make several lists of it.")
                : try file(WorkingFolder.absolute(list.path))
            if list.endsWithNull { return bytes.split(separator: 0).map(ByteText.text(of:)) }
            let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
            return text.split { $0 == 10 || $0 == 13 }
                .map { line in ByteText.text(of: line.trimmed { $0 == 32 || $0 == 9 }) }
                .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        }
    }

    extension ArraySlice {
        /// The elements without those at both ends that match.
        fileprivate func trimmed(_ isLeftOut: (Element) -> Bool) -> ArraySlice {
            var rest = drop(while: isLeftOut)
            while let last = rest.last, isLeftOut(last) { rest.removeLast() }
            return rest
        }
    }
#endif
