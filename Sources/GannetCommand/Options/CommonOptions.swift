#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetSupport

    enum ProgressChoice: String, ExpressibleByArgument, CaseIterable { case auto, always, never }

    /// Options that every command accepts.
    struct OutputOptions: ParsableArguments {
        @Flag(help: "One JSON object a line on standard output, and nothing else there.")
        var json = false

        @Option(help: "Bars on standard error: auto shows them when it is a terminal.")
        var progress = ProgressChoice.auto
    }

    /// Limits on the cost of one image.
    struct LimitOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("Pixels of one frame at most. (default: \(DecodeLimits.standard.maximumPixels))", valueName: "n"),
            transform: NumberArgument.count)
        var maxPixels = DecodeLimits.standard.maximumPixels

        @Option(
            help: ArgumentHelp(
                "Decoded bytes of one image at most. All decodes together may use twice that, or 1 GiB if it is more. (default: \(DecodeLimits.standard.maximumDecodedBytes))",
                valueName: "bytes"), transform: NumberArgument.bytes)
        var maxMemory = DecodeLimits.standard.maximumDecodedBytes

        @Option(
            help: ArgumentHelp(
                "Bytes of one file at most. (default: \(DecodeLimits.standard.maximumEncodedBytes))", valueName: "bytes"),
            transform: NumberArgument.bytes)
        var maxBytes = DecodeLimits.standard.maximumEncodedBytes

        @Option(
            help: ArgumentHelp(
                "Frames of one animation at most. (default: \(DecodeLimits.standard.maximumFrames))", valueName: "n"),
            transform: NumberArgument.count)
        var maxFrames = DecodeLimits.standard.maximumFrames

        @Option(
            help: ArgumentHelp(
                "Decodes in worker processes that can do nothing else: auto (libraries in C, where the system has a sandbox), require (everything, or the command ends) or no. (default: auto)",
                valueName: "auto|require|no"))
        var sandbox: SandboxChoice?

        @Option(
            help: ArgumentHelp("Seconds one load may take. (default: 60, and 20 for serve)", valueName: "seconds"),
            transform: NumberArgument.seconds)
        var timeout: Double?

        @Option(
            help: ArgumentHelp(
                "Seconds of processor time that decoding may take: reading a file, and each of its frames. (default: 5 for serve, else 60)",
                valueName: "seconds"), transform: NumberArgument.seconds)
        var decodeTime: Double?

        func validate() throws {
            for (name, value) in [
                ("--max-pixels", maxPixels), ("--max-memory", maxMemory), ("--max-bytes", maxBytes), ("--max-frames", maxFrames),
            ] where value < 1 {
                throw ValidationError("\(name) must be 1 or more.")
            }
            for (name, value) in [("--timeout", seconds), ("--decode-time", decodeTime ?? 1)]
            where !(value > 0 && value <= 1_000_000) {
                throw ValidationError("\(name) must be above 0, and at most 1000000.")
            }
        }

        /// Bytes of the largest image that the options allow; 0 if the standard limit applies.
        var largestImage: Int { maxMemory > DecodeLimits.standard.maximumDecodedBytes ? maxMemory : 0 }

        /// The time limit of one load.
        var seconds: Double { timeout ?? 60 }

        var deadlines: LoadDeadlines {
            let standard = LoadDeadlines()
            let total = Duration.seconds(seconds)
            return LoadDeadlines(connect: min(standard.connect, total), idle: min(standard.idle, total), total: total)
        }

        /// For reading headers, which allocates no pixels: only explicit options limit the size.
        var headerLimits: DecodeLimits {
            var limits = decodeLimits
            if maxPixels == DecodeLimits.standard.maximumPixels { limits.maximumPixels = .max }
            if maxMemory == DecodeLimits.standard.maximumDecodedBytes { limits.maximumDecodedBytes = .max }
            return limits
        }

        var decodeLimits: DecodeLimits {
            DecodeLimits(
                maximumPixels: maxPixels, maximumDecodedBytes: maxMemory, maximumEncodedBytes: maxBytes, maximumFrames: maxFrames,
                maximumDecodeTime: decodeTime.map { .seconds($0) } ?? DecodeLimits.standard.maximumDecodeTime)
        }
    }
#endif
