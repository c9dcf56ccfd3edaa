#if HTTP
    import AsyncHTTPClient
    import FoundationEssentials
    import GannetCore
    import NIOCore
    import NIOHTTP1
    import Synchronization

    /// One request on the wire, between the client's callbacks and one reader that pulls.
    ///
    /// The reader wakes once at the end of an event loop turn, for everything that arrived in it. A small response (head, body
    /// and end) therefore costs one thread switch.
    ///
    /// The `Mutex` guards the state and is held for a few lines. Continuations, promises and the client are called after it is
    /// released.
    final class WireExchange: HTTPClientResponseDelegate {
        typealias Response = Void
        typealias Head = GannetCore.HTTPResponseHead
        private typealias Answer = NIOHTTP1.HTTPResponseHead

        private struct State {
            var task: HTTPClient.Task<Void>?
            var isConnected = false
            var lastActivity = NIODeadline.now()
            /// The server was silent for too long; bytes that may still be unread are read first.
            var isSuspected = false
            var head: Answer?
            /// ``WireBody/buffered`` counts the bytes that the reader was not woken for.
            var body = WireBody()
            /// Held back while enough is buffered; the client sends no more until it succeeds.
            var more: EventLoopPromise<Void>?
            var isHeldBack: Bool { more != nil }
            /// Waits for the head or for more of the body, and checks again when it wakes.
            var reader: CheckedContinuation<Void, Never>?
            /// The number of buffered bytes that the reader waits for; 0: the head.
            var wanted = 0
            var end: Result<Void, ImageError>?
            /// A wake-up is scheduled for the end of this turn.
            var isWaking = false
            var isUnsentAmongOthers = false
        }

        /// Most bytes that wait for a slow reader.
        private static let bufferLimit = 256 << 10
        /// Bytes that wake a reader of the whole body in one array. Most joined bodies are complete by then, and are handed
        /// over without a copy.
        private static let gatherLimit = 1 << 20
        /// A reader that waits for many bytes gets those that are there after this time, and may find that they come too slowly.
        private static let longestWait = Duration.seconds(1)

        private let url: URL
        private let deadlines: LoadDeadlines
        private let watch: DeadlineWatch
        private let lane: WireLanes.Lane
        private let began: NIODeadline
        /// Other exchanges were running when this one began.
        private let isAmongOthers: Bool
        private let state = Mutex(State())

        /// - Parameter began: deadlines count from here; the exchange may be a retry of the same request.
        init(url: URL, deadlines: LoadDeadlines, began: NIODeadline, watch: DeadlineWatch, lane: WireLanes.Lane) {
            self.url = url
            self.deadlines = deadlines
            self.began = began
            self.watch = watch
            self.lane = lane
            isAmongOthers = lane.enter() > 1
        }

        func start(_ task: HTTPClient.Task<Void>) {
            let isOver = state.withLock { state in
                state.task = task
                return state.end != nil
            }
            guard !isOver else { return task.cancel() }
            watch.add(self, until: began + Self.amount(min(deadlines.connect, deadlines.idle, deadlines.total, Self.longestWait)))
            // It ended while it was added, and only this line removes it.
            if state.withLock({ $0.end != nil }) { watch.remove(self) }
        }

        // MARK: The reader's side

        func head() async throws(ImageError) -> Head {
            while true {
                if let ready = state.withLock({ Self.readyHead(&$0) }) { return own(try ready.get()) }
                await wait(for: 0)
            }
        }

        /// Waits until `wanted` bytes are buffered (0: until the head arrives), or until the end.
        private func wait(for wanted: Int) async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        state.wanted = wanted
                        if state.end != nil || Self.hasWanted(state) { return true }
                        state.reader = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                finish(.failure(.cancelled(stage: .load)), stopsClient: true)
            }
        }

        /// A head says more than the failure of its body.
        private static func readyHead(_ state: inout State) -> Result<Answer, ImageError>? {
            if let head = state.head { return .success(head) }
            switch state.end {
            case .success: return .failure(ImageError(.protocolViolation, stage: .load, "The server sent an end without a head."))
            case .failure(let error): return .failure(error)
            case nil: return nil
            }
        }

        private func own(_ head: NIOHTTP1.HTTPResponseHead) -> Head {
            let number = head.version
            let version = number == .http1_1 ? "1.1" : number.major == 2 ? "2" : "\(number.major).\(number.minor)"
            return Head(
                status: Int(head.status.code),
                headers: GannetCore.HTTPHeaders(fields: head.headers.map { .init(name: $0.name, value: Self.trimmed($0.value)) }),
                url: url,
                version: version)
        }

        /// The decoder leaves white space at the end of a field.
        private static func trimmed(_ value: String) -> String {
            guard let last = value.utf8.last, last == 32 || last == 9 else { return value }
            return String(
                value[...(value.lastIndex { $0 != " " && $0 != "\t" } ?? value.startIndex)].drop { $0 == " " || $0 == "\t" })
        }

        func next() async throws(ImageError) -> [UInt8]? {
            var bytes: [UInt8] = []
            return try await next(into: &bytes, 1) ? bytes : nil
        }

        /// Appends all that is buffered, once it is at least `patience` bytes or at the end. Waits for no more than the buffer
        /// holds.
        func next(into bytes: inout [UInt8], _ patience: Int) async throws(ImageError) -> Bool {
            let isCopied = state.withLock { $0.body.isCopied }
            var wanted = min(max(patience, 1), isCopied ? Self.gatherLimit : Self.bufferLimit / 2)
            while true {
                if let ready = take(wanted) {
                    guard let body = try ready.get() else { return false }
                    body.move(into: &bytes, isGathered: patience > 1)
                    return true
                }
                await wait(for: wanted)
                // After the first wake-up, take what is there.
                wanted = 1
            }
        }

        /// Returns what is buffered, or nil at the end. Bytes that came before a failure are handed over first.
        private func take(_ wanted: Int) -> Result<WireBody?, ImageError>? {
            let (result, promise) = state.withLock { state -> (Result<WireBody?, ImageError>?, EventLoopPromise<Void>?) in
                if !state.body.isEmpty, wanted == 1 || Self.hasBuffered(wanted, state) || state.end != nil {
                    return (.success(state.body.take()), Self.letOn(&state))
                }
                switch state.end {
                case .success: return (.success(nil), nil)
                case .failure(let error): return (.failure(error), nil)
                case nil: return (nil, nil)
                }
            }
            promise?.succeed(())
            return result
        }

        /// Clears the count when the reader takes the buffer, and returns the promise that lets the client send more.
        private static func letOn(_ state: inout State) -> EventLoopPromise<Void>? {
            state.body.buffered = 0
            guard let more = state.more else { return nil }
            state.lastActivity = .now()
            state.more = nil
            return more
        }

        /// Ends the transfer: the reader is gone.
        func abandon() { finish(.failure(.cancelled(stage: .load)), stopsClient: true) }

        // MARK: The client's side

        func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
            state.withLock { state in
                state.isConnected = true
                state.lastActivity = .now()
            }
        }

        /// The system took a part of the request's body. During a long upload, silence is not the server's.
        func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { state.withLock { $0.lastActivity = .now() } }

        func didReceiveHead(task: HTTPClient.Task<Void>, _ head: NIOHTTP1.HTTPResponseHead) -> EventLoopFuture<Void> {
            let wakes = state.withLock { state in
                state.isConnected = true
                state.lastActivity = .now()
                state.head = head
                state.body.begin(
                    length: head.headers.first(name: "content-length").flatMap { Int($0) }, isHTTP2: head.version.major == 2)
                return Self.wakes(&state)
            }
            if wakes { wake(on: task.eventLoop) }
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            guard buffer.readableBytes > 0 else { return task.eventLoop.makeSucceededVoidFuture() }
            let (wakes, promise) = state.withLock { state -> (Bool, EventLoopPromise<Void>?) in
                state.lastActivity = .now()
                state.body.append(buffer, isGathered: state.wanted > 1)
                let wakes = Self.wakes(&state)
                guard state.body.buffered >= max(Self.bufferLimit, 2 * state.wanted), state.end == nil else {
                    return (wakes, nil)
                }
                let promise = task.eventLoop.makePromise(of: Void.self)
                state.more = promise
                return (wakes, promise)
            }
            if wakes { wake(on: task.eventLoop) }
            return promise?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
        }

        /// Whether a reader waits for what arrived and has no wake-up scheduled.
        private static func wakes(_ state: inout State) -> Bool {
            guard !state.isWaking, state.reader != nil, hasWanted(state) else { return false }
            state.isWaking = true
            return true
        }

        private static func hasWanted(_ state: State) -> Bool {
            state.wanted == 0 ? state.head != nil : hasBuffered(state.wanted, state)
        }

        /// True too if the client is held back, because no more will come.
        private static func hasBuffered(_ wanted: Int, _ state: State) -> Bool {
            state.body.buffered >= wanted || state.isHeldBack
        }

        private func wake(on loop: any EventLoop) { loop.execute { self.deliver() } }

        /// Wakes the reader and hands it the buffer. As much again may arrive before the reader takes it.
        private func deliver() {
            let (reader, promise) = state.withLock { state -> (CheckedContinuation<Void, Never>?, EventLoopPromise<Void>?) in
                state.isWaking = false
                guard let reader = state.reader else { return (nil, nil) }
                state.reader = nil
                return (reader, state.wanted > 0 ? Self.letOn(&state) : nil)
            }
            promise?.succeed(())
            reader?.resume()
        }

        func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
            let isUnsent = state.withLock { state in
                // In the client, all requests that wait for one connection fail with it.
                state.isUnsentAmongOthers = !state.isConnected && (isAmongOthers || lane.load > 1)
                return !state.isConnected
            }
            // Not cancelled by the caller: the connection was closing when the client chose it.
            let isMissed = isUnsent && error as? HTTPClientError == .cancelled
            finish(.failure(WireErrors.translate(isMissed ? WireGuards.Unprocessed() : error)), stopsClient: false)
        }

        /// Whether a connection was found or made for it.
        var isConnected: Bool { state.withLock { $0.isConnected } }

        /// Whether it failed before it was sent, perhaps because of another request's connection.
        var isUnsentAmongOthers: Bool { state.withLock { $0.isUnsentAmongOthers } }

        func didFinishRequest(task: HTTPClient.Task<Void>) throws { finish(.success(()), stopsClient: false) }

        /// The first end wins.
        private func finish(_ end: Result<Void, ImageError>, stopsClient: Bool) {
            var reader: CheckedContinuation<Void, Never>?
            var more: EventLoopPromise<Void>?
            var task: HTTPClient.Task<Void>?
            let isFirst = state.withLock { state in
                guard state.end == nil else { return false }
                state.end = end
                // A cancelled reader drops the buffer; after a failure, the bytes may be resumed from later.
                if case .failure(let error) = end, error.code == .cancelled { _ = state.body.take() }
                swap(&reader, &state.reader)
                swap(&more, &state.more)
                swap(&task, &state.task)
                return true
            }
            guard isFirst else { return }
            watch.remove(self)
            lane.leave()
            if stopsClient { task?.cancel() }
            more?.succeed(())
            reader?.resume()
        }

        // MARK: Time

        /// Ends the exchange if a deadline has passed; otherwise returns when to check again. Nil: it has ended.
        func look(_ now: NIODeadline) -> NIODeadline? {
            let (isOver, isConnected, isHeldBack, last, reader) = state.withLock { state in
                (
                    state.end != nil, state.isConnected, state.more != nil, state.lastActivity,
                    state.body.isEmpty ? nil : state.reader.take()
                )
            }
            reader?.resume()
            if isOver { return nil }
            let total = began + Self.amount(deadlines.total)
            if now >= total { return expire("The transfer did not end within the \(Self.shown(deadlines.total)) s that it had.") }
            // While the reader is slow, silence is not the server's.
            var idle = (isHeldBack ? now : last) + Self.amount(deadlines.idle)
            if !isConnected {
                let connect = began + Self.amount(deadlines.connect)
                if now >= connect { return expire("No connection within \(deadlines.connect.seconds) s.") }
                // Check again soon: the connection may open a moment from now and then be silent.
                idle = min(connect, now + Self.amount(deadlines.idle))
            } else if now >= idle {
                suspect()
                idle = now + Self.amount(deadlines.idle)
            }
            return min(idle, total, now + Self.amount(Self.longestWait))
        }

        /// Reads pending bytes before a time-out. A program that was suspended (sleep, Ctrl-Z) wakes with all timers due and
        /// bytes unread.
        private func suspect() {
            let task = state.withLock { state -> HTTPClient.Task<Void>? in
                guard !state.isSuspected else { return nil }
                state.isSuspected = true
                return state.task
            }
            task?.eventLoop.scheduleTask(in: .milliseconds(20)) { [weak self] in self?.judge() }
        }

        private func judge() {
            let isSilent = state.withLock { state in
                state.isSuspected = false
                return state.end == nil && state.more == nil && .now() >= state.lastActivity + Self.amount(deadlines.idle)
            }
            if isSilent { _ = expire("The server sent nothing for \(deadlines.idle.seconds) s.") }
        }

        private func expire(_ message: String) -> NIODeadline? {
            finish(.failure(ImageError(.timedOut, stage: .load, message)), stopsClient: true)
            return nil
        }

        /// Tenths are enough for the part of a load's time that redirects have left.
        private static func shown(_ duration: Duration) -> Double {
            duration < .seconds(1) ? duration.seconds : (duration.seconds * 10).rounded() / 10
        }

        static func amount(_ duration: Duration) -> TimeAmount {
            .milliseconds(min(max(duration.wholeMilliseconds, 0), 1 << 40))
        }
    }
#endif
