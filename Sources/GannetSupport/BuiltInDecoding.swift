#if CommandLine
    import GannetCodecs
    package import GannetCore
    package import GannetImages
    import GannetPlatform

    extension ImageDecoding {
        /// Decoding with every coder of this build, on all processors.
        package static func builtIn(limits: DecodeLimits, budget: ResourceBudget = .unlimited) -> ImageDecoding {
            ImageDecoding(
                coders: CodersManager(BuiltInCoders.all),
                environment: DecodeEnvironment(
                    limits: limits, budget: budget, colorManager: BuiltInCoders.colorManager,
                    threads: BlockingExecutor.processorCount))
        }
    }
#endif
