#if GTK
    public import GannetCore

    /// An image of a gallery.
    public struct GalleryItem: Sendable {
        /// Leave its size open: the wall and the open view each set their own. The part of a file that ends early is shown, unless
        /// `decode.allowsPartial` is false.
        public var request: ImageRequest
        /// The name for the title, and for screen readers.
        public var name: String

        /// `name` nil: the end of the source's path.
        public init(_ request: ImageRequest, name: String? = nil) {
            self.request = request
            self.name = name ?? request.source.shortName
        }

        /// The request as the window loads it.
        var shown: ImageRequest {
            var shown = request
            shown.decode.allowsPartial = shown.decode.allowsPartial ?? true
            return shown
        }
    }
#endif
