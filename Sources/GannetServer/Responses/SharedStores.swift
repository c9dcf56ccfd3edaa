#if Server
    import GannetCore
    import GannetPlatform
    package import GannetSharedCaches
    import Tracing

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

        /// `readsSlower`: also the slower store, if the faster one has nothing.
        func find(_ key: ResponseKey, readsSlower: Bool) async -> StoredResponse? {
            if let redis, let near = await TracedWork.lookup(in: "redis", { await redis.response(for: key) }) { return near }
            guard readsSlower, let s3, let far = await TracedWork.lookup(in: "s3", { await s3.response(for: key) }) else {
                return nil
            }
            await redis?.store(far, for: key)
            return far
        }

        /// `number`: that of the lease; 0 without one. If Redis has a newer response, so has S3.
        func store(_ response: StoredResponse, for key: ResponseKey, number: Int) async {
            if await redis?.store(response, for: key, number: number) != false { await s3?.store(response, for: key) }
        }
    }

    extension S3Cache {
        /// A failure is a miss: a response can always be rendered again.
        func response(for key: ResponseKey) async -> StoredResponse? {
            (try? await entry(for: key.stored, touch: true)).flatMap { StoredResponseCoding.response($0) }
        }

        /// Returns before it is written.
        func store(_ response: StoredResponse, for key: ResponseKey) async {
            try? await store(StoredResponseCoding.entry(response, at: time.now), for: key.stored)
        }
    }
#endif
