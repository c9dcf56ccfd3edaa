#if Redis
    import GannetCache
    public import GannetCore
    import GannetPlatform

    /// A cache of bytes in Redis or Valkey, or a cluster of them, which several machines share: for small entries, behind a
    /// ``DiskCache`` in a ``CachesManager``.
    ///
    /// While a server is down or hangs, reads are misses and stores are lost. Each command costs the times of ``RedisLimits`` at most, and
    /// after three failures in a row nothing. Removals throw then, because the entry may still be there. Redis expires entries
    /// itself, by its own clock, and evicts others as it is configured.
    ///
    /// Readers of the database see keys, with the URLs in them, their secrets sealed, and images. Writers decide what programs show.
    public final class RedisCache: ImageCaching {
        let client: RedisClient
        public let identifier: String
        public let scopeKey: ScopeKey
        private let rule: ExpiryRule
        var counts: RemoteCounts { client.counts }

        /// Connects to nothing yet. Throws `misuse` for a wrong address, without repeating it.
        ///
        /// - Parameters:
        ///   - url: `redis://[user:password@]host[:port][/database]`, or `unix:/path[?db=N]`. Several hosts with commas between
        ///     them are nodes of one cluster; those that answer name the others.
        ///   - scopeKey: seals credentials in keys; with the same one, machines share entries of requests with credentials. Default:
        ///     they do not.
        ///   - report: gets a line when a server fails, and one when it is back.
        public convenience init(
            _ url: String, limits: RedisLimits = RedisLimits(), scopeKey: ScopeKey = .process,
            report: @escaping @Sendable (String) -> Void = { _ in }
        ) throws(ImageError) {
            self.init(try RedisAddress(parsing: url), limits: limits, scopeKey: scopeKey, report: report)
        }

        init(
            _ address: RedisAddress, limits: RedisLimits = RedisLimits(), time: any TimeSource = SystemTimeSource(),
            scopeKey: ScopeKey = .process, report: @escaping @Sendable (String) -> Void = { _ in }
        ) {
            client = RedisClient(address, limits: limits, time: time, report: report)
            identifier = "redis:\(address)/\(address.database)"
            self.scopeKey = scopeKey
            rule = ExpiryRule(ageRule: .lastUse, maximumAge: limits.maximumAge, accessExtension: .cacheTime)
        }

        // MARK: Reading

        /// One command, also with `touch`, which is noted once a minute.
        public func entry(for key: CacheKey, touch: Bool) async throws(ImageError) -> CacheEntry? {
            let key = key.sealed(scopeKey)
            let name = Self.name(key)
            let now = client.time.now
            let command =
                touch ? ["EVAL", Self.using, "1", name, "\(now.milliseconds)", "1"] : ["HMGET", name, "head", "body", "used"]
            guard let reply = await client.ask(command, key: name) else { return nil }
            guard case .list(let parts) = reply, parts.count == 3, case .bytes(let head) = parts[0],
                case .bytes(let body) = parts[1]
            else {
                client.tally.count { $0.misses += 1 }
                return nil
            }
            guard var entry = try? CacheEntryCoding.decode(head: head, payload: body, for: key) else {
                _ = await client.ask(["UNLINK", name], key: name)
                client.tally.count { $0.misses += 1 }
                return nil
            }
            entry.metadata.lastUsed = Self.time(parts[2]) ?? entry.metadata.storedAt
            guard end(of: entry.metadata, at: now) > now else {
                client.tally.count { $0.misses += 1 }
                return nil
            }
            client.tally.count { $0.hits += 1 }
            if touch { entry.metadata.lastUsed = now }
            return entry
        }

        /// One command, without the bytes.
        public func metadata(for key: CacheKey) async throws(ImageError) -> CacheEntryMetadata? {
            let key = key.sealed(scopeKey)
            let name = Self.name(key)
            guard case .list(let parts) = await client.ask(["HMGET", name, "head", "used"], key: name), parts.count == 2,
                case .bytes(let head) = parts[0],
                var metadata = try? CacheEntryCoding.metadata(inHead: head, for: key)
            else { return nil }
            metadata.lastUsed = Self.time(parts[1]) ?? metadata.storedAt
            let now = client.time.now
            return end(of: metadata, at: now) > now ? metadata : nil
        }

        /// One command, without the bytes.
        public func noteUse(of key: CacheKey) async {
            let key = key.sealed(scopeKey)
            let name = Self.name(key)
            _ = await client.ask(["EVAL", Self.using, "1", name, "\(client.time.now.milliseconds)", "0"], key: name)
        }

        private static func time(_ reply: RedisReply) -> Timestamp? {
            guard case .bytes(let digits) = reply else { return nil }
            return Int64(String(decoding: digits, as: UTF8.self)).map { Timestamp(milliseconds: $0) }
        }

        // MARK: Writing

        /// Never throws because of the server. An entry beyond ``RedisLimits/entryBytes`` is not stored, and removes the older one.
        public func store(_ entry: CacheEntry, for key: CacheKey) async throws(ImageError) {
            let key = key.sealed(scopeKey)
            let (name, now) = (Self.name(key), client.time.now)
            guard entry.bytes.count <= client.limits.entryBytes, end(of: entry.metadata, at: now) > now else {
                _ = await client.ask(["UNLINK", name], key: name)
                return
            }
            let (head, body) = try CacheEntryCoding.pieces(of: entry, for: key, writtenAt: now)
            let reply = await client.ask(
                Self.words("EVAL", Self.storing, "1", name) + [head, body] + times(of: entry.metadata, at: now), key: name)
            if reply == .number(1) { client.tally.count { $0.stored += 1 } }
        }

        /// Two commands, without the bytes. Does nothing if another program stores at the same moment.
        public func update(_ metadata: CacheEntryMetadata, for key: CacheKey) async throws(ImageError) {
            let key = key.sealed(scopeKey)
            let (name, now) = (Self.name(key), client.time.now)
            guard case .bytes(let old) = await client.ask(["HGET", name, "head"], key: name),
                let new = try? CacheEntryCoding.head(renewing: old, with: metadata, for: key, writtenAt: now)
            else { return }
            guard end(of: metadata, at: now) > now else { return try await remove(key) }
            _ = await client.ask(
                Self.words("EVAL", Self.renewing, "1", name) + [new, old] + times(of: metadata, at: now), key: name)
        }

        private static func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

        private func end(of metadata: CacheEntryMetadata, at now: Timestamp) -> Timestamp {
            rule.deadline(
                storedAt: metadata.storedAt, writtenAt: metadata.storedAt, lastUsed: metadata.lastUsed,
                expiration: metadata.expiration, now: now)
        }

        /// The last use, the milliseconds to live from now on, and those from each use on; empty: for ever, and unchanged by uses.
        private func times(of metadata: CacheEntryMetadata, at now: Timestamp) -> [[UInt8]] {
            let end = end(of: metadata, at: now)
            let renewal: Duration? =
                switch metadata.expiration {
                case .standard: client.limits.maximumAge
                case .after(let duration): duration
                case .never, .at, .expired: nil
                }
            return [
                "\(metadata.lastUsed.milliseconds)", end == .distantFuture ? "" : Self.milliseconds(end - now),
                renewal.map(Self.milliseconds) ?? "",
            ].map { Array($0.utf8) }
        }

        /// As far as Redis counts: a thousand years are for ever.
        private static func milliseconds(_ duration: Duration) -> String {
            String(min(max(duration.wholeMilliseconds, 1), 31_536_000_000_000))
        }

        // MARK: Removing

        /// Throws `network` if the server cannot be reached: the entry may still be there.
        public func remove(_ key: CacheKey) async throws(ImageError) {
            let key = key.sealed(scopeKey)
            let name = Self.name(key)
            guard await client.ask(["UNLINK", name], key: name) != nil else { throw notRemoved }
        }

        /// Looks at every key of the database with `SCAN`; of a cluster at those of one node, if the prefix contains the separator
        /// that follows the source in a key. Throws as ``remove(_:)`` does.
        public func removeAll(prefix: String) async throws(ImageError) {
            let prefix = SecretParameters.sealed(prefix) { scopeKey }
            let tag = SharedNames.group(ofPrefix: prefix).map { String($0.prefix(3)) }
            try await remove(matching: Self.pattern(tag, prefix), tag)
        }

        /// Removes this cache's entries alone, and no other keys. Looks at every key of the database with `SCAN`. Throws as
        /// ``remove(_:)`` does.
        public func removeAll() async throws(ImageError) { try await remove(matching: Self.pattern(nil, ""), nil) }

        private func remove(matching pattern: String, _ tag: String?) async throws(ImageError) {
            try await eachPage(pattern, tag) { names throws(ImageError) in
                guard await client.ask(["UNLINK"] + names, key: names[0]) != nil else { throw notRemoved }
            }
        }

        /// Looks at every key of the database with `SCAN`, and reads the length of each entry. Throws `network` if a server
        /// cannot be reached.
        public func usage() async throws(ImageError) -> CacheUsage {
            var usage = CacheUsage(count: 0, bytes: 0)
            try await eachPage(Self.pattern(nil, ""), nil) { names throws(ImageError) in
                let reply = await client.ask(["EVAL", Self.measuring, "\(names.count)"] + names, key: names[0])
                guard case .number(let bytes) = reply else { throw unreachable }
                usage.count += names.count
                usage.bytes += bytes
            }
            return usage
        }

        /// Names that match, in lists of one slot each. A name may come twice.
        private func eachPage(
            _ pattern: String, _ tag: String?, _ body: ([String]) async throws(ImageError) -> Void
        ) async throws(ImageError) {
            guard var nodes = await client.everyNode() else { throw unreachable }
            if let tag, let node = client.nodes.node(of: RedisSlot.of(tag)) { nodes = [node] }
            for node in nodes {
                var cursor = "0"
                repeat {
                    if Task.isCancelled { throw .cancelled(stage: .cache) }
                    let reply = await client.ask(["SCAN", cursor, "MATCH", pattern, "COUNT", "1000"], of: node)
                    guard case .list(let parts) = reply, parts.count == 2, case .bytes(let next) = parts[0],
                        case .list(let found) = parts[1]
                    else { throw unreachable }
                    let names = found.compactMap { name -> String? in
                        guard case .bytes(let bytes) = name else { return nil }
                        return String(validating: bytes, as: UTF8.self)
                    }
                    // Commands with several keys are for keys of one slot, where there are slots.
                    let lists =
                        client.nodes.isCluster ? Array(Dictionary(grouping: names) { RedisSlot.of($0) }.values) : [names]
                    for list in lists where !list.isEmpty { try await body(list) }
                    cursor = String(decoding: next, as: UTF8.self)
                } while cursor != "0"
            }
        }

        private var unreachable: ImageError {
            ImageError(.network, stage: .cache, "Redis at \(client.address) cannot be asked now; try again when it answers.")
        }

        private var notRemoved: ImageError {
            ImageError(
                .network, stage: .cache,
                "Redis at \(client.address) cannot be asked now, and may still have the entry; try again when it answers.")
        }

        // MARK: Names and scripts

        /// All entries of a source have one tag in braces, so that they are in one slot of a cluster.
        static func name(_ key: CacheKey) -> String {
            "gannet:{\(SharedNames.group(of: key.text).prefix(3))}:entry:\(key.text)"
        }

        /// Glob characters of the prefix are escaped.
        private static func pattern(_ tag: String?, _ prefix: String) -> String {
            var text = ""
            // Scalars: a character may begin with one of these.
            for scalar in prefix.unicodeScalars {
                if "*?[]\\".unicodeScalars.contains(scalar) { text.append("\\") }
                text.unicodeScalars.append(scalar)
            }
            return "gannet:{\(tag ?? "???")}:entry:\(text)*"
        }

        /// Head, body and last use; notes a use once a minute.
        private static let using = """
            local found = redis.pcall('HMGET', KEYS[1], 'head', 'body', 'used', 'life')
            if found.err then return {false, false, false} end
            if found[1] and tonumber(ARGV[1]) - (tonumber(found[3]) or 0) >= 60000 then
                redis.call('HSET', KEYS[1], 'used', ARGV[1])
                if found[4] then redis.call('PEXPIRE', KEYS[1], found[4]) end
            end
            if ARGV[2] == '0' then return 0 end
            return {found[1], found[2], found[3]}
            """

        private static let timing = """
            redis.call('HSET', KEYS[1], 'used', ARGV[3])
            if ARGV[4] == '' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
            if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'life', ARGV[5]) else redis.call('HDEL', KEYS[1], 'life') end
            return 1
            """

        private static let storing =
            """
            redis.call('DEL', KEYS[1])
            redis.call('HSET', KEYS[1], 'head', ARGV[1], 'body', ARGV[2])

            """ + timing

        /// Only if the head is still the one that the new one was made from.
        private static let renewing =
            """
            if redis.pcall('HGET', KEYS[1], 'head') ~= ARGV[2] then return 0 end
            redis.call('HSET', KEYS[1], 'head', ARGV[1])

            """ + timing

        private static let measuring = """
            local sum = 0
            for _, key in ipairs(KEYS) do
                for _, field in ipairs({'head', 'body'}) do
                    local count = redis.pcall('HSTRLEN', key, field)
                    if type(count) == 'number' then sum = sum + count end
                end
            end
            return sum
            """
    }
#endif
