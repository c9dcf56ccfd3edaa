#if Server
    import GannetCore
    package import GannetPlatform
    package import GannetSharedCaches

    /// Responses in Redis or Valkey, for all replicas. Small ones, because a large one would keep others waiting.
    package struct RedisResponseStore: Sendable {
        let client: RedisClient
        /// Makes tokens of leases.
        let random: any RandomSource
        /// A replica that dies keeps the others waiting for so long.
        let leaseLength: Duration

        var counts: RemoteCounts { client.counts }

        /// Connects to nothing yet. `report` gets a line when a server fails, and one when it is back.
        package init(
            _ address: RedisAddress, limits: RedisLimits = RedisLimits(), time: any TimeSource = SystemTimeSource(),
            random: any RandomSource = SystemRandomSource(), leaseLength: Duration = .seconds(1),
            report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            client = RedisClient(address, limits: limits, time: time, report: report)
            (self.random, self.leaseLength) = (random, leaseLength)
        }

        func response(for key: ResponseKey) async -> StoredResponse? {
            // Counts no miss if no command was sent.
            let name = Self.name(key)
            guard let reply = await client.ask(["HGET", name, "answer"], key: name) else { return nil }
            guard case .bytes(let bytes) = reply, let response = StoredResponseCoding.decode(bytes, for: key) else {
                client.tally.count { $0.misses += 1 }
                return nil
            }
            client.tally.count { $0.hits += 1 }
            return response
        }

        /// `number`: that of the lease; 0 without one. False: a response with a higher number stays.
        @discardableResult
        func store(_ response: StoredResponse, for key: ResponseKey, number: Int = 0) async -> Bool {
            guard response.bytes.count <= client.limits.entryBytes,
                let bytes = StoredResponseCoding.encode(response, for: key, at: client.time.now)
            else {
                return true
            }
            let life = Self.life(of: response, at: client.time.now).wholeMilliseconds
            let name = Self.name(key)
            let command = ["EVAL", Self.storing, "1", name, String(number), String(life)].map { Array($0.utf8) }
            let reply = await client.ask(command + [bytes], key: name)
            if reply == .number(1) { client.tally.count { $0.stored += 1 } }
            if reply == .number(0) { client.tally.count { $0.outdated += 1 } }
            return reply != .number(0)
        }

        /// How long a response stays: while it is fresh, for a month at most, and for a day more, because a stale one saves an
        /// encode if its source confirms it.
        static func life(of response: StoredResponse, at now: Timestamp) -> Duration {
            let fresh = response.freshness.freshUntil.map { $0 - now } ?? .zero
            return min(max(fresh, .zero), .seconds(30 * 86_400)) + .seconds(86_400)
        }

        /// A stored response is replaced only under the same number or a higher one; a value of another kind counts
        /// as nothing.
        private static let storing = """
            local number = redis.pcall('HGET', KEYS[1], 'number')
            if type(number) == 'table' then redis.call('DEL', KEYS[1]) number = false end
            if number and (tonumber(number) or 0) > tonumber(ARGV[1]) then return 0 end
            redis.call('HSET', KEYS[1], 'number', ARGV[1], 'answer', ARGV[3])
            redis.call('PEXPIRE', KEYS[1], ARGV[2])
            return 1
            """

        /// All names of a source's responses have one tag in braces, so that they are in one slot of a cluster: scripts use several.
        /// There are 4,096 tags, which spreads responses over any number of nodes.
        static func name(_ key: ResponseKey) -> String { name("answer", key) }

        static func name(_ kind: String, _ key: ResponseKey) -> String {
            let text = key.stored.text
            return "gannet:{\(text.prefix(3))}:\(kind):\(text)"
        }
    }
#endif
