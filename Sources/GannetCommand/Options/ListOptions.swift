#if CommandLine
    import ArgumentParser

    /// `--list`, for the commands that take many sources.
    struct ListOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("More sources, one a line; # begins a comment; - is standard input.", valueName: "file"),
            completion: .file())
        var list: String?

        @Flag(
            name: [.customShort("0"), .long],
            help: "Sources in the list end with a NUL, as `find -print0` writes them: every name can stand there.")
        var null = false

        /// Nil: there is none.
        var file: ListFile? { list.map { ListFile(path: $0, endsWithNull: null) } }

        func validate() throws {
            if null, list == nil { throw ValidationError("--null is for the names in a --list.") }
        }
    }

    /// A file with sources.
    struct ListFile: Sendable {
        /// `-` is standard input.
        var path: String
        /// Each name ends with a NUL, not with its line.
        var endsWithNull: Bool
    }

    /// `--recursive`, for the commands that take folders.
    struct FolderOptions: ParsableArguments {
        @Flag(
            name: .shortAndLong,
            help: "Takes the images in folders too, known by their extensions. With -O the folders inside of them are kept.")
        var recursive = false
    }
#endif
