#if CommandLine
    import ArgumentParser
    import GannetCore

    /// `--thumbnail` and `--mode`.
    struct SizeOptions: ParsableArguments {
        @Option(help: ThumbnailSize.help, transform: ThumbnailSize.init(parsing:))
        var thumbnail: ThumbnailSize?

        @Option(help: ArgumentHelp("How --thumbnail meets its box. Never enlarges. (default: fit)"))
        var mode: ModeArgument?

        /// Nil: full size.
        var target: TargetSize? { thumbnail?.target(mode) }

        /// The mode has no effect without a size.
        func validate() throws {
            if mode != nil, thumbnail == nil {
                throw ValidationError("--mode says how --thumbnail meets its box; name one, like --thumbnail 400x300.")
            }
        }
    }

    /// `--force`
    struct ForceOptions: ParsableArguments {
        @Flag(help: "Replaces images that are there already, and the source itself.")
        var force = false

        /// The files that may be replaced; `standard` without `--force`.
        func replacing(_ standard: OutputNames.Replacing) -> OutputNames.Replacing { force ? .everything : standard }
    }

    /// How written images are encoded.
    struct EncodeArguments: ParsableArguments {
        @Option(help: FormatArgument.help, completion: FormatArgument.completions, transform: FormatArgument.init(parsing:))
        var format: FormatArgument?

        @Option(
            help: ArgumentHelp("0 to 100, for formats that lose something.", valueName: "n"), transform: NumberArgument.quality)
        var quality: Int?

        @Flag(help: "Leaves the gain map out, which makes highlights brighter than white on displays that can.")
        var noGainMap = false
    }
#endif
