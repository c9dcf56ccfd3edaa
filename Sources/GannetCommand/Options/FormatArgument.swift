#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetPlatform

    /// A format that this build writes, by name, extension or MIME type.
    struct FormatArgument {
        var format: ImageFormat

        init(parsing text: String) throws {
            guard let format = KnownFormats.named(text) else {
                throw ValidationError("there is no such format; this gannet writes \(Self.list).")
            }
            self.format = try Self.checked(format)
        }

        /// The format of the extension of `path`; nil: it is no extension of a known format.
        static func of(path: String) throws -> ImageFormat? {
            try OutputName.split(path).extension.flatMap { KnownFormats.named($0) }.map(checked)
        }

        private static func checked(_ format: ImageFormat) throws -> ImageFormat {
            guard written.contains(format) else {
                throw ValidationError("this gannet does not write \(format); it writes \(list).")
            }
            return format
        }

        /// For people: `jpeg, png, gif`.
        static var list: String { written.map(\.identifier).joined(separator: ", ") }

        static let written: [ImageFormat] = {
            let coders = Assembly.coders
            return ImageFormat.builtIn.filter { (try? coders.encoder(for: $0, options: EncodeOptions(format: $0))) != nil }
        }()

        static let help = ArgumentHelp("Format to write: \(list).", valueName: "format")
        static let completions = CompletionKind.list(written.map(\.identifier))
    }
#endif
