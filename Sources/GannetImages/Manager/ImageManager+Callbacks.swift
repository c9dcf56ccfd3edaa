public import GannetCore

extension ImageManager {
    /// For code that is not async yet: the same load as ``task(for:)``, with closures for its events.
    ///
    /// `progress` and `preview` may be skipped when they come faster than they are taken; `completion` is called exactly once and
    /// last, also after ``ImageTask/cancel()``. A closure behind the call is the completion: `load(request) { result in … }`.
    ///
    /// `executor` runs the closures: each once, in the order they come, for example `{ queue.async(execute: $0) }`. By default
    /// they run on whatever thread the result is made, and must return quickly.
    /// - SDWebImage: callbackQueue
    @discardableResult
    public func load(
        _ request: ImageRequest,
        on executor: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
        progress: (@Sendable (LoadProgress) -> Void)? = nil,
        preview: (@Sendable (DecodedImage) -> Void)? = nil,
        completion: @escaping @Sendable (Result<LoadedImage, ImageError>) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        // Ends with the load, which always ends. It is never cancelled, so the completion is never lost.
        Task {
            for await event in task.events {
                switch event {
                case .progress(let step): if let progress { executor { progress(step) } }
                case .preview(let image): if let preview { executor { preview(image) } }
                case .stale(let stale): if let preview { executor { preview(stale.image) } }
                case .finished(let result): executor { completion(result) }
                }
            }
        }
        return task
    }
}
