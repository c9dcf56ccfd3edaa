#if CommandLine
    import GannetCore
    import GannetImages

    /// The formats that names of files are known by: the built-in ones, and those that coders of this build add to them.
    enum KnownFormats {
        private static let added = Assembly.coders.formats.filter { !ImageFormat.builtIn.contains($0) }

        /// The format with this identifier, file extension or MIME type, ignoring case.
        static func named(_ name: String) -> ImageFormat? {
            if let format = ImageFormat.named(name) { return format }
            let name = name.lowercased()
            return added.first { $0.identifier == name || $0.fileExtensions.contains(name) || $0.mimeTypes.contains(name) }
        }

        /// Whether files with this extension are images, as far as a folder of anything tells: videos are not, and most JSON is no
        /// animation.
        static func isOfImages(_ fileExtension: String) -> Bool {
            guard fileExtension.lowercased() != "json", let format = named(fileExtension) else { return false }
            return !format.mimeTypes.contains { $0.hasPrefix("video/") }
        }
    }
#endif
