#if Server
    package import GannetCore
    package import GannetPlatform
    import GannetSharedCaches
    import Synchronization

    /// Sends spans to a collector, in batches and in the background. No request waits for it: spans beyond the limits are dropped and
    /// counted, and after failures a circuit breaker pauses the sending, at most for 30 s.
    ///
    /// Not many more than ``Limits/waiting`` spans are sent in each ``Limits/interval``, however many requests ask to be recorded.
    package final class TraceExporter: Sendable {
        package struct Limits: Sendable {
            package init() {}

            /// Spans that may wait, and about their bytes.
            var waiting = 4096
            var waitingBytes = 8 << 20
            /// Spans of a request, and about their bytes.
            var batch = 512
            var batchBytes = 1 << 20
            /// Between two looks at what waits.
            var interval = Duration.seconds(1)
            /// For a request with its response.
            var request = Duration.seconds(2)
            /// For all that waits when the service ends.
            var end = Duration.seconds(2)
            var breaker = CircuitBreakerState()
        }

        private let tally = RemoteTally()
        private let breaker: CircuitBreaker
        private let settings: TraceSettings
        private let transport: any HTTPTransport
        private let limits: Limits
        private let time: any TimeSource
        private let queue = Mutex(TraceQueue())

        /// Connects to nothing yet. `report` gets a line when the collector fails, and one when it is back.
        package init(
            _ settings: TraceSettings, transport: any HTTPTransport, limits: Limits = Limits(),
            time: any TimeSource = SystemTimeSource(), report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            (self.settings, self.transport, self.limits, self.time) = (settings, transport, limits, time)
            breaker = CircuitBreaker(
                tally, server: "The collector at \(settings)", breaker: limits.breaker, time: time, report: report)
        }

        var counts: RemoteCounts { tally.counts(isOpen: breaker.isOpen) }

        /// Makes the spans of a service, which are sent by ``run()``.
        package func tracer(_ sampling: OTLPTracer.Sampling) -> OTLPTracer { OTLPTracer(self, sampling) }

        func add(_ span: SpanRecord) {
            if !queue.withLock({ $0.add(span, limits) }) { tally.count { $0.dropped += 1 } }
        }

        /// Sends what there is, until the task is cancelled.
        package func run() async {
            while !Task.isCancelled {
                do throws(ImageError) { try await time.sleep(for: limits.interval) } catch { return }
                await sendWaiting()
            }
        }

        /// Sends what is left, for ``Limits/end`` at most; what is not sent then is dropped.
        package func finish() async {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.sendWaiting() }
                group.addTask { _ = try? await self.time.sleep(for: self.limits.end) }
                await group.next()
                group.cancelAll()
            }
            let rest = queue.withLock { $0.forget() }
            tally.count { $0.dropped += rest }
        }

        /// Not more than there can be at once: what comes meanwhile waits for the next time.
        func sendWaiting() async {
            for _ in 0...limits.waiting / limits.batch where !Task.isCancelled {
                let spans = queue.withLock { $0.take(limits) }
                guard !spans.isEmpty, await isSent(spans) else { return }
            }
        }

        /// False: they wait again.
        private func isSent(_ spans: [SpanRecord]) async -> Bool {
            guard let attempt = breaker.begin() else {
                queue.withLock { $0.putBack(spans) }
                return false
            }
            do throws(ImageError) {
                let status = try await send(spans)
                if (200..<300).contains(status) {
                    breaker.succeeded(attempt)
                    tally.count { $0.stored += spans.count }
                    return true
                }
                let refusal = ImageError(.httpStatus, stage: .load, "It answers with status \(status).", httpStatus: status)
                // The others mean that it will never take them.
                if [429, 502, 503, 504].contains(status) { throw refusal }
                breaker.failed(attempt, refusal)
                tally.count { $0.dropped += spans.count }
                return false
            } catch {
                breaker.failed(attempt, error)
                queue.withLock { $0.putBack(spans) }
                return false
            }
        }

        /// The status of the response. Its body may say that some spans were rejected, which is final.
        private func send(_ spans: [SpanRecord]) async throws(ImageError) -> Int {
            let headers = [("Content-Type", "application/json")] + settings.headers
            let request = HTTPRequest(
                method: "POST", url: settings.url, headers: HTTPHeaders(headers),
                body: OTLPText.body(spans, resource: settings.resource),
                deadlines: LoadDeadlines(connect: limits.request, idle: limits.request, total: limits.request))
            let response = try await transport.send(request)
            var count = 0
            // Read, so that the connection can be used again.
            while count < 64 << 10, let piece = try await response.body.next() { count += piece.count }
            return response.head.status
        }
    }
#endif
