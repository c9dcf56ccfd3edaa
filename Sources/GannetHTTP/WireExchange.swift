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
        private typealias Answer = NIOHTTP1.HTTPResponseHead

        private struct State {
            var task: HTTPClient.Task<Void>?
            var isConnected = false
            var lastActivity = NIODeadline.now()
            /// It has been silent for too long, and what it may have sent nevertheless is being read.
            var isSuspected = false
            var head: Answer?
            /// ``WireBody/buffered`` is what the reader has not been woken for.
            var body = WireBody()
            /// Kept back while enough is buffered; the client sends nothing more until it succeeds.
            var more: EventLoopPromise<Void>?
            var isHeldBack: Bool { more != nil }
            /// Waits for the head, or for more of the body; looks for itself when it is woken.
            var reader: CheckedContinuation<Void, Never>?
            /// What the reader waits for: so much in the buffer, or the head if it is 0.
            var wanted = 0
            var end: Result<Void, ImageError>?
            /// The end of this turn is waited for.
            var isWaking = false
            var isUnsentAmongOthers = false
        }

        /// Of what waits for a slow reader.
        private static let bufferLimit = 256 << 10
        /// What one who wants the whole body in one array is woken for: of a body that is put together as it comes, most are whole
        /// by then, and are handed over without being copied.
        private static let gatherLimit = 1 << 20

        private let url: URL
        private let deadlines: LoadDeadlines
        private let watch: DeadlineWatch
        private let lane: WireLanes.Lane
        private let began: NIODeadline
        /// Others were under way already when it began.
        private let isAmongOthers: Bool
        private let state = Mutex(State())

        /// - Parameter began: the deadlines count from then: an exchange may be the next attempt at the same request.
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
            watch.add(self, until: began + Self.amount(min(deadlines.connect, deadlines.idle, deadlines.total)))
            // Over while it was added: nobody else takes it away again.
            if state.withLock({ $0.end != nil }) { watch.remove(self) }
        }

        // MARK: The reader's side

        func head() async throws(ImageError) -> Head {
            while true {
                if let ready = state.withLock({ Self.readyHead(&$0) }) { return own(try ready.get()) }
                await wait(for: 0)
            }
        }

        /// Until so much is buffered, or the head is there if that is 0, or until the end.
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

        /// Appends all that is there once that is `patience`, or at the end. Nobody waits for more than may be buffered.
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
                // Woken for what is there.
                wanted = 1
            }
        }

        /// What is there already, or nil at the end. What came before a failure is handed over first.
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

        /// The reader has what is buffered, or is on his way to it: what lets the client go on if it was held back.
        private static func letOn(_ state: inout State) -> EventLoopPromise<Void>? {
            state.body.buffered = 0
            guard let more = state.more else { return nil }
            state.lastActivity = .now()
            state.more = nil
            return more
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

        /// A part of the body was handed to the system: while a long one is being sent, the silence is not the server's.
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

        /// Whether somebody waits for what has come, and is not about to be woken already.
        private static func wakes(_ state: inout State) -> Bool {
            guard !state.isWaking, state.reader != nil, hasWanted(state) else { return false }
            state.isWaking = true
            return true
        }

        private static func hasWanted(_ state: State) -> Bool {
            state.wanted == 0 ? state.head != nil : hasBuffered(state.wanted, state)
        }

        /// Or as much as will come before somebody takes it.
        private static func hasBuffered(_ wanted: Int, _ state: State) -> Bool {
            state.body.buffered >= wanted || state.isHeldBack
        }

        private func wake(on loop: any EventLoop) { loop.execute { self.deliver() } }

        /// Wakes the reader. What is buffered is his then, if that is what he waits for: as much again may come before he has taken it.
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
                // The client lets all who wait share the fate of one connection that cannot be made.
                state.isUnsentAmongOthers = !state.isConnected && (isAmongOthers || lane.load > 1)
                return !state.isConnected
            }
            // Nobody has cancelled: the connection was being closed when it was chosen.
            let isMissed = isUnsent && error as? HTTPClientError == .cancelled
            finish(.failure(WireErrors.translate(isMissed ? WireGuards.Unprocessed() : error)), stopsClient: false)
        }

        /// It failed before it was sent, and that may have been the failure of another one's connection.
        var isUnsentAmongOthers: Bool { state.withLock { $0.isUnsentAmongOthers } }

        func didFinishRequest(task: HTTPClient.Task<Void>) throws { finish(.success(()), stopsClient: false) }

        /// The first end counts.
        private func finish(_ end: Result<Void, ImageError>, stopsClient: Bool) {
            var reader: CheckedContinuation<Void, Never>?
            var more: EventLoopPromise<Void>?
            var task: HTTPClient.Task<Void>?
            let isFirst = state.withLock { state in
                guard state.end == nil else { return false }
                state.end = end
                // Whoever has cancelled reads no more; what came before a failure may be continued later.
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

        /// Ends the exchange if a deadline has passed; else when to look again. Nil: it is over.
        func look(_ now: NIODeadline) -> NIODeadline? {
            let (isOver, isConnected, isHeldBack, last) = state.withLock { state in
                (state.end != nil, state.isConnected, state.more != nil, state.lastActivity)
            }
            if isOver { return nil }
            let total = began + Self.amount(deadlines.total)
            if now >= total { return expire("The transfer did not end within the \(Self.shown(deadlines.total)) s that it had.") }
            // While the reader is slow, the silence is not the server's.
            var idle = (isHeldBack ? now : last) + Self.amount(deadlines.idle)
            if !isConnected {
                let connect = began + Self.amount(deadlines.connect)
                if now >= connect { return expire("No connection within \(deadlines.connect.seconds) s.") }
                // Looked at again soon: connected a moment from now, it may be silent from then on.
                idle = min(connect, now + Self.amount(deadlines.idle))
            } else if now >= idle {
                suspect()
                idle = now + Self.amount(deadlines.idle)
            }
            return min(idle, total)
        }

        /// A program that was stopped for a while (a laptop that slept, Ctrl-Z) wakes with all timers due and the bytes unread: they are
        /// read first.
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

        /// Of what redirects have left of a load's time, tenths are enough.
        private static func shown(_ duration: Duration) -> Double {
            duration < .seconds(1) ? duration.seconds : (duration.seconds * 10).rounded() / 10
        }

        static func amount(_ duration: Duration) -> TimeAmount {
            .milliseconds(min(max(duration.wholeMilliseconds, 0), 1 << 40))
        }
    }
#endif
