#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import GannetCore
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// One request on the wire: the client's callbacks on one side, one reader that pulls on the other.
    ///
    /// What arrives in one turn of the event loop wakes the reader once, at the turn's end: a small answer, head, body and
    /// end, costs one change of threads.
    ///
    /// The `Mutex` guards the state and is held for a few lines; continuations, promises and the client are called after it.
    final class WireExchange: HTTPClientResponseDelegate {
        typealias Response = Void
        typealias Head = GannetCore.HTTPResponseHead
        private typealias HeadReader = CheckedContinuation<Result<NIOHTTP1.HTTPResponseHead, ImageError>, Never>
        /// All that has come, or nil at the end.
        private typealias BodyReader = CheckedContinuation<Result<[ByteBuffer]?, ImageError>, Never>

        private struct State {
            var task: HTTPClient.Task<Void>?
            var isConnected = false
            var lastActivity = NIODeadline.now()
            var head: NIOHTTP1.HTTPResponseHead?
            var headReader: HeadReader?
            /// As they came: the reader puts them together, so that the event loop copies nothing.
            var pieces: [ByteBuffer] = []
            /// What the pieces hold, each with ``pieceCost`` on top, so that tiny ones are bounded too.
            var buffered = 0
            /// Kept back while enough is buffered; the client sends nothing more until it succeeds.
            var more: EventLoopPromise<Void>?
            var bodyReader: BodyReader?
            var end: Result<Void, ImageError>?
            /// The end of this turn is waited for.
            var isWaking = false
        }

        private static let bufferLimit = 256 << 10
        private static let pieceCost = 256

        private let url: URL
        private let deadlines: LoadDeadlines
        private let watch: DeadlineWatch
        private let lane: WireLanes.Lane
        private let began = NIODeadline.now()
        private let state = Mutex(State())

        init(url: URL, deadlines: LoadDeadlines, watch: DeadlineWatch, lane: WireLanes.Lane) {
            self.url = url
            self.deadlines = deadlines
            self.watch = watch
            self.lane = lane
            lane.enter()
        }

        func start(_ task: HTTPClient.Task<Void>) {
            let isOver = state.withLock { state in
                state.task = task
                return state.end != nil
            }
            guard !isOver else { return task.cancel() }
            watch.add(self, until: began + amount(min(deadlines.connect, deadlines.idle, deadlines.total)))
            // Over while it was added: nobody else takes it away again.
            if state.withLock({ $0.end != nil }) { watch.remove(self) }
        }

        // MARK: The reader's side

        func head() async throws(ImageError) -> Head {
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let ready = state.withLock { state -> Result<NIOHTTP1.HTTPResponseHead, ImageError>? in
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
            return own(try result.get())
        }

        private func own(_ head: NIOHTTP1.HTTPResponseHead) -> Head {
            let number = head.version
            let version = number == .http1_1 ? "1.1" : number.major == 2 ? "2" : "\(number.major).\(number.minor)"
            return Head(
                status: Int(head.status.code),
                headers: GannetCore.HTTPHeaders(fields: head.headers.map { .init(name: $0.name, value: $0.value) }), url: url,
                version: version)
        }

        func next() async throws(ImageError) -> [UInt8]? {
            if let ready = take() { return try ready.get().map(Self.joined) }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let ready = take(orWait: continuation)
                    if let ready { continuation.resume(returning: ready) }
                }
            } onCancel: {
                finish(.failure(.cancelled(stage: .load)), stopsClient: true)
            }
            return try result.get().map(Self.joined)
        }

        private static func joined(_ pieces: [ByteBuffer]) -> [UInt8] {
            let count = pieces.reduce(0) { $0 + $1.readableBytes }
            return [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                for piece in pieces {
                    piece.withUnsafeReadableBytes { bytes in
                        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[filled...]).copyMemory(
                            from: bytes)
                        filled += bytes.count
                    }
                }
            }
        }

        /// What is there already. A failure comes before bytes that were not read yet: they are of no use any more.
        private func take(
            orWait continuation: BodyReader? = nil
        ) -> Result<[ByteBuffer]?, ImageError>? {
            let (result, promise) = state.withLock { state -> (Result<[ByteBuffer]?, ImageError>?, EventLoopPromise<Void>?) in
                if !state.pieces.isEmpty {
                    let (pieces, promise) = Self.taken(&state)
                    return (.success(pieces), promise)
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
            let wakes = state.withLock { state in
                state.isConnected = true
                state.lastActivity = .now()
                state.head = head
                return Self.wakes(&state)
            }
            if wakes { wake(on: task.eventLoop) }
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            guard buffer.readableBytes > 0 else { return task.eventLoop.makeSucceededVoidFuture() }
            let (wakes, promise) = state.withLock { state -> (Bool, EventLoopPromise<Void>?) in
                state.lastActivity = .now()
                state.pieces.append(buffer)
                state.buffered += buffer.readableBytes + Self.pieceCost
                let wakes = Self.wakes(&state)
                guard state.buffered >= Self.bufferLimit, state.end == nil else { return (wakes, nil) }
                let promise = task.eventLoop.makePromise(of: Void.self)
                state.more = promise
                return (wakes, promise)
            }
            if wakes { wake(on: task.eventLoop) }
            return promise?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
        }

        /// Whether somebody waits for what has come, and is not about to be woken already.
        private static func wakes(_ state: inout State) -> Bool {
            guard !state.isWaking, state.headReader != nil || state.bodyReader != nil else { return false }
            state.isWaking = true
            return true
        }

        private func wake(on loop: any EventLoop) { loop.execute { self.deliver() } }

        /// Hands the reader what he waits for.
        private func deliver() {
            let (head, body) = state.withLock { state in
                state.isWaking = false
                return (Self.readyHead(&state), Self.readyBody(&state))
            }
            if let (reader, answer) = head { reader.resume(returning: .success(answer)) }
            guard let (reader, pieces, promise) = body else { return }
            promise?.succeed(())
            reader.resume(returning: .success(pieces))
        }

        private static func readyHead(_ state: inout State) -> (HeadReader, NIOHTTP1.HTTPResponseHead)? {
            guard let reader = state.headReader, let head = state.head else { return nil }
            state.headReader = nil
            return (reader, head)
        }

        private static func readyBody(_ state: inout State) -> (BodyReader, [ByteBuffer], EventLoopPromise<Void>?)? {
            guard !state.pieces.isEmpty, let reader = state.bodyReader else { return nil }
            state.bodyReader = nil
            let (pieces, promise) = taken(&state)
            return (reader, pieces, promise)
        }

        /// All pieces, and the promise that lets the client go on if they held it back.
        private static func taken(_ state: inout State) -> ([ByteBuffer], EventLoopPromise<Void>?) {
            let pieces = state.pieces
            state.pieces = []
            state.buffered = 0
            guard let more = state.more else { return (pieces, nil) }
            state.lastActivity = .now()
            state.more = nil
            return (pieces, more)
        }

        func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
            finish(.failure(WireErrors.translate(error)), stopsClient: false)
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) throws { finish(.success(()), stopsClient: false) }

        /// The first end counts.
        private func finish(_ end: Result<Void, ImageError>, stopsClient: Bool) {
            struct Leftovers: ~Copyable {
                var head: (reader: HeadReader, answer: Result<NIOHTTP1.HTTPResponseHead, ImageError>)?
                var body: (reader: BodyReader, answer: Result<[ByteBuffer]?, ImageError>)?
                var more: EventLoopPromise<Void>?
                var task: HTTPClient.Task<Void>?
            }
            let leftovers = state.withLock { state -> Leftovers? in
                guard state.end == nil else { return nil }
                state.end = end
                var leftovers = Leftovers(more: state.more, task: state.task)
                // What came in this turn, before the end itself: a head says more than the failure of its body.
                leftovers.head = Self.readyHead(&state).map { ($0.0, .success($0.1)) }
                switch end {
                case .success: leftovers.body = Self.readyBody(&state).map { ($0.0, .success($0.1)) }
                case .failure(let error):
                    state.pieces = []
                    state.buffered = 0
                    if leftovers.head == nil { leftovers.head = state.headReader.map { ($0, .failure(error)) } }
                    leftovers.body = state.bodyReader.map { ($0, .failure(error)) }
                }
                if leftovers.head == nil, let reader = state.headReader {
                    let error = ImageError(.protocolViolation, stage: .load, "The server sent an end without a head.")
                    leftovers.head = (reader, .failure(error))
                }
                if leftovers.body == nil, let reader = state.bodyReader { leftovers.body = (reader, .success(nil)) }
                state.headReader = nil
                state.bodyReader = nil
                state.more = nil
                state.task = nil
                return leftovers
            }
            guard let leftovers else { return }
            watch.remove(self)
            lane.leave()
            if stopsClient { leftovers.task?.cancel() }
            leftovers.more?.succeed(())
            if let (reader, answer) = leftovers.head { reader.resume(returning: answer) }
            if let (reader, answer) = leftovers.body { reader.resume(returning: answer) }
        }

        // MARK: Time

        /// Ends the exchange if a deadline has passed; else when to look again. Nil: it is over.
        func look(_ now: NIODeadline) -> NIODeadline? {
            let (isOver, isConnected, isHeldBack, last) = state.withLock { state in
                (state.end != nil, state.isConnected, state.more != nil, state.lastActivity)
            }
            if isOver { return nil }
            let total = began + amount(deadlines.total)
            if now >= total { return expire("The transfer took longer than \(deadlines.total.seconds) s in all.") }
            // While the reader is slow, the silence is not the server's.
            var idle = (isHeldBack ? now : last) + amount(deadlines.idle)
            if !isConnected {
                let connect = began + amount(deadlines.connect)
                if now >= connect { return expire("No connection within \(deadlines.connect.seconds) s.") }
                // Looked at again soon: connected a moment from now, it may be silent from then on.
                idle = min(connect, now + amount(deadlines.idle))
            } else if now >= idle {
                return expire("The server sent nothing for \(deadlines.idle.seconds) s.")
            }
            return min(idle, total)
        }

        private func expire(_ message: String) -> NIODeadline? {
            finish(.failure(ImageError(.timedOut, stage: .load, message)), stopsClient: true)
            return nil
        }

        private func amount(_ duration: Duration) -> TimeAmount {
            .milliseconds(min(max(duration.wholeMilliseconds, 0), 1 << 40))
        }
    }
#endif
