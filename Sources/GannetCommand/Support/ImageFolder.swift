#if CommandLine
    import GannetCore
    import GannetPlatform
    import Glibc

    /// The images in folders, known by their extensions.
    enum ImageFolder {
        private static let files = POSIXFileSystem()
        private static let deepest = 64
        /// Images that one command takes from folders.
        static let most = 1_000_000

        /// The sources with the images of each folder in its place, sorted by name. Blocks. Throws `limitExceeded` for more than ``most``.
        static func expanded(_ names: [String], except output: String? = nil) throws(ImageError) -> [SourceItem] {
            let output = output.flatMap { FileNumber(path: $0) }
            var items: [SourceItem] = []
            for name in names {
                guard let path = folder(name) else {
                    items.append(SourceItem(text: name))
                    continue
                }
                // A link to a folder means the folder.
                let start = path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
                try collect(Place(path: start, shown: isFileURL(name) ? start : shown(name)), output, into: &items)
            }
            return items
        }

        /// The path, if the source is a folder.
        static func folder(_ source: String) -> String? {
            guard source != "-", case .file(let path) = SourceArgument.meaning(source), kind(path) == S_IFDIR else { return nil }
            return path
        }

        private struct Place {
            /// Absolute, with a slash at the end.
            var path: String
            /// The folder as the user named it, with a slash at the end.
            var shown: String
            var subfolder = ""
            var depth = 0

            func inside(_ name: String) -> Place {
                let part = name + "/"
                return Place(path: path + part, shown: shown + part, subfolder: subfolder + part, depth: depth + 1)
            }
        }

        private static func isFileURL(_ name: String) -> Bool { name.prefix(5).lowercased() == "file:" }

        private static func shown(_ name: String) -> String { name.utf8.last == UInt8(ascii: "/") ? name : name + "/" }

        private static func collect(_ place: Place, _ output: FileNumber?, into items: inout [SourceItem]) throws(ImageError) {
            if let output, FileNumber(path: place.path) == output { return }
            guard let names = try? files.list(place.path).sorted() else {
                // Loading it fails, and says why.
                items.append(SourceItem(text: place.shown))
                return
            }
            for name in names {
                let path = place.path + name
                switch (try? files.status(path))?.kind {
                case .directory: if place.depth < deepest { try collect(place.inside(name), output, into: &items) }
                // Links to folders may form a cycle; links to images are followed.
                case .link where kind(path) == S_IFREG, .file:
                    guard let ending = OutputName.split(name).extension, KnownFormats.isOfImages(ending) else { continue }
                    guard items.count < most else {
                        throw ImageError(
                            .limitExceeded, stage: .resolve,
                            "There are more than \(most) images in it. Name its folders one by one.")
                    }
                    items.append(SourceItem(text: place.shown + name, subfolder: place.subfolder))
                default: break
                }
            }
        }

        /// The file type at `path`, links followed; nil if nothing is there.
        private static func kind(_ path: String) -> mode_t? {
            var status = stat()
            return path.withPath { stat($0, &status) } == 0 ? status.st_mode & S_IFMT : nil
        }
    }
#endif
