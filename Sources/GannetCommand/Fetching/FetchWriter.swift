#if CommandLine
    import Gannet
    import GannetCommandSupport
    import GannetCore
    import GannetImages
    import GannetPlatform
    import Glibc
    import Synchronization

    /// Encodes a loaded image and writes it, or writes the source's own bytes if nothing was to be changed.
    struct FetchWriter: Sendable {
        var names: OutputNames
        /// The value of `--format`.
        var format: ImageFormat?
        var quality: Int?
        var coders: CodersManager
        var limits: LimitOptions

        /// What was written where.
        struct Written: Sendable {
            var path: String
            var format: ImageFormat?
            var bytes: Int
            /// Nil: all that the image has.
            var frames: Int?
        }

        var isWanted: Bool { names.isWanted }

        func write(_ loaded: LoadedImage, isUntouched: Bool, source: String) async throws(ImageError) -> Written {
            let own = loaded.image.metadata.format ?? loaded.encoded?.format
            let wanted = format ?? names.formatOfPath
            let (names, coders, quality, limits) = (names, coders, quality, limits)
            return try await BlockingExecutor.decoding.run { () throws(ImageError) -> Written in
                let bytes: ByteRope
                let written: ImageFormat?
                var frames: Int?
                if isUntouched, quality == nil, let encoded = loaded.encoded, wanted == nil || wanted == own {
                    (bytes, written) = (encoded.bytes, own)
                } else {
                    let encoding = ImageEncoding(coders: coders)
                    let encoded = try encoding.encode(loaded.image, options: EncodeOptions(format: wanted, quality: quality))
                    (bytes, written) = (encoded.bytes, encoded.format)
                    // Not every format stores more than one.
                    if loaded.image.isAnimated { frames = WrittenImage.header(of: bytes, limits)?.frameCount }
                }
                let path = try names.path(for: source, format: written)
                try OutputFile.write(bytes.chunks, to: path)
                return Written(path: path, format: written, bytes: bytes.count, frames: frames)
            }
        }
    }

    /// Chooses the names of written files.
    final class OutputNames: Sendable {
        private let path: String?
        private let folder: String?
        /// Other processes write into the same folder, each its share of the same sources.
        private let isShared: Bool
        /// The folder of ``path`` is made if it is missing.
        private let makesFolder: Bool
        /// Keeps two sources with the same name from overwriting each other.
        private let given: Mutex<Given>
        /// Source files are not overwritten either: other jobs of this run may not have read them yet.
        private let sources: Set<FileNumber>

        private struct Name {
            /// With the folder, and with a number if the name was taken.
            var stem: String
            /// With its dot.
            var ending: String
        }

        /// Names in ``folder``.
        private struct Given {
            var taken: Set<String> = []
            /// How often a name was requested, so that the next search does not start at 1 again.
            var numbers: [String: Int] = [:]
            /// Names for all sources, chosen before the run starts: jobs do not finish in the order of the list, and the next run
            /// must choose the same names. If a source is listed several times, its last name comes first.
            var planned: [String: [Name]] = [:]
        }

        /// `sources`: the files to write, in order, as `format` if one was requested. `read`: other files that the run reads.
        /// With `isShared`, processes that got the same `sources` choose different names for different ones.
        init(
            path: String?, folder: String?, sources: [String] = [], format: ImageFormat? = nil, read: [String] = [],
            isShared: Bool = false, makesFolder: Bool = false
        ) {
            self.path = path
            self.isShared = isShared
            self.makesFolder = makesFolder
            self.folder = folder
            let files = folder == nil ? [] : Set((sources + read).compactMap(FileNumber.init(source:)))
            self.sources = files
            var given = Given()
            if let folder {
                for source in sources {
                    let wanted = Self.wanted(source, format, in: folder)
                    given.planned[source, default: []].append(Self.free(wanted, &given, files))
                }
                given.planned = given.planned.mapValues { $0.reversed() }
            }
            self.given = Mutex(given)
        }

        /// Identifies a file, whatever its names.
        private struct FileNumber: Hashable {
            var device: UInt
            var inode: UInt

            init?(path: String) {
                var status = stat()
                guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
                (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
            }

            /// Nil if the source is not a file.
            init?(source: String) {
                guard source != "-", case .file(let path) = SourceArgument.meaning(source) else { return nil }
                self.init(path: path)
            }
        }

        var isWanted: Bool { path != nil || folder != nil }

        /// The format that the extension of `-o` implies.
        var formatOfPath: ImageFormat? {
            path.flatMap { Self.split($0).extension }.flatMap { ImageFormat.named($0) }
        }

        func path(for source: String, format: ImageFormat?) throws(ImageError) -> String {
            if let path {
                let absolute = WorkingFolder.absolute(path)
                if makesFolder, let slash = absolute.lastIndex(of: "/") { try OutputFile.makeFolder(String(absolute[..<slash])) }
                return path
            }
            guard let folder else { throw ImageError(.misuse, stage: .store, "There is no place to write to; use -o or -O.") }
            try OutputFile.makeFolder(folder)
            var name = Self.wanted(source, format, in: folder)
            return given.withLock { given in
                if let kept = given.planned[source]?.popLast() {
                    if kept.ending == name.ending { return kept.stem + kept.ending }
                    // `a/p.jpg` and `b/p.gif` may both be PNG: each process knows only its own. Planned names differ with their
                    // endings.
                    name.stem = kept.stem + (isShared ? kept.ending : "")
                }
                let free = Self.free(name, &given, sources)
                return free.stem + free.ending
            }
        }

        /// The path that ``path(for:format:)`` will give if the image is of this format; nil if only its content can tell.
        func plannedPath(for source: String, format: ImageFormat?) -> String? {
            if let path { return path }
            guard let name = given.withLock({ $0.planned[source]?.last }), format != nil || !name.ending.isEmpty else {
                return nil
            }
            return name.stem + name.ending
        }

        /// Keeps the source's extension if it belongs to the format.
        private static func wanted(_ source: String, _ format: ImageFormat?, in folder: String) -> Name {
            let (stem, old) = split(name(for: source))
            let keeps = old.map { format?.fileExtensions.contains($0.lowercased()) ?? true } ?? false
            return Name(
                stem: folder + "/" + stem, ending: (keeps ? old : format?.fileExtensions.first).map { "." + $0 } ?? "")
        }

        /// The first variant of `name` that is neither taken nor a source file.
        private static func free(_ name: Name, _ given: inout Given, _ sources: Set<FileNumber>) -> Name {
            let wanted = name.stem + name.ending
            var result = name
            var number = given.numbers[wanted] ?? 0
            repeat {
                number += 1
                if number > 1 { result.stem = "\(name.stem)-\(number)" }
            } while isSource(result.stem + result.ending, sources) || !given.taken.insert(result.stem + result.ending).inserted
            given.numbers[wanted] = number
            return result
        }

        private static func isSource(_ path: String, _ sources: Set<FileNumber>) -> Bool {
            !sources.isEmpty && FileNumber(path: path).map(sources.contains) ?? false
        }

        /// The last part of the path in a URL or file name, without characters that cause trouble in file systems or shells.
        static func name(for source: String) -> String {
            if source == "-" { return "stdin" }
            if source.hasPrefix("data:") { return "data" }
            let source = TextRedaction.text(source)
            var text = source[...]
            if source.contains("://") { text = text.prefix { $0 != "?" && $0 != "#" } }
            let part = text.split(separator: "/").last.map(String.init) ?? "image"
            let last = source.contains("://") ? unescaped(part) : part
            let safe = last.unicodeScalars.map { scalar -> Character in
                let isFine =
                    scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value)
                    && !"/\\:*?\"<>|%".unicodeScalars.contains(scalar)
                return isFine ? Character(scalar) : "_"
            }
            // No hidden files, and no names that programs take for options.
            var name = String(String(safe).drop { $0 == "." || $0 == "-" }.prefix(120))
            // File names are limited to 255 bytes; the extension and a number need some of them.
            while name.utf8.count > 200 { name.removeLast() }
            return name.isEmpty ? "image" : name
        }

        /// `my%20photo` becomes `my photo`; text that would not be UTF-8 then stays as it is.
        private static func unescaped(_ text: String) -> String {
            String(validating: PercentEncoding.decoded(text.utf8), as: UTF8.self) ?? text
        }

        /// Splits `a.b.png` into `a.b` and `png`; only extensions of known formats count.
        static func split(_ name: String) -> (stem: String, extension: String?) {
            guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, nil) }
            let ending = String(name[name.index(after: dot)...])
            return ImageFormat.named(ending) == nil || ending.contains("/") ? (name, nil) : (String(name[..<dot]), ending)
        }
    }
#endif
