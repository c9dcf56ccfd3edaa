import GannetCore
import GannetPlatform

/// One transfer that completed.
struct Transfer: Sendable {
    enum Content: Sendable {
        case bytes(ByteRope)
        case image(DecodedImage)
        case notModified
    }

    var content: Content
    var origin: LoadedImage.Origin
    /// For sources without HTTP.
    var freshness: Freshness
    /// Nil if it was not HTTP. For a continued transfer: the head of the whole.
    var head: HTTPResponseHead?
    var requestTime: Timestamp
    var responseTime: Timestamp
    var metrics = TransferMetrics()
    /// Counts the bytes until they are used; nil: they took no slot.
    var unused: UnusedBytes.Part?
}

extension FetchJob {
    /// Loads in a slot, and again after failures if the retry strategy says so. Does not hold a slot while waiting.
    @inline(never) func transfer(_ load: LoadRequest) async throws(ImageError) -> Transfer {
        let began = firstCall ?? time.uptime
        firstCall = began
        var tries = 1
        broken = cache != nil && mayResume ? await keptPart(load) : nil
        while true {
            do throws(ImageError) {
                var result = try await slotted(load)
                result.metrics.attempts = tries
                result.metrics.total = time.uptime - began
                return result
            } catch {
                tries += 1
                try await wait(before: tries, after: error)
                spent = .zero
            }
        }
    }

    /// Returns when it is time for another attempt; throws `error` if there is to be none.
    @inline(never) private func wait(before attempt: Int, after error: ImageError) async throws(ImageError) {
        guard error.code != .cancelled, mayRepeat(after: error) else { throw error }
        let strategy = request.download.retry ?? fetcher.retry
        guard let delay = await strategy?.delay(before: attempt, after: error) else {
            // The strategy may have waited, and returned because the load was cancelled.
            try ImageError.checkCancellation(stage: .load)
            throw error
        }
        fetcher.note(request.id, .retrying(attempt: attempt, after: delay))
        if delay > .zero { try await time.sleep(for: delay) }
        try ImageError.checkCancellation(stage: .load)
    }

    /// False if the server may have carried out the request although no answer came, unless the method is idempotent (RFC 9110
    /// §9.2.2).
    private func mayRepeat(after error: ImageError) -> Bool {
        guard error.code == .network || error.code == .timedOut else { return true }
        return HTTPCachePolicy.isIdempotent(request.download.method)
    }

    @inline(never) private func slotted(_ load: LoadRequest) async throws(ImageError) -> Transfer {
        // A provider may load other images, as for a collage: it must not hold a slot that they need.
        if case .provider = request.source { return try await transferred(load) }
        let priority = request.follower?.priority ?? LivePriority(request.priority)
        return try await fetcher.slots.withSlot(for: request.source, priority: priority) { slot async throws(ImageError) in
            var load = load
            load.slot = slot
            var result = try await transferred(load)
            if case .bytes(let bytes) = result.content { result.unused = fetcher.slots.unused.begin(bytes.count, in: slot) }
            return result
        }
    }

    private func transferred(_ load: LoadRequest) async throws(ImageError) -> Transfer {
        if broken != nil, let whole = try await resumed(load) { return whole }
        beginAgain()
        return try await drained(load, resuming: nil)
    }

    /// Continues a broken transfer. Nil: the part is of no use any more, and the transfer starts again in the same slot.
    @inline(never) private func resumed(_ load: LoadRequest) async throws(ImageError) -> Transfer? {
        if let part = broken, let whole = try await continued(load, part) { return whole }
        await dropPart()
        return nil
    }

    func beginAgain() {
        if hasPublished { attempt += 1 }
        hasPublished = false
    }

    /// Loads and reads to the end. `part`: the bytes before those that arrive, and the head of the whole.
    @inline(never) func drained(_ load: LoadRequest, resuming part: BrokenTransfer?) async throws(ImageError) -> Transfer {
        let source = request.source
        let requestTime = time.now
        let began = time.uptime
        trail = nil
        beginKeeping(at: began)
        defer { spent += time.uptime - began }
        fetcher.note(request.id, .transferStarted(source.redactedDescription))
        var hasEnded = false
        defer { if !hasEnded { fetcher.note(request.id, .transferFailed(source.redactedDescription)) } }
        var response = try await loader.load(spent > .zero ? inTime(load) : load)
        fetcher.note(request.id, .responseReceived(source.redactedDescription, status: response.http?.status))
        // This field is our own: a server's field of this name is ignored.
        response.http?.headers.remove(HTTPCachePolicy.redirectField)
        if let trail = response.trail { follow(trail, to: &response) }
        var result = started(response, at: requestTime)
        result.metrics.firstByte = time.uptime - (firstCall ?? began)
        result.metrics.redirects = response.redirects
        result.metrics.nameLookup = .microseconds(response.times.name)
        result.metrics.connecting = .microseconds(response.times.connect)
        result.metrics.securing = .microseconds(response.times.tls)
        var part = part
        if let kept = part {
            if response.http?.status == 200 {
                // The image has changed, and this is the whole new one (RFC 9110 §13.1.5).
                part = nil
                beginAgain()
            } else {
                result.head = try kept.continued(by: response)
            }
        }
        let expected = part?.total ?? response.expectedBytes
        if case .stream(let stream) = response.body {
            let rope = try await read(stream, after: part?.bytes ?? ByteRope(), expected, load, head: result.head, since: began)
            try complete(&result, rope, part, expected)
        } else {
            try take(response.body, &result, load, part, expected)
        }
        result.metrics.total = time.uptime - (firstCall ?? began)
        broken = nil
        if hasKept { await dropPart() }
        hasEnded = true
        fetcher.note(request.id, .transferEnded(source.redactedDescription, bytes: result.metrics.bytes))
        return result
    }

    /// Notes the requests that led to the answer, and how the freshness of their redirects limits that of the answer.
    @inline(never) private func follow(_ trail: LoadTrail, to response: inout LoadResponse) {
        self.trail = trail
        if let freshness = policy.freshness(overRedirects: trail.redirects) {
            response.http?.headers.set(HTTPCachePolicy.redirectField, freshness)
        }
    }

    /// Limits a call to the time that is left: all calls of an attempt share its deadline, as the requests of one call do.
    @inline(never) private func inTime(_ load: LoadRequest) throws(ImageError) -> LoadRequest {
        guard var deadlines = deadlines(of: load) else { return load }
        deadlines.total -= spent
        guard deadlines.total > .zero else {
            throw ImageError(
                .timedOut, stage: .load,
                "What the server sent first was of no use, and took all the time of the load (deadlines.total).")
        }
        var load = load
        load.download.deadlines = deadlines
        return load
    }

    private func deadlines(of load: LoadRequest) -> LoadDeadlines? {
        load.download.deadlines ?? (loader as? HTTPLoader)?.configuration.deadlines
    }

    @inline(never) private func started(_ response: LoadResponse, at requestTime: Timestamp) -> Transfer {
        Transfer(
            content: .notModified, origin: response.origin, freshness: response.freshness, head: response.http,
            requestTime: requestTime, responseTime: time.now)
    }

    /// Completes with a body that has already arrived.
    @inline(never) private func take(
        _ body: LoadResponse.Body, _ result: inout Transfer, _ load: LoadRequest, _ part: BrokenTransfer?, _ expected: Int?
    ) throws(ImageError) {
        switch body {
        case .notModified, .stream: break
        case .image(let image): result.content = .image(image)
        case .bytes(let bytes):
            try load.check(bytes.count)
            tell(bytes, expected)
            try complete(&result, bytes, part, expected)
        }
    }

    /// Sets the bytes as the result's content.
    @inline(never) private func complete(
        _ result: inout Transfer, _ bytes: ByteRope, _ part: BrokenTransfer?, _ expected: Int?
    ) throws(ImageError) {
        if let part, bytes.count != part.total { throw BrokenTransfer.cannotContinue }
        var rope = bytes
        rope.isComplete = true
        tell(rope, expected)
        result.content = .bytes(rope)
        result.metrics.bytes = rope.count
    }

    /// Reads all bytes into one piece: the disk and the decoder both need that, and would each make a copy.
    @inline(never) private func read(
        _ stream: ByteStream, after start: ByteRope, _ expected: Int?, _ load: LoadRequest, head: HTTPResponseHead?,
        since began: Duration
    ) async throws(ImageError) -> ByteRope {
        var bytes: [UInt8] = []
        var rope = start
        var floor = RateFloor(deadlines(of: load)?.lowestRate, at: time.uptime, counted: start.count)
        do throws(ImageError) {
            if start.isEmpty {
                let isAll = try await gather(&bytes, of: stream, expected, load, head: head, since: began, &floor)
                if isAll { return ByteRope(bytes) }
                rope.appendMerging(bytes)
                bytes = []
            }
            let interval = fetcher.slots.minimumProgressInterval
            var told = 0
            while let chunk = try await stream.next() {
                rope.appendMerging(chunk)
                try arrived(chunk.count, of: rope.count, load, &floor)
                let isWorthTelling = expected.map { Double(rope.count - told) >= interval * Double($0) } ?? true
                if told == 0 || isWorthTelling {
                    told = rope.count
                    tell(rope, expected)
                }
                if keeping?.isDue(at: time.uptime) == true { await keepSoFar(rope, head: head, expected) }
            }
            return rope.compacted()
        } catch {
            await keep(rope.isEmpty ? ByteRope(bytes) : rope, head: head, expected, after: error)
            throw error
        }
    }

    /// Reads directly into the final array while no caller watches progress. False: one began to watch before the end.
    @inline(never) private func gather(
        _ bytes: inout [UInt8], of stream: ByteStream, _ expected: Int?, _ load: LoadRequest, head: HTTPResponseHead?,
        since began: Duration, _ floor: inout RateFloor
    ) async throws(ImageError) -> Bool {
        while !isWatched {
            // Wakes up not for each piece, but before the limit is exceeded.
            let patience = min(min(load.maximumBytes, 1 << 40) - bytes.count + 1, Self.longestPatience)
            let before = bytes.count
            guard try await stream.next(into: &bytes, patience: patience) else { return true }
            try arrived(bytes.count - before, of: bytes.count, load, &floor)
            // The announced length may be wrong: above this bound the array grows with the bytes that arrive.
            if let expected, bytes.capacity < min(expected, 8 << 20) { bytes.reserveCapacity(min(expected, 8 << 20)) }
            if keeping?.isDue(at: time.uptime) == true { await keepSoFar(ByteRope(bytes), head: head, expected) }
        }
        return false
    }

    /// Checks the limits of a body that grows.
    private func arrived(
        _ count: Int, of total: Int, _ load: LoadRequest, _ floor: inout RateFloor
    ) throws(ImageError) {
        load.slot?.progressed(by: count)
        try load.check(total)
        try floor.check(total, at: time.uptime)
    }

    /// A caller that begins to watch late waits for at most this many bytes.
    private static let longestPatience = 1 << 20

    private var isWatched: Bool { request.follower?.isWatched ?? (publish != nil) }

    private func tell(_ rope: ByteRope, _ expected: Int?) {
        guard isWatched else { return }
        hasPublished = true
        let progress = FetchProgress(bytes: rope, expected: expected, attempt: attempt)
        if let follower = request.follower { follower.publish(progress) } else { publish?(progress) }
    }
}
