import GannetCore

/// One transfer that came to its proper end.
struct Transfer: Sendable {
    enum Content: Sendable {
        case bytes(ByteRope)
        case image(DecodedImage)
        case notModified
    }

    var content: Content
    var origin: LoadedImage.Origin
    /// Of sources without HTTP.
    var freshness: Freshness
    /// Nil if it was not HTTP. Of a continued transfer: the whole's.
    var head: HTTPResponseHead?
    var requestTime: Timestamp
    var responseTime: Timestamp
    var metrics = TransferMetrics()
}

extension FetchJob {
    /// Loads in a slot, again after failures as the retry strategy says. A slot is not held while waiting.
    @inline(never) mutating func transfer(_ load: LoadRequest) async throws(ImageError) -> Transfer {
        let strategy = request.download.retry ?? fetcher.retry
        let began = time.uptime
        var tries = 1
        broken = await keptPart(load)
        while true {
            do throws(ImageError) {
                var result = try await slotted(load)
                result.metrics.attempts = tries
                result.metrics.total = time.uptime - began
                return result
            } catch {
                guard error.code != .cancelled else { throw error }
                tries += 1
                guard let delay = await strategy?.delay(before: tries, after: error) else {
                    // A strategy may have waited, and been woken because nobody wants the bytes any more.
                    try ImageError.checkCancellation(stage: .load)
                    throw error
                }
                fetcher.note(request.id, .retrying(attempt: tries, after: delay))
                if delay > .zero { try await time.sleep(for: delay) }
                try ImageError.checkCancellation(stage: .load)
            }
        }
    }

    @inline(never) private mutating func slotted(_ load: LoadRequest) async throws(ImageError) -> Transfer {
        let priority = request.livePriority ?? LivePriority(request.priority)
        return try await fetcher.slots.withSlot(for: request.source, priority: priority) { () async throws(ImageError) in
            if let part = broken {
                if let whole = try await continued(load, part) { return whole }
                // The part is of no use any more: from the beginning, in the same slot.
                await dropPart()
            }
            beginAgain()
            return try await drained(load, resuming: nil)
        }
    }

    mutating func beginAgain() {
        if hasPublished { attempt += 1 }
        hasPublished = false
    }

    /// Loads and reads to the end. `part`: bytes before those that come, and the head of the whole they belong to.
    @inline(never) mutating func drained(_ load: LoadRequest, resuming part: BrokenTransfer?) async throws(ImageError) -> Transfer
    {
        let source = request.source
        let requestTime = time.now
        let began = time.uptime
        fetcher.note(request.id, .transferStarted(source.redactedDescription))
        let response = try await loader.load(load)
        var result = Transfer(
            content: .notModified, origin: response.origin, freshness: response.freshness, head: response.http,
            requestTime: requestTime, responseTime: time.now)
        result.metrics.firstByte = time.uptime - began
        var rope = ByteRope()
        var expected = response.expectedBytes
        if let part {
            guard let head = response.http, let whole = part.whole(continuedBy: head) else {
                throw BrokenTransfer.cannotContinue
            }
            rope = part.bytes
            expected = part.total
            result.head = whole
        }
        switch response.body {
        case .notModified:
            fetcher.note(request.id, .transferEnded(source.redactedDescription, bytes: 0))
            return result
        case .image(let image): result.content = .image(image)
        case .bytes(let bytes):
            try load.check(bytes.count)
            rope = bytes
            tell(rope, expected)
        case .stream(let stream):
            // In one piece from here on: the disk and the decoder both want that, and would each make a copy.
            rope = try await read(stream, after: rope, expected, load, head: result.head).compacted()
        }
        if let part, rope.count != part.total { throw BrokenTransfer.cannotContinue }
        rope.isComplete = true
        if case .image = result.content {
        } else {
            tell(rope, expected)
            result.content = .bytes(rope)
        }
        result.metrics.bytes = rope.count
        result.metrics.total = time.uptime - began
        broken = nil
        fetcher.note(request.id, .transferEnded(source.redactedDescription, bytes: rope.count))
        return result
    }

    private mutating func read(
        _ stream: ByteStream, after start: ByteRope, _ expected: Int?, _ load: LoadRequest, head: HTTPResponseHead?
    ) async throws(ImageError) -> ByteRope {
        var rope = start
        let interval = fetcher.slots.minimumProgressInterval
        var told = 0
        do throws(ImageError) {
            while let chunk = try await stream.next() {
                rope.append(chunk)
                try load.check(rope.count)
                let isWorthTelling = expected.map { Double(rope.count - told) >= interval * Double($0) } ?? true
                if told == 0 || isWorthTelling {
                    told = rope.count
                    tell(rope, expected)
                }
            }
            return rope
        } catch {
            await keep(rope, head: head, expected, after: error)
            throw error
        }
    }

    private mutating func tell(_ rope: ByteRope, _ expected: Int?) {
        hasPublished = true
        publish(FetchProgress(bytes: rope, expected: expected, attempt: attempt))
    }
}
