#if CommandLine && GTK
    import Gannet
    import GannetCore
    import GannetGTK
    import GannetPlatform
    import Glibc

    /// The images to show, from the arguments of `gannet view`.
    enum ViewSources {
        private static let files = POSIXFileSystem()

        struct Item: Sendable {
            var item: GalleryItem
            /// The argument as given, for messages; for an image in a folder its path.
            var text: String
        }

        static func items(
            sources: [String], list: String?, limits: DecodeLimits, deadlines: LoadDeadlines
        ) throws(ImageError) -> [Item] {
            let bounds = (limits, deadlines)
            var names = sources
            if let list { names += try SourceArgument.list(list) }
            var items: [Item] = []
            for name in names {
                if name != "-", case .file(let path) = SourceArgument.meaning(name), kind(path) == S_IFDIR {
                    // With a slash at the end, a link to a folder means the folder.
                    try collect(path.hasSuffix("/") ? path : path + "/", depth: 0, bounds, into: &items)
                } else {
                    let source = try SourceArgument.source(name, maximumBytes: limits.maximumEncodedBytes)
                    items.append(item(source, name, bounds))
                }
            }
            return items
        }

        /// The file type at `path`, links followed; nil if nothing is there.
        private static func kind(_ path: String) -> mode_t? {
            var status = stat()
            return path.withPath { stat($0, &status) } == 0 ? status.st_mode & S_IFMT : nil
        }

        /// Finds files whose name a coder of this build recognises, sorted.
        private static func collect(
            _ folder: String, depth: Int, _ bounds: (DecodeLimits, LoadDeadlines), into items: inout [Item]
        ) throws(ImageError) {
            for name in try files.list(folder).sorted() {
                let path = folder + name
                guard let kind = try? files.status(path).kind else { continue }
                switch kind {
                case .directory: if depth < 16 { try collect(path + "/", depth: depth + 1, bounds, into: &items) }
                // Links to folders may form a cycle; links to images are followed.
                case .link, .file:
                    guard kind == .file || self.kind(path) == S_IFREG else { continue }
                    let suffix = name.split(separator: ".").last.map(String.init) ?? ""
                    guard items.count < 100_000, ImageFormat.named(suffix) != nil else { continue }
                    items.append(item(.file(path), path, bounds))
                case .other: break
                }
            }
        }

        private static func item(_ source: ImageSource, _ text: String, _ bounds: (DecodeLimits, LoadDeadlines)) -> Item {
            Item(item: GalleryItem(request(source, bounds.0, bounds.1)), text: text)
        }

        static func request(_ source: ImageSource, _ limits: DecodeLimits, _ deadlines: LoadDeadlines) -> ImageRequest {
            var request = ImageRequest(source: source)
            request.decode.limits = limits
            request.download.deadlines = deadlines
            return request
        }
    }
#endif
