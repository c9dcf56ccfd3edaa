#if Server
    import GannetCore
    package import GannetSharedCaches

    /// The stores that replicas share, the fastest first. Each may be missing, and none is needed for a response.
    package struct SharedStores: Sendable {
        package var redis: RedisResponseStore?
        package var s3: S3Cache?

        package init(redis: RedisResponseStore? = nil, s3: S3Cache? = nil) { (self.redis, self.s3) = (redis, s3) }

        /// Of each store, for `/metrics`.
        var counts: [(name: String, counts: RemoteCounts)] {
            [redis.map { ("redis", $0.counts) }, s3.map { ("s3", $0.counts) }].compactMap { $0 }
        }

        /// Reports at the start if Redis cannot be reached. S3 is not contacted before the first lookup.
        package func check() async { await redis?.client.check() }

        /// Drops waiting uploads, and waits for running ones: for S3's limit at most.
        func finish() async { await s3?.finish() }

        private var objects: CacheResponseStore? { s3.map { CacheResponseStore(cache: $0, time: $0.time) } }

        /// `readsSlower`: also the slower store, if the faster one has nothing.
        func find(_ key: ResponseKey, readsSlower: Bool) async -> StoredResponse? {
            if let near = await redis?.tracedResponse(for: key, of: "redis") { return near }
            guard readsSlower, let far = await objects?.tracedResponse(for: key, of: "s3") else { return nil }
            _ = await redis?.store(far, for: key, number: 0)
            return far
        }

        /// `number`: that of the lease; 0 without one. If Redis has a newer response, so has S3.
        func store(_ response: StoredResponse, for key: ResponseKey, number: Int) async {
            if await redis?.store(response, for: key, number: number) != false { await objects?.store(response, for: key) }
        }
    }
#endif
