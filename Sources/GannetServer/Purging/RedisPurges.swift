#if Server
    import GannetCore
    package import GannetPlatform
    package import GannetSharedCaches

    /// The records of all replicas, in Redis: a sorted set of scopes by the number of their last purge, which each replica reads a few times a
    /// second. All of it is in one slot of a cluster.
    package struct RedisPurges: Sendable {
        /// What Redis has beyond a number.
        struct Changes: Sendable {
            /// Of this set of records: another one is there after Redis lost its data.
            var name: String
            var last: Int64
            var floor: Int64
            var records: [PurgeRecord]
            /// There are more.
            var isCut: Bool
        }

        enum Appended: Equatable, Sendable {
            case number(Int64)
            /// The request was carried out before.
            case repeated
            /// Redis cannot be asked.
            case failed
        }

        /// Read at once.
        static let page = 1000
        let client: RedisClient
        /// Scopes that Redis keeps.
        var maximumCount = PurgeLog.standardCount
        private let random: any RandomSource

        /// Connects to nothing yet. Its connections are its own, and no failure opens a breaker: after Redis is back the next look finds it.
        package init(
            _ address: RedisAddress, limits: RedisLimits = Self.limits, time: any TimeSource = SystemTimeSource(),
            random: any RandomSource = SystemRandomSource(), report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            var limits = limits
            limits.failures = .max
            client = RedisClient(address, limits: limits, time: time, report: report)
            self.random = random
        }

        /// Two connections, 100 ms for one, and 200 ms for a command.
        package static var limits: RedisLimits {
            var limits = RedisLimits()
            (limits.connections, limits.waiting) = (2, 16)
            (limits.connect, limits.command) = (.milliseconds(100), .milliseconds(200))
            return limits
        }

        /// Nil: Redis cannot be asked.
        func changes(since number: Int64) async -> Changes? {
            let reply = await ask(Self.reading, [Self.log, Self.state], ["\(number)", "\(Self.page)"])
            guard case .list(let parts) = reply, parts.count >= 3, let last = Self.number(parts[0]),
                case .bytes(let name) = parts[1], let floor = Self.number(parts[2])
            else { return nil }
            var records: [PurgeRecord] = []
            if parts.count == 4, case .list(let found) = parts[3] {
                for index in stride(from: 0, to: found.count - 1, by: 2) {
                    guard case .bytes(let text) = found[index], let scope = Digest128(hex: String(decoding: text, as: UTF8.self)),
                        let number = Self.number(found[index + 1])
                    else { continue }
                    records.append(PurgeRecord(scope: scope, number: number))
                }
            }
            return Changes(
                name: String(decoding: name, as: UTF8.self), last: last, floor: floor, records: records,
                isCut: records.count == Self.page)
        }

        /// Adds records under one new number, which is higher than all before it and than `least`.
        ///
        /// - Parameter nonce: counts once until it ends; nil: it is not asked for.
        func append(
            _ scopes: [Digest128], isEverything: Bool, nonce: PurgeFile.Nonce?, above least: Int64, at now: Timestamp
        ) async -> Appended {
            let life = nonce.map { max(($0.end - now).wholeMilliseconds, 1) } ?? 0
            let name = nonce.map { Self.nonce + $0.digest.hex } ?? Self.nonce
            let reply = await ask(
                Self.appending, [Self.log, Self.state, name],
                [
                    "\(life)", "\(max(now.milliseconds, least))", "\(maximumCount)", String(random.next(), radix: 16),
                    isEverything ? "1" : "0",
                ] + scopes.map(\.hex))
            guard let number = Self.number(reply) else { return .failed }
            return number == 0 ? .repeated : .number(number)
        }

        private func ask(_ script: String, _ keys: [String], _ arguments: [String]) async -> RedisReply? {
            await client.ask(["EVAL", script, "\(keys.count)"] + keys + arguments, key: Self.log)
        }

        private static func number(_ reply: RedisReply?) -> Int64? {
            switch reply {
            case .number(let number): Int64(number)
            case .bytes(let text): Int64(String(decoding: text, as: UTF8.self))
            default: nil
            }
        }

        // MARK: Names and scripts

        private static let log = "gannet:{purges}:log"
        /// `last`, `floor` and `name`.
        private static let state = "gannet:{purges}:state"
        private static let nonce = "gannet:{purges}:nonce:"

        private static let reading = """
            local state = redis.call('HMGET', KEYS[2], 'last', 'name', 'floor')
            local last, name, floor = state[1] or '0', state[2] or '', state[3] or '0'
            if tonumber(last) <= tonumber(ARGV[1]) then return {last, name, floor} end
            return {last, name, floor,
                redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', '0', ARGV[2])}
            """

        private static let appending = """
            if ARGV[1] ~= '0' and not redis.call('SET', KEYS[3], '1', 'NX', 'PX', ARGV[1]) then return 0 end
            local last = tonumber(redis.call('HGET', KEYS[2], 'last') or '0')
            local number = string.format('%.0f', math.max(last + 1, tonumber(ARGV[2])))
            for index = 6, #ARGV do redis.call('ZADD', KEYS[1], number, ARGV[index]) end
            if ARGV[5] == '1' then
                redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', number)
                redis.call('HSET', KEYS[2], 'floor', number)
            end
            local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[3])
            if over > 0 then
                local gone = redis.call('ZRANGE', KEYS[1], over - 1, over - 1, 'WITHSCORES')
                redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', gone[2])
                if tonumber(gone[2]) > tonumber(redis.call('HGET', KEYS[2], 'floor') or '0') then
                    redis.call('HSET', KEYS[2], 'floor', string.format('%.0f', tonumber(gone[2])))
                end
            end
            redis.call('HSET', KEYS[2], 'last', number)
            redis.call('HSETNX', KEYS[2], 'name', ARGV[4])
            return number
            """
    }
#endif
