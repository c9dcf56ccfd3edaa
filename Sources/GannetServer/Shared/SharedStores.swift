#if Server
    import GannetCore

    /// The stores that replicas share, the fastest first. Each may be missing, and none is needed for an answer.
    package struct SharedStores: Sendable {
        package var redis: RedisAnswers?
        package var s3: S3Answers?

        package init(redis: RedisAnswers? = nil, s3: S3Answers? = nil) { (self.redis, self.s3) = (redis, s3) }

        /// All that are watched, for `/metrics`.
        var watches: [SharedWatch] { [redis?.watch, s3?.watch].compactMap { $0 } }

        /// Tells the operator at the start what cannot be reached. Objects are only looked for once there is need of one.
        package func check() async { await redis?.check() }

        /// Gives up what is not written yet, and waits for what is being written: for S3's limit at most.
        func finish() async { await s3?.finish() }

        /// `isFreshWanted`: a stale answer is of no use. The slower store is not asked for one in place of another.
        func find(_ key: AnswerKey, isFreshWanted: Bool, at now: Timestamp) async -> StoredAnswer? {
            let near = await redis?.tracedAnswer(for: key, of: "redis")
            if let near { return !isFreshWanted || near.freshness.isFresh(at: now) ? near : nil }
            guard !isFreshWanted, let far = await s3?.tracedAnswer(for: key, of: "s3") else { return nil }
            _ = await redis?.store(far, for: key, number: 0)
            return far
        }

        /// `number`: that of the maker's lease; 0 without one. Where Redis has a newer answer, S3 has it too.
        func store(_ answer: StoredAnswer, for key: AnswerKey, number: Int) async {
            if await redis?.store(answer, for: key, number: number) != false { s3?.store(answer, for: key) }
        }
    }
#endif
