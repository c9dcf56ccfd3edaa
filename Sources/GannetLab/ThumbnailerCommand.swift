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

        /// Some file managers read the result through the file that they have made and keep open, so it is filled, and not replaced.
        static func entry(for formats: [ImageFormat]) -> String {
            // Most files of the first type are no images; desktops have thumbnailers for the others.
            let others: Set = ["application/json", "application/pdf", "application/x-pdf"]
            let types = Set(formats.flatMap(\.mimeTypes)).subtracting(others).sorted().map { $0 + ";" }.joined()
            return """
                [Thumbnailer Entry]
                TryExec=gannet
                Exec=sh -c 'exec gannet convert --thumbnail "$1x$1" --page 0 --format png "$2" - >"$3"' gannet %s %i %o
                MimeType=\(types)
                """
        }
    }
#endif
