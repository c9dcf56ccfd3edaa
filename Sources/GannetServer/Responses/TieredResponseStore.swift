#if Server
    import GannetCore
    import GannetPlatform

    /// Memory, then disk, then the shared stores. A response from a farther store is also stored in the nearer ones.
    struct TieredResponseStore: ResponseStore {
        var memory: MemoryResponseStore
        /// Nil: responses do not outlive the process.
        var disk: (any ResponseStore)?
        var shared = SharedStores()
        let time: any TimeSource

        /// The result of a lookup, and the store that had it.
        struct Found: Sendable {
            let response: StoredResponse?
            /// `made`: no store has a response.
            let origin: ThumbnailService.Response.Origin
            /// It may be sent without asking its source. Nothing else in the service decides that.
            let isFresh: Bool

            init(_ response: StoredResponse?, _ origin: ThumbnailService.Response.Origin, at now: Timestamp) {
                (self.response, self.origin) = (response, response == nil ? .made : origin)
                isFresh = response?.freshness.isFresh(at: now) ?? false
            }

            var fresh: StoredResponse? { isFresh ? response : nil }
        }

        /// There are stores beside the memory, which take time.
        var haveMore: Bool { disk != nil || shared.redis != nil || shared.s3 != nil }

        func response(for key: ResponseKey) async -> StoredResponse? { await find(key).response }

        /// The first response that is fresh, else the nearest one.
        func find(_ key: ResponseKey) async -> Found {
            let near = await findHere(key)
            if near.isFresh { return near }
            // Another replica may have made a newer one. The slower store is not read to replace a stale one.
            let isStaleHere = near.response != nil
            let far = Found(await shared.find(key, readsSlower: !isStaleHere), .shared, at: time.now)
            guard let response = far.response, far.isFresh || !isStaleHere else { return near }
            await storeHere(response, for: key)
            return far
        }

        private func findHere(_ key: ResponseKey) async -> Found {
            let near = findInMemory(key)
            guard near.response == nil, let response = await disk?.tracedResponse(for: key, of: "disk") else { return near }
            memory.store(response, for: key)
            return Found(response, .disk, at: time.now)
        }

        func findInMemory(_ key: ResponseKey) -> Found { Found(memory.response(for: key), .memory, at: time.now) }

        /// A fresh response that another replica has stored under its lease. Kept here too.
        func findFresh(_ key: ResponseKey, in store: some ResponseStore) async -> StoredResponse? {
            guard let response = Found(await store.response(for: key), .shared, at: time.now).fresh else { return nil }
            await storeHere(response, for: key)
            return response
        }

        func storeHere(_ response: StoredResponse, for key: ResponseKey) async {
            memory.store(response, for: key)
            await disk?.store(response, for: key)
        }

        func store(_ response: StoredResponse, for key: ResponseKey) async { await store(response, for: key, number: 0) }

        /// `number`: that of the lease; 0 without one.
        func store(_ response: StoredResponse, for key: ResponseKey, number: Int) async {
            await storeHere(response, for: key)
            await shared.store(response, for: key, number: number)
        }
    }
#endif
