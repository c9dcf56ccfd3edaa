#if CommandLine
    import Gannet
    import GannetCore
    import GannetPipeline

    /// What the command is made of: the coders of this build, and how many threads a decode may use.
    enum Assembly {
        static func decoding(limits: DecodeLimits) -> ImageDecoding {
            ImageDecoding(
                coders: CodersManager([]),
                environment: DecodeEnvironment(limits: limits, threads: BlockingExecutor.processorCount))
        }
    }
#endif
