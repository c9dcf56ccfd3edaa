#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetServer

    /// Purges of `gannet serve`.
    struct PurgeOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "A file with a key of signed purges, as --key-file has it; repeated while keys are exchanged. With it POST /purge is answered, and answers have Cache-Tag and Surrogate-Key.",
                valueName: "file"), completion: .file())
        var purgeKeyFile: [String] = []

        var keys: SigningKeys? {
            get throws(ImageError) {
                if purgeKeyFile.isEmpty { return nil }
                var keys: [SigningKeys.Key] = []
                for path in purgeKeyFile { keys.append(SigningKeys.Key(secret: try SigningKeys.read(path))) }
                return SigningKeys(keys: keys)
            }
        }
    }
#endif
