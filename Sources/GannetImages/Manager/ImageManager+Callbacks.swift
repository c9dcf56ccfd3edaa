public import GannetCore

/// Where a callback runs: a queue, a loop, or right where the result is made. - SDWebImage: callbackQueue
public struct CallbackExecutor: Sendable {
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// `enqueue` must run each closure once, in the order they come, for example `{ queue.async(execute: $0) }`.
    public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.enqueue = enqueue }

    /// On whatever thread the result is made. Must return quickly.
    public static let direct = CallbackExecutor { $0() }

    func run(_ body: @escaping @Sendable () -> Void) { enqueue(body) }
}

extension ImageManager {
    /// For code that is not async yet: the same load as ``task(for:)``, told by closures.
    ///
    /// `progress` and `preview` may be skipped when they come faster than they are taken; `completion` is called exactly once and
    /// last, also after ``ImageTask/cancel()``. A closure behind the call is the completion: `load(request) { result in … }`.
    @discardableResult
    public func load(
        _ request: ImageRequest, on executor: CallbackExecutor = .direct,
        progress: (@Sendable (LoadProgress) -> Void)? = nil,
        preview: (@Sendable (DecodedImage) -> Void)? = nil,
        completion: @escaping @Sendable (Result<LoadedImage, ImageError>) -> Void
    ) -> ImageTask {
        let task = task(for: request)
        // Ends with the load, which always ends. It is never cancelled, so the completion is never lost.
        Task {
            for await event in task.events {
                switch event {
                case .progress(let step): if let progress { executor.run { progress(step) } }
                case .preview(let image): if let preview { executor.run { preview(image) } }
                case .stale(let stale): if let preview { executor.run { preview(stale.image) } }
                case .finished(let result): executor.run { completion(result) }
                }
            }
        }
        return task
    }
}
