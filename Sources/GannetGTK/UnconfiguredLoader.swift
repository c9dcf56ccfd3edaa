#if GTK
    import GannetCore
    import GannetPipeline

    /// What widgets load with until the program says with what.
    struct UnconfiguredLoader: ImageLoading {
        func cachedImage(for request: ImageRequest) -> LoadedImage? { nil }

        func startLoad(_ request: ImageRequest) -> PresentedLoad {
            let error = ImageError(
                .misuse, stage: .resolve, "No image manager is set: assign one to GannetToolkit.loader at the program's start.")
            let (stream, continuation) = AsyncStream<ImageTaskEvent>.makeStream()
            continuation.yield(.finished(.failure(error)))
            continuation.finish()
            return PresentedLoad(events: stream, cancel: {})
        }
    }
#endif
