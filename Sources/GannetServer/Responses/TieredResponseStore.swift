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
            var response: StoredResponse?
            /// `made`: no store has a response.
            var origin: ThumbnailService.Response.Origin
        }

        /// There are stores beside the memory, which take time.
        var haveMore: Bool { disk != nil || shared.redis != nil || shared.s3 != nil }

        func response(for key: ResponseKey) async -> StoredResponse? { await find(key).response }

        /// The first response that is fresh, else the nearest one.
        func find(_ key: ResponseKey) async -> Found {
            let near = await findHere(key)
            if let response = near.response, response.freshness.isFresh(at: time.now) { return near }
            // Another replica may have made a newer one.
            guard let far = await findShared(key, isStaleHere: near.response != nil) else { return near }
            return Found(response: far, origin: .shared)
        }

        private func findHere(_ key: ResponseKey) async -> Found {
            if let response = memory.response(for: key) { return Found(response: response, origin: .memory) }
            guard let response = await disk?.tracedResponse(for: key, of: "disk") else {
                return Found(response: nil, origin: .made)
            }
            memory.store(response, for: key)
            return Found(response: response, origin: .disk)
        }

        /// Kept here too. `isStaleHere`: only a fresh one is of use.
        private func findShared(_ key: ResponseKey, isStaleHere: Bool) async -> StoredResponse? {
            guard let response = await shared.find(key, isFreshWanted: isStaleHere, at: time.now) else { return nil }
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
