#if Server
    import GannetCore

    /// The stores that replicas share, the fastest first. Each may be missing, and none is needed for an answer.
    package struct SharedStores: Sendable {
        package var redis: RedisResponseStore?
        package var s3: S3Cache?

        package init(redis: RedisResponseStore? = nil, s3: S3Cache? = nil) { (self.redis, self.s3) = (redis, s3) }

        /// Of each store, for `/metrics`.
        var counts: [(name: String, counts: RemoteCounts)] {
            [redis.map { ($0.client.tally.name, $0.counts) }, s3.map { ($0.client.tally.name, $0.counts) }].compactMap { $0 }
        }

        /// Tells the operator at the start what cannot be reached. Objects are only looked for once there is need of one.
        package func check() async { await redis?.client.check() }

        /// Gives up what is not written yet, and waits for what is being written: for S3's limit at most.
        func finish() async { await s3?.finish() }

        private var objects: CacheResponseStore? { s3.map { CacheResponseStore(cache: $0, time: $0.client.time) } }

        /// `isFreshWanted`: a stale answer is of no use. The slower store is not asked for one in place of another.
        func find(_ key: ResponseKey, isFreshWanted: Bool, at now: Timestamp) async -> StoredResponse? {
            let near = await redis?.tracedResponse(for: key, of: "redis")
            if let near { return !isFreshWanted || near.freshness.isFresh(at: now) ? near : nil }
            guard !isFreshWanted, let far = await objects?.tracedResponse(for: key, of: "s3") else { return nil }
            _ = await redis?.store(far, for: key, number: 0)
            return far
        }

        /// `number`: that of the maker's lease; 0 without one. Where Redis has a newer answer, S3 has it too.
        func store(_ response: StoredResponse, for key: ResponseKey, number: Int) async {
            if await redis?.store(response, for: key, number: number) != false { await objects?.store(response, for: key) }
        }
    }
#endif
