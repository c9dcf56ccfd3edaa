import FoundationEssentials
import GannetCache
import GannetCore
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetFetch

/// KF-07, DL-46, U-15, S3-21: which loads are retried, when, and which sources are left alone for a while.
@Suite struct RetryTests {
    // KF-07
    @Test func `testDelayRetryIntervalCalculating`() async {
        func delays(_ interval: DelayRetryStrategy.Interval, _ count: Int = 4) async -> [Duration?] {
            let strategy = DelayRetryStrategy(maximumCount: 3, interval: interval)
            var result: [Duration?] = []
            for attempt in 2..<(2 + count) { result.append(await strategy.delay(before: attempt, after: DownloadRig.broken)) }
            return result
        }
        #expect(await delays(.seconds(3)) == [.seconds(3), .seconds(3), .seconds(3), nil])
        #expect(await delays(.accumulated(2)) == [.seconds(2), .seconds(4), .seconds(6), nil])
        #expect(await delays(.exponential(first: 1, maximum: 3)) == [.seconds(1), .seconds(2), .seconds(3), nil])
        #expect(await delays(.custom { Double($0) / 2 }) == [.milliseconds(500), .seconds(1), .milliseconds(1500), nil])
        #expect(await delays(.custom { _ in .nan }) == [nil, nil, nil, nil])
    }

    // S3-21
    @Test func `Jitter takes a part of the delay away, by the random source`() async {
        let strategy = DelayRetryStrategy(interval: .seconds(10), jitter: 0.5, random: SeededRandomSource(seed: 1))
        var seen: Set<Duration> = []
        for _ in 0..<20 {
            guard let delay = await strategy.delay(before: 2, after: DownloadRig.broken) else { continue }
            #expect(delay >= .seconds(5) && delay <= .seconds(10))
            seen.insert(delay)
        }
        #expect(seen.count > 10)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
    func `Statuses that may pass are tried again`(_ status: Int) async {
        let error = ImageError(.httpStatus, stage: .load, "", httpStatus: status)
        #expect(DelayRetryStrategy.mayPass(error))
    }

    /// testDelayRetryStrategyNotRetryForErrorReason, testNetworkRetryStrategyStopsForTaskCancelled
    @Test(arguments: [
        ImageError.Code.cancelled, .notAnImage, .hookRefused, .protocolViolation, .tlsFailed, .limitExceeded, .cacheMiss, .misuse,
        .contentType, .tooManyRedirects,
    ])
    func `What will not pass is not tried again`(_ code: ImageError.Code) async {
        #expect(await DelayRetryStrategy().delay(before: 2, after: ImageError(code, stage: .load, "")) == nil)
    }

    // DL-46, KF-07, KF-21
    @Test func `testKingfisherManagerCanRetry`() async throws {
        let rig = DownloadRig(retry: DelayRetryStrategy(interval: .seconds(3)), answer: DownloadRig.failing(2))
        let task = Task { await rig.fetch() }
        for _ in 0..<2 {
            await rig.time.waitForSleepers()
            #expect(rig.loader.slots.runningCount == 0, "a slot is held while nothing moves")
            rig.time.advance(by: .seconds(3))
        }
        let fetched = try await task.value.get()
        #expect(fetched.metrics?.attempts == 3)
        #expect(rig.observer.count { if case .retrying = $0 { true } else { false } } == 2)
    }

    @Test func `testDelayRetryStrategyExceededCount`() async {
        let rig = DownloadRig(retry: DelayRetryStrategy(maximumCount: 2, interval: .seconds(0)), answer: DownloadRig.failing(99))
        #expect(await rig.fetch().failureCode == .network)
        #expect(rig.transport.requests.count == 3)
    }

    // S3-21
    @Test func `Retry-After is obeyed up to a bound`() async throws {
        func error(_ seconds: Int) -> ImageError {
            ImageError(.httpStatus, stage: .load, "", httpStatus: 503, retryAfter: .seconds(seconds))
        }
        let strategy = DelayRetryStrategy(interval: .seconds(1))
        #expect(await strategy.delay(before: 2, after: error(7)) == .seconds(7))
        #expect(await strategy.delay(before: 2, after: error(61)) == nil)
    }

    @Test(arguments: [("120", 120), ("Thu, 01 Jan 2026 00:01:00 GMT", 60), ("-1", nil), ("soon", nil)])
    func `Retry-After is read as seconds or as a date`(_ text: String, _ seconds: Int?) async {
        let rig = DownloadRig(answer: DownloadRig.always(status: 503, headers: [("Retry-After", text)]))
        guard case .failure(let error) = await rig.fetch() else {
            Issue.record("503 became a picture")
            return
        }
        #expect(error.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func `A strategy of the request comes before the fetcher's`() async throws {
        struct Never: RetryStrategy {
            func delay(before attempt: Int, after error: ImageError) async -> Duration? { nil }
        }
        let rig = DownloadRig(retry: DelayRetryStrategy(interval: .seconds(0)), answer: DownloadRig.failing(1))
        #expect(await rig.fetch { $0.download.retry = Never() }.failureCode == .network)
        #expect(rig.transport.requests.count == 1)
    }

    @Test func `Cancelling ends the wait for the next attempt`() async {
        let rig = DownloadRig(retry: DelayRetryStrategy(interval: .seconds(3)), answer: DownloadRig.failing(99))
        let task = Task { await rig.fetch() }
        await rig.time.waitForSleepers()
        task.cancel()
        #expect(await task.value.failureCode == .cancelled)
        #expect(rig.transport.requests.count == 1)
    }
}

/// MG-08, OP-00, MG-09, U-15: sources that failed.
@Suite struct FailedSourceTests {
    static let notFound = DownloadRig.always(status: 404)

    // MG-08, S3-21
    @Test func `A source that will not come back is not asked again for a while`() async {
        let rig = DownloadRig(failedAge: .seconds(300), answer: Self.notFound)
        #expect(await rig.fetch().failureCode == .httpStatus)
        guard case .failure(let blocked) = await rig.fetch() else {
            Issue.record("a picture from nowhere")
            return
        }
        #expect(blocked.code == .blocked && blocked.retryAfter == .seconds(300))
        #expect(blocked.httpStatus == 404 && (blocked.underlying as? ImageError)?.code == .httpStatus)
        #expect(rig.transport.requests.count == 1)
        rig.time.advance(by: .seconds(301))
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(rig.transport.requests.count == 2)
    }

    // OP-00
    @Test func `retryFailedSources asks anyway, and success clears the list`() async throws {
        let rig = DownloadRig(failedAge: .seconds(300)) { request, number in
            .fixed(request, status: number == 1 ? 410 : 200, headers: [("Cache-Control", "no-store")], body: DownloadRig.picture)
        }
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(rig.fetcher.failedSources.contains(ImageSource(DownloadRig.url)))
        #expect(try await rig.text { $0.schedule.retryFailedSources = true } == "picture")
        #expect(!rig.fetcher.failedSources.contains(ImageSource(DownloadRig.url)))
        #expect(try await rig.text() == "picture")
    }

    @Test func `What one asker is refused, others are not`() async throws {
        let rig = DownloadRig(failedAge: .seconds(300)) { request, _ in
            .fixed(
                request, status: request.headers.contains("Authorization") ? 200 : 404,
                headers: [("Cache-Control", "no-store")], body: DownloadRig.picture)
        }
        #expect(await rig.fetch().failureCode == .httpStatus)
        #expect(try await rig.text { $0.download.headers = HTTPHeaders([("Authorization", "Bearer x")]) } == "picture")
        #expect(await rig.fetch().failureCode == .blocked, "the success of another says nothing")
        rig.fetcher.failedSources.remove(ImageSource(DownloadRig.url))
        #expect(await rig.fetch().failureCode == .httpStatus)
    }

    @Test func `What one method is refused, others are not`() async throws {
        let rig = DownloadRig(failedAge: .seconds(300)) { request, _ in
            .fixed(request, status: request.method == "GET" ? 200 : 405, body: DownloadRig.picture)
        }
        #expect(await rig.fetch { $0.download.method = "HEAD" }.failureCode == .httpStatus)
        #expect(await rig.fetch { $0.download.method = "HEAD" }.failureCode == .blocked)
        #expect(rig.fetcher.failedSources.contains(ImageSource(DownloadRig.url)))
        #expect(try await rig.text() == "picture")
    }

    @Test func `A jitter that is no number is none`() async {
        let strategy = DelayRetryStrategy(interval: .seconds(10), jitter: .nan)
        #expect(await strategy.delay(before: 2, after: DownloadRig.broken) == .seconds(10))
    }

    @Test func `A body that drips in single bytes is kept in few pieces`() async throws {
        let body = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        let rig = DownloadRig { request, _ in
            var response = HTTPResponse.fixed(request)
            response.head.headers.remove("Content-Length")
            response.body = .chunks(body.map { [$0] })
            return response
        }
        let snapshots = Mutex<[ByteRope]>([])
        let fetched = try await rig.fetcher.fetch(rig.request()) { step in snapshots.withLock { $0.append(step.bytes) } }
        #expect(fetched.encoded?.bytes.contiguous() == body)
        let seen = snapshots.withLock { $0 }
        #expect(seen.count >= 5000)
        #expect((seen.map(\.chunks.count).max() ?? 0) <= 16)
        for rope in stride(from: 0, to: seen.count, by: 97).map({ seen[$0] }) {
            #expect(rope.contiguous() == Array(body.prefix(rope.count)))
            #expect(rope.prefix(3, from: rope.count / 2) == Array(body.prefix(rope.count).dropFirst(rope.count / 2).prefix(3)))
        }
    }

    /// SDWebImage's exceptions: no connection, cancelled, timed out, host not found, cannot connect, connection lost.
    // U-15
    @Test(arguments: [
        ImageError.Code.network, .cancelled, .timedOut, .hostNotFound, .connectionFailed, .limitExceeded, .cacheMiss,
        .hookRefused,
    ])
    func `What may pass by itself is not listed`(_ code: ImageError.Code) {
        #expect(!FailedSources.isLasting(ImageError(code, stage: .load, "")))
    }

    @Test(arguments: [ImageError.Code.notAnImage, .corrupt, .empty, .contentType, .tlsFailed, .protocolViolation])
    func `What will not pass is listed`(_ code: ImageError.Code) {
        #expect(FailedSources.isLasting(ImageError(code, stage: .load, "")))
    }

    // U-15
    @Test func `Retry-After lists a busy source for exactly that long`() {
        let time = ManualTimeSource()
        let list = FailedSources(age: .zero, time: time)
        let source = ImageSource(DownloadRig.url)
        list.note(source, ImageError(.httpStatus, stage: .load, "", httpStatus: 503, retryAfter: .seconds(20)))
        #expect(list.contains(source))
        time.advance(by: .seconds(20))
        #expect(!list.contains(source))
        list.note(source, ImageError(.httpStatus, stage: .load, "", httpStatus: 503))
        #expect(!list.contains(source))
    }

    @Test(arguments: [-31_536_000, 31_536_000])
    func `A calendar that is set lists nothing for longer, and nothing for shorter`(_ seconds: Int) {
        let time = ManualTimeSource()
        let list = FailedSources(age: .seconds(300), time: time)
        let source = ImageSource(DownloadRig.url)
        list.note(source, ImageError(.tlsFailed, stage: .load, ""))
        time.setCalendar(time.now + .seconds(seconds))
        time.advance(by: .seconds(299))
        #expect(list.contains(source))
        #expect(throws: ImageError.self) { try list.check(source, storedAt: CacheKey(DownloadRig.url)) }
        time.advance(by: .seconds(1))
        #expect(!list.contains(source))
        #expect(throws: Never.self) { try list.check(source, storedAt: CacheKey(DownloadRig.url)) }
    }

    // U-15
    @Test func `The list has an end`() {
        let list = FailedSources(maximumCount: 2, time: ManualTimeSource())
        let sources = (0..<3).map { ImageSource("https://example.org/\($0)") }
        for source in sources { list.note(source, ImageError(.notAnImage, stage: .decode, "")) }
        #expect(sources.map { list.contains($0) } == [false, true, true])
        list.remove(sources[1])
        #expect(list.count == 1)
        list.removeAll()
        #expect(list.count == 0)
    }

    @Test func `The policy decides when it wants to`() async {
        struct Policy: LoadPolicy {
            func shouldBlock(_ source: ImageSource, after error: ImageError) -> Bool? {
                source.keyText.contains("never") ? false : error.httpStatus == 500 ? true : nil
            }
        }
        let rig = DownloadRig(failedAge: .seconds(60), policy: Policy()) { request, _ in
            .fixed(request, status: request.url.path == "/500" ? 500 : 404)
        }
        for path in ["500", "404", "never"] { _ = await rig.fetch("https://example.org/" + path) }
        let listed = ["500", "404", "never"].map { rig.fetcher.failedSources.contains(ImageSource("https://example.org/" + $0)) }
        #expect(listed == [true, true, false])
    }

    @Test func `A stored picture is served although its source is listed`() async throws {
        let rig = DownloadRig(failedAge: .seconds(300)) { request, number in
            number == 1
                ? .fixed(request, headers: [("Cache-Control", "max-age=60")], body: DownloadRig.picture)
                : .fixed(request, status: 404)
        }
        _ = try await rig.text()
        rig.fetcher.failedSources.note(ImageSource(DownloadRig.url), ImageError(.notAnImage, stage: .decode, ""))
        #expect(try await rig.text() == "picture")
        #expect(rig.transport.requests.count == 1)
    }
}

/// KF-06, KF-08, DL-43: other sources in the place of one.
@Suite struct AlternativeSourceTests {
    static func server(_ good: String) -> ScriptedTransport.Answer {
        { request, _ in .fixed(request, status: request.url.path == good ? 200 : 404, body: DownloadRig.picture) }
    }

    // KF-06, CG-15
    @Test func `testRetrievingErrorsWithAlternativeSource`() async throws {
        let rig = DownloadRig(answer: Self.server("/c"))
        let others: [ImageSource] = ["https://example.org/b", "https://example.org/c", "https://example.org/d"]
        let fetched = try await rig.fetch("https://example.org/a") { $0.download.alternatives = others }.get()
        #expect(fetched.source == others[1])
        #expect(rig.transport.requests.map(\.url.path) == ["/a", "/b", "/c"])
        // Its entry is its own: nothing stands under the key of the source that failed.
        #expect(rig.cache.keys == ["https://example.org/c"])
        let none = await rig.fetch("https://example.org/a") { $0.download.alternatives = ["https://example.org/b"] }
        #expect(none.failureCode == .httpStatus)
    }

    @Test func `testRetrievingAlternativeSourceCancelled`() async {
        let gate = AsyncGate()
        let rig = DownloadRig { request, _ throws(ImageError) in
            await gate.wait()
            try ImageError.checkCancellation(stage: .load)
            return .fixed(request)
        }
        let task = Task { await rig.fetch { $0.download.alternatives = ["https://example.org/b"] } }
        await gate.waitForArrivals(1)
        task.cancel()
        #expect(await task.value.failureCode == .cancelled)
        #expect(rig.transport.requests.count == 1)
    }

    // DL-43, KF-08
    @Test func `testLowDataModeSource`() async throws {
        let rig = DownloadRig(answer: DownloadRig.always())
        func small(_ request: inout ImageRequest) { request.download.lowDataSource = "https://example.org/small.png" }
        _ = try await rig.fetch(DownloadRig.url, small).get()
        rig.fetcher.savesData = true
        _ = try await rig.fetch("https://example.org/b.png", small).get()
        #expect(rig.transport.requests.map(\.url.path) == ["/a.png", "/small.png"])
    }
}
