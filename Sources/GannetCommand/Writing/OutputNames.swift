#if CommandLine
    import GannetCore
    import GannetPlatform
    import Synchronization

    /// Chooses the paths of written files, and writes them.
    final class OutputNames: Sendable {
        private let path: String?
        private let folder: String?
        /// Other processes write into the same folder, each its share of the same sources.
        private let isShared: Bool
        /// The folder of ``path`` is made if it is missing.
        private let makesFolder: Bool
        private let replacing: Replacing
        /// Keeps two sources with the same name from overwriting each other.
        private let given: Mutex<Given>
        /// Source files are not overwritten: other jobs of this run may not have read them yet.
        private let sources: Set<FileNumber>

        /// The files that an output may replace.
        enum Replacing: Sendable {
            /// `--force`
            case everything
            /// All but what is read.
            case others
            /// Neither what is read nor images. In a folder those of the same source are replaced.
            case noImage
        }

        /// A name in ``folder``.
        private struct Place {
            /// Below ``folder``, with a slash at the end.
            var subfolder: String
            var name: OutputName
        }

        /// Names in ``folder``, by their bytes: texts that look equal may be names of two files.
        private struct Given {
            var taken: Set<[UInt8]> = []
            /// Up to which number all variants of a name are taken, so that the next search does not start at 1 again.
            var numbers: [[UInt8]: Int] = [:]
            /// Names for all sources, chosen before the run starts: jobs do not finish in the order of the list, and the next run
            /// must choose the same names. If a source is listed several times, its last name comes first.
            var planned: [[UInt8]: [Place]] = [:]
        }

        /// `sources`: all that are written, in order, as `format` if one was requested. `read`: other files that the run reads.
        /// With `isShared`, processes that got the same `sources` choose different names for different ones.
        init(
            path: String?, folder: String?, sources: [SourceItem] = [], format: ImageFormat? = nil, read: [String] = [],
            isShared: Bool = false, makesFolder: Bool = false, replacing: Replacing
        ) {
            self.path = path
            self.isShared = isShared
            self.makesFolder = makesFolder
            self.folder = folder
            self.replacing = replacing
            let isWanted = path != nil || folder != nil
            self.sources = isWanted ? Set((sources.map(\.text) + read).compactMap(FileNumber.init(source:))) : []
            given = Mutex(Given())
            guard folder != nil else { return }
            given.withLock { given in
                for source in sources {
                    let wanted = Place(subfolder: source.subfolder, name: OutputName(for: source.text, format))
                    given.planned[Self.key(source.text), default: []].append(free(wanted, for: source.text, &given))
                }
                given.planned = given.planned.mapValues { $0.reversed() }
            }
        }

        private static func key(_ text: String) -> [UInt8] { ByteText.bytes(of: text) }

        var isWanted: Bool { path != nil || folder != nil }

        /// The format that the extension of `-o` implies.
        var formatOfPath: ImageFormat? {
            path.flatMap { OutputName.split($0).extension }.flatMap { KnownFormats.named($0) }
        }

        /// The path to write to, with the extension of the format. Chosen once for each source.
        func path(for source: String, format: ImageFormat?) throws(ImageError) -> String {
            if let path { return path }
            guard let folder else { throw ImageError(.misuse, stage: .store, "There is no place to write to; use -o or -O.") }
            var wanted = Place(subfolder: "", name: OutputName(for: source, format))
            let place = given.withLock { given in
                if let kept = given.planned[Self.key(source)]?.popLast() {
                    if kept.name.ending == wanted.name.ending { return kept }
                    wanted.subfolder = kept.subfolder
                    // `a/p.jpg` and `b/p.gif` may both be PNG: each process knows only its own. Planned names differ with their
                    // endings.
                    wanted.name.stem = kept.name.stem + (isShared ? kept.name.ending : "")
                }
                return free(wanted, for: source, &given)
            }
            return folder + "/" + place.subfolder + place.name.text
        }

        /// The path that ``path(for:format:)`` will give if the image is of this format; nil if only its content can tell.
        func plannedPath(for source: String, format: ImageFormat?) -> String? {
            if let path { return path }
            guard let folder, let place = given.withLock({ $0.planned[Self.key(source)]?.last }),
                format != nil || !place.name.ending.isEmpty
            else { return nil }
            return folder + "/" + place.subfolder + place.name.text
        }

        /// The first variant of the name that is neither taken, nor a source file, nor an image of another source.
        private func free(_ wanted: Place, for source: String, _ given: inout Given) -> Place {
            let base = Self.key(wanted.subfolder + wanted.name.text)
            let mark = SourceMark(of: source)
            var settled = given.numbers[base] ?? 0
            var (number, isTaken) = (settled, true)
            var result = wanted
            while true {
                number += 1
                result.name = wanted.name.numbered(number)
                let text = wanted.subfolder + result.name.text
                let path = (folder ?? "") + "/" + text
                let file = FileNumber(path: path)
                let isOthers = file != nil && replacing != .everything && mark.isOn(path) == false
                let isFree = !isOthers && !(file.map(sources.contains) ?? false) && given.taken.insert(Self.key(text)).inserted
                // Another source may find its own image there.
                if isOthers { isTaken = false }
                if isTaken { settled = number }
                if isFree { break }
            }
            given.numbers[base] = settled
            return result
        }

        /// Throws `misuse` if the path leads to a file that the output must not replace. Blocks.
        func check(_ path: String, of source: String) throws(ImageError) {
            guard replacing != .everything, !OutputFile.isStandardOutput(path), let file = ExistingFile(path) else { return }
            if sources.contains(file.number) {
                throw ImageError(
                    .misuse, stage: .store, "\(path) is read here too. Name another path, or replace it with --force.")
            }
            guard replacing == .noImage, file.isImage, folder == nil || SourceMark(of: source).isOn(path) != true else { return }
            throw ImageError(
                .misuse, stage: .store,
                folder == nil
                    ? "\(path) is there and is an image. Replace it with --force, or name a folder for several images with -O."
                    : "\(path) is there, and was not made of this source. Replace it with --force, or leave it with --skip-existing."
            )
        }

        /// Writes the file completely or not at all, into a folder that is made if need be. Blocks.
        func write(_ pieces: [[UInt8]], to path: String, of source: String) throws(ImageError) {
            try check(path, of: source)
            let absolute = WorkingFolder.absolute(path)
            if folder != nil || makesFolder, let slash = absolute.lastIndex(of: "/") {
                try OutputFile.makeFolder(String(absolute[..<slash]))
            }
            try OutputFile.write(pieces, to: path)
            if folder != nil { SourceMark(of: source).put(on: path) }
        }
    }
#endif
