#if CommandLine && GTK
    import Gannet
    import GannetCore
    import GannetGTK

    /// The images to show, from the arguments of `gannet view`.
    enum ViewSources {
        struct Item: Sendable {
            var item: GalleryItem
            /// The source as given, for messages; an image in a folder has the folder's name before it.
            var text: String
        }

        static func items(
            _ names: [String], _ list: ListFile? = nil, limits: DecodeLimits, deadlines: LoadDeadlines
        ) throws(ImageError) -> [Item] {
            var items: [Item] = []
            for source in try ImageFolder.expanded(SourceArgument.all(names, list)) {
                let text = source.text
                let meaning = try SourceArgument.source(text, maximumBytes: limits.maximumEncodedBytes)
                items.append(Item(item: GalleryItem(request(meaning, limits, deadlines)), text: text))
            }
            return items
        }

        static func request(_ source: ImageSource, _ limits: DecodeLimits, _ deadlines: LoadDeadlines) -> ImageRequest {
            var request = ImageRequest(source: source)
            request.decode.limits = limits
            request.download.deadlines = deadlines
            return request
        }
    }
#endif
