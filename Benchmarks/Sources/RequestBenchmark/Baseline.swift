import GannetCore
import Synchronization

/// What a good programmer writes by hand in eighty lines, half of them for cancelling and prefetching: equal URLs share one task,
/// finished images stay in a dictionary, the last waiter that leaves cancels the task. No options, limits, priorities, queue or disk.
/// The measure for what the library costs.
///
/// A waiter that is cancelled while others wait for the same image waits on until it is there.
final class Baseline: Sendable {
    private struct Running {
        var task: Task<DecodedImage, any Error>
        var waiters = 1
    }
    private struct State {
        var finished: [String: DecodedImage] = [:]
        var running: [String: Running] = [:]
    }
    private let state = Mutex(State())
    private let fetch: @Sendable (String) async throws -> ByteRope
    private let decode: @Sendable (ByteRope) async throws -> DecodedImage

    init(
        fetch: @escaping @Sendable (String) async throws -> ByteRope,
        decode: @escaping @Sendable (ByteRope) async throws -> DecodedImage
    ) {
        (self.fetch, self.decode) = (fetch, decode)
    }

    func cachedImage(for url: String) -> DecodedImage? { state.withLock { $0.finished[url] } }

    func image(for url: String) async throws -> DecodedImage {
        if let image = cachedImage(for: url) { return image }
        return try await wait(for: join(url), url)
    }

    /// For code that is not async. The load is in the table when this returns.
    func start(_ url: String) -> Task<DecodedImage, any Error> {
        let task = join(url)
        return Task { try await wait(for: task, url) }
    }

    func cancelAll() {
        let tasks = state.withLock { state in
            defer { state.running = [:] }
            return state.running.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }

    func prefetch(_ urls: [String], concurrency: Int = 3) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, url) in urls.enumerated() {
                if index >= concurrency { await group.next() }
                group.addTask { _ = try? await self.image(for: url) }
            }
        }
    }

    /// Callers that wait for running loads.
    var waiterCount: Int { state.withLock { $0.running.values.reduce(0) { $0 + $1.waiters } } }

    private func join(_ url: String) -> Task<DecodedImage, any Error> {
        state.withLock { state in
            if let running = state.running[url] {
                state.running[url]?.waiters += 1
                return running.task
            }
            let task = Task { try await load(url) }
            state.running[url] = Running(task: task)
            return task
        }
    }

    private func wait(for task: Task<DecodedImage, any Error>, _ url: String) async throws -> DecodedImage {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            leave(task, url)
        }
    }

    private func leave(_ task: Task<DecodedImage, any Error>, _ url: String) {
        let isLast = state.withLock { state in
            guard let running = state.running[url], running.task == task else { return false }
            state.running[url] = running.waiters > 1 ? Running(task: task, waiters: running.waiters - 1) : nil
            return running.waiters == 1
        }
        if isLast { task.cancel() }
    }

    private func load(_ url: String) async throws -> DecodedImage {
        let result: Result<DecodedImage, any Error>
        do { result = .success(try await decode(fetch(url))) } catch { result = .failure(error) }
        return try state.withLock { state in
            // A cancelled load has left the table already; another one may have taken its place.
            try Task.checkCancellation()
            state.running[url] = nil
            state.finished[url] = try result.get()
            return try result.get()
        }
    }
}
