#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import GannetCore
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// One request on the wire: the client's callbacks on one side, one reader that pulls on the other, and one timer.
    ///
    /// The `Mutex` guards the state and is held for a few lines; continuations, promises and the client are called after it.
    final class WireExchange: HTTPClientResponseDelegate {
        typealias Response = Void
        typealias Head = GannetCore.HTTPResponseHead

        private struct State {
            var task: HTTPClient.Task<Void>?
            var timer: Scheduled<Void>?
            var isConnected = false
            var lastActivity = NIODeadline.now()
            var head: Head?
            var headReader: CheckedContinuation<Result<Head, ImageError>, Never>?
            var chunks = CircularBuffer<[UInt8]>()
            var buffered = 0
            /// Kept back while enough is buffered; the client sends nothing more until it succeeds.
            var more: EventLoopPromise<Void>?
            var bodyReader: CheckedContinuation<Result<[UInt8]?, ImageError>, Never>?
            var end: Result<Void, ImageError>?
        }

        private static let bufferLimit = 256 << 10

        private let url: URL
        private let deadlines: LoadDeadlines
        private let began = NIODeadline.now()
        private let state = Mutex(State())

        init(url: URL, deadlines: LoadDeadlines) {
            self.url = url
            self.deadlines = deadlines
        }

        func start(_ task: HTTPClient.Task<Void>) {
            let isOver = state.withLock { state in
                state.task = task
                return state.end != nil
            }
            if isOver { task.cancel() } else { arm(at: began + amount(min(deadlines.connect, deadlines.idle, deadlines.total))) }
        }

        // MARK: The reader's side

        func head() async throws(ImageError) -> Head {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let ready = state.withLock { state -> Result<Head, ImageError>? in
                        if let head = state.head { return .success(head) }
                        if case .failure(let error) = state.end { return .failure(error) }
                        state.headReader = continuation
                        return nil
                    }
                    if let ready { continuation.resume(returning: ready) }
                }
            } onCancel: {
                finish(.failure(.cancelled(stage: .load)), stopsClient: true)
            }
            return try result.get()
        }

        func next() async throws(ImageError) -> [UInt8]? {
            if let ready = take() { return try ready.get() }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let ready = take(orWait: continuation)
                    if let ready { continuation.resume(returning: ready) }
                }
            } onCancel: {
                finish(.failure(.cancelled(stage: .load)), stopsClient: true)
            }
            return try result.get()
        }

        /// What is there already. A failure comes before bytes that were not read yet: they are of no use any more.
        private func take(
            orWait continuation: CheckedContinuation<Result<[UInt8]?, ImageError>, Never>? = nil
        ) -> Result<[UInt8]?, ImageError>? {
            let (result, promise) = state.withLock { state -> (Result<[UInt8]?, ImageError>?, EventLoopPromise<Void>?) in
                if let chunk = state.chunks.popFirst() {
                    state.buffered -= chunk.count
                    guard state.buffered < Self.bufferLimit else { return (.success(chunk), nil) }
                    defer { state.more = nil }
                    if state.more != nil { state.lastActivity = .now() }
                    return (.success(chunk), state.more)
                }
                switch state.end {
                case .success: return (.success(nil), nil)
                case .failure(let error): return (.failure(error), nil)
                case nil:
                    state.bodyReader = continuation
                    return (nil, nil)
                }
            }
            promise?.succeed(())
            return result
        }

        /// Nobody reads any more.
        func abandon() { finish(.failure(.cancelled(stage: .load)), stopsClient: true) }

        // MARK: The client's side

        func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
            state.withLock { state in
                state.isConnected = true
                state.lastActivity = .now()
            }
        }

        func didReceiveHead(task: HTTPClient.Task<Void>, _ head: NIOHTTP1.HTTPResponseHead) -> EventLoopFuture<Void> {
            let version = head.version.major == 2 ? "2" : "\(head.version.major).\(head.version.minor)"
            let own = Head(
                status: Int(head.status.code), headers: GannetCore.HTTPHeaders(head.headers.map { ($0.name, $0.value) }),
                url: url,
                version: version)
            let reader = state.withLock { state in
                state.isConnected = true
                state.lastActivity = .now()
                state.head = own
                defer { state.headReader = nil }
                return state.headReader
            }
            reader?.resume(returning: .success(own))
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            let bytes = Array(buffer.readableBytesView)
            guard !bytes.isEmpty else { return task.eventLoop.makeSucceededVoidFuture() }
            let (reader, promise) = state.withLock {
                state -> (CheckedContinuation<Result<[UInt8]?, ImageError>, Never>?, EventLoopPromise<Void>?) in
                state.lastActivity = .now()
                if let reader = state.bodyReader {
                    state.bodyReader = nil
                    return (reader, nil)
                }
                state.chunks.append(bytes)
                state.buffered += bytes.count
                guard state.buffered >= Self.bufferLimit, state.end == nil else { return (nil, nil) }
                let promise = task.eventLoop.makePromise(of: Void.self)
                state.more = promise
                return (nil, promise)
            }
            reader?.resume(returning: .success(bytes))
            return promise?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
            finish(.failure(WireErrors.translate(error)), stopsClient: false)
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) throws { finish(.success(()), stopsClient: false) }

        /// The first end counts.
        private func finish(_ end: Result<Void, ImageError>, stopsClient: Bool) {
            struct Leftovers {
                var head: CheckedContinuation<Result<Head, ImageError>, Never>?
                var body: CheckedContinuation<Result<[UInt8]?, ImageError>, Never>?
                var more: EventLoopPromise<Void>?
                var timer: Scheduled<Void>?
                var task: HTTPClient.Task<Void>?
            }
            let leftovers = state.withLock { state -> Leftovers? in
                guard state.end == nil else { return nil }
                state.end = end
                if case .failure = end {
                    state.chunks.removeAll()
                    state.buffered = 0
                }
                let leftovers = Leftovers(
                    head: state.headReader, body: state.bodyReader, more: state.more, timer: state.timer, task: state.task)
                state.headReader = nil
                state.bodyReader = nil
                state.more = nil
                state.timer = nil
                state.task = nil
                return leftovers
            }
            guard let leftovers else { return }
            leftovers.timer?.cancel()
            if stopsClient { leftovers.task?.cancel() }
            leftovers.more?.succeed(())
            switch end {
            case .success:
                leftovers.head?.resume(
                    returning: .failure(ImageError(.protocolViolation, stage: .load, "The server sent an end without a head.")))
                leftovers.body?.resume(returning: .success(nil))
            case .failure(let error):
                leftovers.head?.resume(returning: .failure(error))
                leftovers.body?.resume(returning: .failure(error))
            }
        }

        // MARK: Time

        private func arm(at deadline: NIODeadline) {
            guard let loop = state.withLock({ $0.end == nil ? $0.task?.eventLoop : nil }) else { return }
            let timer = loop.scheduleTask(deadline: deadline) { [weak self] in
                guard let self else { return }
                self.look()
            }
            let isOver = state.withLock { state in
                if state.end == nil { state.timer = timer }
                return state.end != nil
            }
            if isOver { timer.cancel() }
        }

        /// One timer for all three deadlines, set anew each time it finds that there was activity.
        private func look() {
            let now = NIODeadline.now()
            let (isConnected, isHeldBack, last) = state.withLock { state in
                (state.isConnected, state.more != nil, state.lastActivity)
            }
            let total = began + amount(deadlines.total)
            if now >= total {
                return expire("The transfer took longer than \(deadlines.total.seconds) s in all.")
            }
            if !isConnected {
                let connect = began + amount(deadlines.connect)
                if now >= connect { return expire("No connection within \(deadlines.connect.seconds) s.") }
                return arm(at: min(connect, total))
            }
            // While the reader is slow, the silence is not the server's.
            let idle = (isHeldBack ? now : last) + amount(deadlines.idle)
            if now >= idle { return expire("The server sent nothing for \(deadlines.idle.seconds) s.") }
            arm(at: min(idle, total))
        }

        private func expire(_ message: String) {
            finish(.failure(ImageError(.timedOut, stage: .load, message)), stopsClient: true)
        }

        private func amount(_ duration: Duration) -> TimeAmount {
            .milliseconds(min(max(duration.wholeMilliseconds, 0), 1 << 40))
        }
    }
#endif
