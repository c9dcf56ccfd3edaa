#if CommandLine
    import ArgumentParser
    import GannetCodecs
    import GannetCore
    import GannetImages

    /// Prints the entry by which the file managers of GNOME, Cinnamon, MATE and Xfce have `gannet` make their thumbnails. Installers
    /// call it.
    struct ThumbnailerCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "thumbnailer", abstract: "Prints the file gannet.thumbnailer, with the formats that this build reads.")

        func run() throws { Lines.print(Self.entry(for: CodersManager(BuiltInCoders.all).formats)) }

        /// The name that a file manager passes for the result exists already, and has no extension. It scales nothing up.
        static func entry(for formats: [ImageFormat]) -> String {
            let types = Set(formats.flatMap(\.mimeTypes)).sorted().map { $0 + ";" }.joined()
            return """
                [Thumbnailer Entry]
                TryExec=gannet
                Exec=gannet convert --thumbnail %sx%s --page 0 --format png --force %i %o
                MimeType=\(types)
                """
        }
    }
#endif
