#if CommandLine
    import GannetCore
    import GannetImages

    /// The formats that names of files are known by: the built-in ones, and those that coders of this build add to them.
    enum KnownFormats {
        private static let read = Assembly.coders.formats

        /// The format with this identifier, file extension or MIME type, ignoring case.
        static func named(_ name: String) -> ImageFormat? {
            if let format = ImageFormat.named(name) { return format }
            let name = name.lowercased()
            return read.first { $0.identifier == name || $0.fileExtensions.contains(name) || $0.mimeTypes.contains(name) }
        }

        /// Whether files with this extension are images, as far as a folder of anything tells: videos are not, and most JSON is no
        /// animation.
        static func isOfImages(_ fileExtension: String) -> Bool {
            let name = fileExtension.lowercased()
            return name != "json"
                && read.contains { format in
                    format.fileExtensions.contains(name) && !format.mimeTypes.allSatisfy { $0.hasPrefix("video/") }
                }
        }
    }
#endif
