#if HTTP
    import CGannetCURL
    import GannetCore
    import Synchronization

    /// One request on the wire, between the thread of ``CURLLoop`` and one reader that pulls.
    ///
    /// The reader wakes at the end of a turn of the thread, for everything that arrived in it: a small response costs one change
    /// of threads. The `Mutex` guards the state and is held for a few lines; continuations resume after it is released.
    final class CURLTransfer: Sendable {
        private struct State {
            var head: HTTPResponseHead?
            var times = ConnectionTimes()
            /// Bytes that have arrived and were not read yet.
            var body: [UInt8] = []
            /// The length of the whole body, if announced.
            var length: Int?
            var limit = 0
            /// The thread holds the body back until the reader takes what is there.
            var isPaused = false
            /// Waits for the head or for more of the body, and checks again when it wakes.
            var reader: CheckedContinuation<Void, Never>?
            /// The number of bytes that the reader waits for; 0: the head.
            var wanted = 0
            var end: Result<Void, ImageError>?

            /// There is what the reader waits for.
            var isReady: Bool {
                if end != nil { return true }
                return wanted == 0 ? head != nil : body.count >= wanted || isPaused
            }
        }

        /// Most bytes of a long body that wait for a slow reader, where the server can be held back, and where it cannot.
        private static let (bufferLimit, unheldLimit) = (256 << 10, 64 << 20)
        /// Over HTTP/2, libcurl up to 8.3 stops all streams of a connection together with a paused one, spins, and may lose its rest;
        /// 8.16 ends a paused stream.
        private static let canPauseHTTP2 =
            gannet_curl_is_at_least(8, 17) || gannet_curl_is_at_least(8, 4) && !gannet_curl_is_at_least(8, 16)

        /// Whether the server of a response can be held back.
        static func canPause(_ version: String) -> Bool { canPauseHTTP2 || version.hasPrefix("1") }

        /// Bytes that wake a reader of the whole body in one array. Most bodies are whole by then, and are handed over without a
        /// copy.
        private static let gatherLimit = 1 << 20
        /// The announced length may be wrong: beyond this size the array grows with what arrives.
        private static let (maximumRoom, watchedRoom) = (8 << 20, 64 << 10)

        let request: HTTPRequest
        let target: CURLTarget
        /// Deadlines count from here.
        let began: Instant
        private let loop: CURLLoop
        private let state = Mutex(State())

        init(_ request: HTTPRequest, to target: CURLTarget, on loop: CURLLoop) {
            self.request = request
            self.target = target
            self.loop = loop
            began = .now
        }

        // MARK: The reader's side

        func head() async throws(ImageError) -> (HTTPResponseHead, ConnectionTimes) {
            while true {
                if let ready = state.withLock({ Self.readyHead($0) }) { return try ready.get() }
                await wait(for: 0)
            }
        }

        /// A head says more than the failure of its body.
        private static func readyHead(_ state: State) -> Result<(HTTPResponseHead, ConnectionTimes), ImageError>? {
            if let head = state.head { return .success((head, state.times)) }
            switch state.end {
            case .success:
                return .failure(
                    ImageError(.network, stage: .load, "The connection ended before the answer was whole."))
            case .failure(let error): return .failure(error)
            case nil: return nil
            }
        }

        /// Waits until `wanted` bytes are buffered (0: until the head arrives), or until the end.
        private func wait(for wanted: Int) async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        state.wanted = wanted
                        if state.isReady { return true }
                        state.reader = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                abandon()
            }
        }

        func next() async throws(ImageError) -> [UInt8]? {
            var bytes: [UInt8] = []
            return try await next(into: &bytes, 1) ? bytes : nil
        }

        /// Appends all that is buffered, once it is at least `patience` bytes or at the end. Waits for no more than the buffer
        /// holds.
        func next(into bytes: inout [UInt8], _ patience: Int) async throws(ImageError) -> Bool {
            var wanted = min(max(patience, 1), Self.gatherLimit)
            while true {
                if let ready = take(wanted) {
                    guard let body = try ready.get() else { return false }
                    if bytes.isEmpty { bytes = body } else { bytes.append(contentsOf: body) }
                    return true
                }
                await wait(for: wanted)
                // After the first wake-up, take what is there.
                wanted = 1
            }
        }

        /// Returns what is buffered, or nil at the end. Bytes that came before a failure are handed over first.
        private func take(_ wanted: Int) -> Result<[UInt8]?, ImageError>? {
            let (result, resumes) = state.withLock { state -> (Result<[UInt8]?, ImageError>?, Bool) in
                if !state.body.isEmpty, state.body.count >= wanted || state.isPaused || state.end != nil {
                    var body: [UInt8] = []
                    swap(&body, &state.body)
                    let wasPaused = state.isPaused
                    state.isPaused = false
                    return (.success(body), wasPaused && state.end == nil)
                }
                switch state.end {
                case .success: return (.success(nil), false)
                case .failure(let error): return (.failure(error), false)
                case nil: return (nil, false)
                }
            }
            if resumes { loop.resume(self) }
            return result
        }

        /// Ends the transfer: the reader is gone.
        func abandon() {
            if finish(.failure(.cancelled(stage: .load))) {
                wake()
                loop.stop(self)
            }
        }

        // MARK: The thread's side

        func begin(_ head: HTTPResponseHead, _ times: ConnectionTimes, length: Int?) {
            state.withLock { state in
                state.head = head
                state.times = times
                state.length = length
                // A body that would wake its reader only when it is whole is not held back before.
                let isGathered = length.map { $0 <= Self.gatherLimit } ?? false
                state.limit =
                    Self.canPause(head.version) ? (isGathered ? Self.gatherLimit : Self.bufferLimit) : Self.unheldLimit
            }
        }

        /// Most bytes that are reserved at once for a reader that waits for `wanted`. A reader that still waits for the head mostly
        /// takes the body whole.
        private static func room(for wanted: Int) -> Int {
            switch wanted {
            case 0: gatherLimit
            case 1: watchedRoom
            default: maximumRoom
            }
        }

        /// False: the reader has enough, and the bytes come again after it has taken them.
        func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
            state.withLock { state in
                guard state.body.isEmpty || state.body.count < max(state.limit, 2 * state.wanted) else {
                    state.isPaused = true
                    return false
                }
                let count = state.body.count + bytes.count
                if state.body.capacity < count {
                    let room = min(state.length ?? 0, Self.room(for: state.wanted))
                    state.body.reserveCapacity(max(count, state.body.isEmpty ? room : 2 * state.body.capacity))
                }
                state.body.append(contentsOf: bytes)
                return true
            }
        }

        /// The first end wins, and the call returns whether this was it. ``wake()`` follows.
        @discardableResult func finish(_ end: Result<Void, ImageError>) -> Bool {
            state.withLock { state in
                guard state.end == nil else { return false }
                state.end = end
                // A cancelled reader drops the buffer; after a failure, the bytes may be resumed from later.
                if case .failure(let error) = end, error.code == .cancelled { state.body = [] }
                return true
            }
        }

        /// Wakes the reader if there is what it waits for.
        func wake() {
            let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard state.isReady else { return nil }
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume()
        }

        /// Wakes a reader that waits for more than there is.
        func handOver() {
            let reader = state.withLock { state in state.body.isEmpty ? nil : state.reader.take() }
            reader?.resume()
        }

        var isPaused: Bool { state.withLock { $0.isPaused } }
        var isOver: Bool { state.withLock { $0.end != nil } }
    }
#endif
