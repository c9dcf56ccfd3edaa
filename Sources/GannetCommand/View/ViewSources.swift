#if CommandLine && GTK
    import Gannet
    import GannetCore
    import GannetGTK
    import GannetPipeline

    /// What `gannet view` was asked to show.
    enum ViewSources {
        private static let files = POSIXFileSystem()

        static func items(sources: [String], list: String?, limits: LimitOptions) throws(ImageError) -> [GalleryItem] {
            var names = sources
            if let list { names += try SourceArgument.list(list) }
            var items: [GalleryItem] = []
            for name in names {
                let path = WorkingFolder.absolute(name)
                if !name.contains("://"), (try? files.status(path).kind) == .directory {
                    try collect(path, depth: 0, limits, into: &items)
                } else {
                    let source = try SourceArgument.source(
                        name.contains("://") || name.hasPrefix("data:") || name == "-" ? name : path,
                        maximumBytes: limits.maxBytes)
                    items.append(item(source, limits))
                }
            }
            return items
        }

        /// Files that a coder of this build recognises by their name, sorted.
        private static func collect(
            _ folder: String, depth: Int, _ limits: LimitOptions, into items: inout [GalleryItem]
        ) throws(ImageError) {
            for name in try files.list(folder).sorted() {
                let path = folder + "/" + name
                guard let kind = try? files.status(path).kind else { continue }
                switch kind {
                case .directory: if depth < 16 { try collect(path, depth: depth + 1, limits, into: &items) }
                case .file:
                    let suffix = name.split(separator: ".").last.map(String.init) ?? ""
                    guard items.count < 100_000, ImageFormat.named(suffix) != nil else { continue }
                    items.append(item(.file(path), limits))
                case .link, .other: break
                }
            }
        }

        private static func item(_ source: ImageSource, _ limits: LimitOptions) -> GalleryItem {
            GalleryItem(request(source, limits.decodeLimits, limits.deadlines))
        }

        static func request(_ source: ImageSource, _ limits: DecodeLimits, _ deadlines: LoadDeadlines) -> ImageRequest {
            var request = ImageRequest(source: source)
            request.decode.limits = limits
            request.download.deadlines = deadlines
            return request
        }
    }
#endif
