#if Server
    package import GannetCore
    package import GannetPlatform
    import Synchronization

    /// Answers as objects of S3, or of a server with its API. All sizes, and for as long as the bucket keeps them.
    ///
    /// Looking costs a request its limits at most. Objects are written behind the answers, from a line of limited length.
    package final class S3Answers: AnswerStore {
        package struct Limits: Sendable {
            package init() {}

            /// For the connection, and once more for the head of an answer.
            package var head = Duration.milliseconds(300)
            /// For all of an exchange.
            var whole = Duration.seconds(2)
            /// Larger answers are neither written nor read.
            var answerBytes = 16 << 20
            /// Answers that may wait to be written, and their bytes; what is beyond is dropped.
            var waiting = 64
            var waitingBytes = 64 << 20
            /// Objects that are written at once.
            var writers = 2
            var breaker = Breaker()
        }

        let watch: SharedWatch
        private let place: S3Place
        private let signature: S3Signature
        private let transport: any HTTPTransport
        private let limits: Limits
        private let time: any TimeSource
        private let line = Mutex(PutLine())

        /// Connects to nothing yet. `report` gets a line when the server goes, and one when it comes back.
        package init(
            _ place: S3Place, _ credentials: S3Credentials, transport: any HTTPTransport, limits: Limits = Limits(),
            time: any TimeSource = SystemTimeSource(), report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            (self.place, self.transport, self.limits, self.time) = (place, transport, limits, time)
            signature = S3Signature(credentials: credentials, region: place.region)
            watch = SharedWatch(name: "s3", place: "S3, \(place)", breaker: limits.breaker, time: time, report: report)
        }

        package func answer(for key: AnswerKey) async -> StoredAnswer? {
            guard let attempt = watch.begin() else { return nil }
            do throws(ImageError) {
                let deadlines = LoadDeadlines(connect: limits.head, idle: limits.head, total: limits.whole)
                let response = try await transport.send(try request("GET", key, deadlines))
                var answer: StoredAnswer?
                if response.head.status == 200 {
                    answer = try await bytes(response).flatMap { AnswerFile.decode($0, for: key) }
                } else if response.head.status != 404 {
                    throw S3Signature.refusal(response.head.status)
                }
                watch.succeeded(attempt)
                watch.count { if answer == nil { $0.misses += 1 } else { $0.hits += 1 } }
                return answer
            } catch {
                watch.failed(attempt, error)
                return nil
            }
        }

        /// Nil: they are too many to be an answer.
        private func bytes(_ response: HTTPResponse) async throws(ImageError) -> [UInt8]? {
            var bytes: [UInt8] = []
            while let piece = try await response.body.next() {
                bytes += piece
                if bytes.count > limits.answerBytes + AnswerFile.overhead { return nil }
            }
            return bytes
        }

        /// Returns before it is written.
        package func store(_ answer: StoredAnswer, for key: AnswerKey) {
            guard answer.bytes.count <= limits.answerBytes else { return }
            switch line.withLock({ $0.add(answer, for: key, limits: limits) }) {
            case .dropped: watch.count { $0.dropped += 1 }
            case .waits: break
            // It keeps the store alive until the line is empty.
            case .needsWriter: Task { await write() }
            }
        }

        private func write() async {
            while let next = line.withLock({ $0.next() }) { await put(next.answer, for: next.key) }
            for watcher in line.withLock({ $0.leave() }) { watcher.resume() }
        }

        private func put(_ answer: StoredAnswer, for key: AnswerKey) async {
            guard let bytes = AnswerFile.encode(answer, for: key, at: time.now) else { return }
            guard let attempt = watch.begin() else { return watch.count { $0.dropped += 1 } }
            do throws(ImageError) {
                let deadlines = LoadDeadlines(connect: limits.head, idle: limits.whole, total: limits.whole)
                let response = try await transport.send(try request("PUT", key, deadlines, body: bytes))
                guard (200..<300).contains(response.head.status) else { throw S3Signature.refusal(response.head.status) }
                while try await response.body.next() != nil {}
                watch.succeeded(attempt)
                watch.count { $0.stored += 1 }
            } catch {
                watch.failed(attempt, error)
            }
        }

        /// Gives up what waits, and returns when what is being written is written.
        func finish() async {
            for _ in 0..<line.withLock({ $0.forget() }) { watch.count { $0.dropped += 1 } }
            await flush()
        }

        /// Returns when nothing is being written any more.
        func flush() async {
            await withCheckedContinuation { continuation in
                if !line.withLock({ $0.watch(continuation) }) { continuation.resume() }
            }
        }

        private func request(
            _ method: String, _ key: AnswerKey, _ deadlines: LoadDeadlines, body: [UInt8]? = nil
        ) throws(ImageError) -> HTTPRequest {
            let path = place.path(key.stored.text)
            guard let url = place.url(path: path) else {
                throw ImageError(.misuse, stage: .resolve, "The name of an object is no URL.")
            }
            let fields = signature.fields(method: method, host: place.host, path: path, body: body ?? [], at: time.now)
            return HTTPRequest(
                method: method, url: url, headers: HTTPHeaders(fields), body: body, deadlines: deadlines)
        }
    }
#endif
