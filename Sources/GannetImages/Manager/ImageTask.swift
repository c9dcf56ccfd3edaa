public import GannetCore
import GannetFetch
import Synchronization

/// An event of a running load.
public enum ImageTaskEvent: Sendable {
    /// More bytes have arrived.
    case progress(LoadProgress)
    /// The image so far; each is better than the one before, none comes after `finished`. Animations play as soon as two frames
    /// have arrived (GIF, PNG, WebP).
    case preview(DecodedImage)
    /// The stored image, while it is revalidated.
    case stale(LoadedImage)
    /// Exactly once, and last.
    case finished(Result<LoadedImage, ImageError>)
}

/// A load that runs: watch it, change its priority, cancel it.
///
/// It starts when it is made, and runs to its end even if no caller watches it. Cancelling is a request: a load that has just
/// succeeded stays successful.
public final class ImageTask: Sendable {
    private struct State {
        var snapshot = LoadSnapshot()
        var result: Result<LoadedImage, ImageError>?
        var isCancelled = false
        var driver: Task<Void, Never>?
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var nextListener: UInt64 = 0
    }

    /// The request as given, without the manager's defaults.
    public let request: ImageRequest
    private let live: LivePriority
    private let state = Mutex(State())

    init(_ request: ImageRequest, manager: ImageManager) {
        self.request = request
        let load: Result<BegunLoad, ImageError>
        do throws(ImageError) { load = .success(try manager.pipeline.begin(request)) } catch { load = .failure(error) }
        live = LivePriority((try? load.get())?.request.schedule.priority ?? .normal)
        switch load {
        case .failure(let error): finish(.failure(error.with(source: request.source.redactedDescription)))
        case .success(let load): start(manager) { await manager.pipeline.prepare(load) }
        }
    }

    /// For a request that was prepared a moment ago.
    init(_ request: ImageRequest, prepared: PreparedRequest, manager: ImageManager) {
        self.request = request
        live = LivePriority(prepared.request.schedule.priority)
        start(manager) { prepared }
    }

    private func start(_ manager: ImageManager, prepare: @escaping @Sendable () async -> PreparedRequest) {
        // Ends with the load; cancelled by `cancel()`. It holds this object, so a load that no caller keeps still finishes.
        let driver = Task(priority: live.current.taskPriority) {
            let result: Result<LoadedImage, ImageError>
            do throws(ImageError) {
                result = .success(try await manager.pipeline.load(await prepare(), priority: self.live) { self.publish($0) })
            } catch { result = .failure(error) }
            self.finish(result)
        }
        let isCancelled = state.withLock { state in
            state.driver = driver
            return state.isCancelled
        }
        if isCancelled { driver.cancel() }
    }

    /// The highest priority of all waiters for the same work counts.
    public var priority: LoadPriority {
        get { live.current }
        set { live.set(newValue) }
    }

    /// True from the call of ``cancel()`` on, even if the load succeeds all the same.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Nil while it runs.
    public var result: Result<LoadedImage, ImageError>? { state.withLock { $0.result } }

    /// How far it is now.
    package var snapshot: LoadSnapshot { state.withLock { $0.snapshot } }

    /// Leaves the work; the last one to leave stops it. The result is the error `cancelled`, exactly once.
    public func cancel() {
        let driver = state.withLock { state in
            state.isCancelled = true
            return state.driver
        }
        driver?.cancel()
    }

    /// The result. Cancelling the caller's task ends the waiting and leaves this load running.
    public var value: LoadedImage {
        get async throws(ImageError) {
            for await event in events { if case .finished(let result) = event { return try result.get() } }
            throw .cancelled()
        }
    }

    /// Events from now on, for any number of readers. Starts with the present state; a reader that is slow misses steps in
    /// between, never the end.
    public var events: some AsyncSequence<ImageTaskEvent, Never> & Sendable { Events(task: self) }

    private func publish(_ snapshot: LoadSnapshot) {
        let listeners = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard state.result == nil else { return [] }
            let stale = state.snapshot.stale
            state.snapshot = snapshot
            if snapshot.stale == nil { state.snapshot.stale = stale }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    private func finish(_ result: Result<LoadedImage, ImageError>) {
        let (listeners, preview) = state.withLock { state in
            state.result = result
            state.driver = nil
            defer {
                // Frees the memory of previews, which are not needed any more.
                state.snapshot.preview = nil
                state.listeners = [:]
            }
            return (Array(state.listeners.values), state.snapshot.preview)
        }
        for listener in listeners { listener.finish() }
        // Here, and not under the lock.
        withExtendedLifetime(preview) {}
    }

    fileprivate func listen() -> (AsyncStream<Void>, UInt64) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextListener += 1
            if state.result == nil { state.listeners[state.nextListener] = continuation } else { continuation.finish() }
            // The present state comes first.
            continuation.yield()
            return state.nextListener
        }
        return (stream, id)
    }

    fileprivate func stopListening(_ id: UInt64) { state.withLock { $0.listeners[id] = nil } }

    fileprivate var present: (LoadSnapshot, Result<LoadedImage, ImageError>?) { state.withLock { ($0.snapshot, $0.result) } }

    /// Events made by comparing each snapshot with the one before.
    private struct Events: AsyncSequence, Sendable {
        typealias Element = ImageTaskEvent
        /// Never throws: a load that fails ends with the event `finished`.
        typealias Failure = Never
        fileprivate let task: ImageTask

        func makeAsyncIterator() -> Iterator { Iterator(task) }

        /// For one reader; each reader has its own events.
        final class Iterator: AsyncIteratorProtocol {
            private let task: ImageTask
            private let id: UInt64
            private var wakes: AsyncStream<Void>.AsyncIterator
            private var shown = LoadSnapshot()
            private var pending: [ImageTaskEvent] = []
            private var isOver = false

            fileprivate init(_ task: ImageTask) {
                self.task = task
                let (stream, id) = task.listen()
                self.id = id
                wakes = stream.makeAsyncIterator()
            }

            deinit { task.stopListening(id) }

            /// Nil after `finished`, or when the reader's task was cancelled.
            func next() async -> ImageTaskEvent? { await next(isolation: nil) }

            func next(isolation actor: isolated (any Actor)?) async -> ImageTaskEvent? {
                while pending.isEmpty {
                    if isOver { return nil }
                    let woken: Void? = await wakes.next(isolation: actor)
                    collect()
                    if woken == nil, pending.isEmpty { return nil }
                }
                return pending.removeFirst()
            }

            private func collect() {
                guard !isOver else { return }
                let (snapshot, result) = task.present
                if let stale = snapshot.stale, shown.stale == nil { pending.append(.stale(stale)) }
                if snapshot.progress != shown.progress { pending.append(.progress(snapshot.progress)) }
                if snapshot.previewNumber > shown.previewNumber, result == nil, let preview = snapshot.preview {
                    pending.append(.preview(preview))
                }
                shown = snapshot
                if let result {
                    pending.append(.finished(result))
                    isOver = true
                }
            }
        }
    }
}
