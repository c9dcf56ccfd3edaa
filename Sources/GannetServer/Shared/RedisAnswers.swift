#if Server
    import GannetCore
    package import GannetPlatform
    import Synchronization

    /// Answers in Redis or Valkey, for all replicas. Small ones, because a large one would keep others waiting.
    ///
    /// A few blocking connections, each with its thread. A server that hangs costs a request the times of the limits at most,
    /// and after some failures nothing: the breaker is asked on those threads, so that nobody waits in line for a server that is
    /// known to be gone.
    package final class RedisAnswers: AnswerStore {
        package struct Limits: Sendable {
            package init() {}

            var connect = Duration.milliseconds(50)
            /// For one command with its answer.
            var command = Duration.milliseconds(50)
            /// Larger answers are not put there.
            var answerBytes = 256 << 10
            /// Connections at most, each with its thread.
            var connections = 4
            /// Of a lease: a replica that dies keeps the others waiting for so long.
            var lease = Duration.seconds(1)
            var breaker = Breaker()
        }

        let address: RedisAddress
        let watch: SharedWatch
        let time: any TimeSource
        let limits: Limits
        /// Makes tokens of leases.
        let random: any RandomSource
        private let executor: BlockingExecutor
        private let idle = Mutex<[RedisConnection]>([])

        /// Connects to nothing yet. `report` gets a line when the server goes, and one when it comes back.
        package init(
            _ address: RedisAddress, limits: Limits = Limits(), time: any TimeSource = SystemTimeSource(),
            random: any RandomSource = SystemRandomSource(), report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            (self.address, self.limits, self.time, self.random) = (address, limits, time, random)
            watch = SharedWatch(
                name: "redis", place: "Redis at \(address)", breaker: limits.breaker, time: time, report: report)
            executor = BlockingExecutor(name: "gannet-redis", threads: limits.connections)
        }

        /// Reports at once if nothing is there. Never fails.
        func check() async { _ = await ask(["PING"], isTold: true) }

        package func answer(for key: AnswerKey) async -> StoredAnswer? {
            // Nothing is counted where nothing was asked.
            guard let reply = await ask(["HGET", Self.name(key), "answer"]) else { return nil }
            guard case .bytes(let bytes) = reply, let answer = AnswerFile.decode(bytes, for: key) else {
                watch.count { $0.misses += 1 }
                return nil
            }
            watch.count { $0.hits += 1 }
            return answer
        }

        package func store(_ answer: StoredAnswer, for key: AnswerKey) async { _ = await store(answer, for: key, number: 0) }

        /// `number`: that of the maker's lease; 0 without one. False: there is an answer with a higher number, which stays.
        func store(_ answer: StoredAnswer, for key: AnswerKey, number: Int) async -> Bool {
            guard answer.bytes.count <= limits.answerBytes, let bytes = AnswerFile.encode(answer, for: key, at: time.now) else {
                return true
            }
            let life = Self.life(of: answer, at: time.now).wholeMilliseconds
            let command = ["EVAL", Self.storing, "1", Self.name(key), String(number), String(life)].map { Array($0.utf8) }
            let reply = await ask(command + [bytes])
            if reply == .number(1) { watch.count { $0.stored += 1 } }
            if reply == .number(0) { watch.count { $0.outdated += 1 } }
            return reply != .number(0)
        }

        /// How long an answer stays: while it is fresh, for a month at most, and for a day more, because a stale one saves an
        /// encode if its source confirms it.
        static func life(of answer: StoredAnswer, at now: Timestamp) -> Duration {
            let fresh = answer.freshness.freshUntil.map { $0 - now } ?? .zero
            return min(max(fresh, .zero), .seconds(30 * 86_400)) + .seconds(86_400)
        }

        /// A stored answer is replaced only by a maker with the same number or a higher one; a value of another kind counts
        /// as nothing.
        private static let storing = """
            local number = redis.pcall('HGET', KEYS[1], 'number')
            if type(number) == 'table' then redis.call('DEL', KEYS[1]) number = false end
            if number and (tonumber(number) or 0) > tonumber(ARGV[1]) then return 0 end
            redis.call('HSET', KEYS[1], 'number', ARGV[1], 'answer', ARGV[3])
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return 1
            """

        static func name(_ key: AnswerKey) -> String { "gannet:answer:" + key.stored.text }

        func ask(_ command: [String], isTold: Bool = false) async -> RedisReply? {
            await ask(command.map { Array($0.utf8) }, isTold: isTold)
        }

        /// Nil: it failed, or the server is left alone.
        func ask(_ command: [[UInt8]], isTold: Bool = false) async -> RedisReply? {
            let reply = try? await executor.run { [self] () throws(ImageError) in perform(command, isTold: isTold) }
            return reply ?? nil
        }

        private func perform(_ command: [[UInt8]], isTold: Bool) -> RedisReply? {
            guard let attempt = watch.begin() else { return nil }
            do throws(RedisConnection.Failure) {
                let reply = try exchange(command)
                // Somebody else's value: the server is well.
                if case .refusal(let text) = reply, !text.hasPrefix("WRONGTYPE") {
                    throw .failed("It refuses: \(text).")
                }
                watch.succeeded(attempt)
                return reply
            } catch {
                watch.failed(attempt, error.reason, isTold: isTold)
                return nil
            }
        }

        /// A server that was started again has closed the connections that wait here, so the first such failure is none.
        private func exchange(_ command: [[UInt8]]) throws(RedisConnection.Failure) -> RedisReply {
            if let kept = idle.withLock({ $0.popLast() }) {
                do throws(RedisConnection.Failure) { return try exchange(command, over: kept) } catch {
                    guard case .closed = error else { throw error }
                    // The others are as old.
                    let closed = idle.withLock { all in
                        defer { all = [] }
                        return all
                    }
                    withExtendedLifetime(closed) {}
                }
            }
            return try exchange(
                command, over: RedisConnection(address, connect: limits.connect, command: limits.command))
        }

        private func exchange(
            _ command: [[UInt8]], over connection: RedisConnection
        ) throws(RedisConnection.Failure) -> RedisReply {
            let reply = try connection.ask(command)
            idle.withLock { $0.append(connection) }
            return reply
        }
    }
#endif
