#if CommandLine
    import Gannet
    import GannetCodecs
    import GannetCore
    import GannetPipeline

    /// What the command is made of: the coders of this build, and how many threads a decode may use.
    enum Assembly {
        static var coders: [any ImageCoder] {
            var coders: [any ImageCoder] = []
            #if JPEG
                coders.append(JPEGCoder())
            #endif
            return coders
        }

        static func decoding(limits: DecodeLimits) -> ImageDecoding {
            ImageDecoding(
                coders: CodersManager(coders),
                environment: DecodeEnvironment(limits: limits, threads: BlockingExecutor.processorCount))
        }
    }
#endif
