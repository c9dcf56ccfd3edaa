#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import Tracing

    /// A stored response, and the store that had it.
    struct FoundResponse: Sendable {
        var response: StoredResponse
        var origin: ThumbnailService.Response.Origin
        /// It may be sent without asking its source.
        var isFresh: Bool
    }

    /// Where stored responses are found: in memory, among the manager's files, and in what replicas share.
    extension ThumbnailService {
        func inMemory(_ key: ResponseKey) -> FoundResponse? {
            guard let stored = memory.response(for: key), !isVoid(stored, key) else { return nil }
            return found(stored, .memory)
        }

        /// A response in memory, or on disk where it can be read without waiting, which is then in memory, too.
        func atOnce(_ route: RouteCache.Route) -> FoundResponse? {
            if let near = inMemory(route.key) { return near }
            guard let file = route.file.flatMap({ manager.freshFile(at: $0) }) else { return nil }
            let stored = response(of: file)
            guard !isVoid(stored, route.key) else { return nil }
            memory.store(stored, for: route.key)
            return found(stored, .disk)
        }

        /// Where the files of a rendering can be read without waiting. Those of a mark depend on another source, too.
        func place(of rendering: Rendering) -> StoredFilePlace? {
            guard rendering.mark == nil, !rendering.address.options.isRaw, let request = try? request(rendering) else {
                return nil
            }
            return manager.place(of: request, by: encoder(of: rendering))
        }

        private func found(_ response: StoredResponse?, _ origin: Response.Origin) -> FoundResponse? {
            let now = manager.configuration.time.now
            return response.map { FoundResponse(response: $0, origin: origin, isFresh: $0.freshness.isFresh(at: now)) }
        }

        /// The first response that is fresh, else the nearest one. Equal requests share one look-up outside of memory, and those are bounded.
        func find(
            _ rendering: Rendering, _ parties: [AdmissionControl.Party]
        ) async throws(ImageError) -> FoundResponse? {
            let near = inMemory(rendering.key)
            if near?.isFresh == true || !hasSlowerStores { return near }
            return try await lookups.join(rendering.key.job, priority: LivePriority(.normal)) { [self] _ throws(ImageError) in
                try await looking.run(parties) { _ throws(ImageError) in try await look(rendering, near) }
            }.value
        }

        private var hasSlowerStores: Bool {
            manager.configuration.diskCache != nil || shared.redis != nil || shared.s3 != nil
        }

        private func look(_ rendering: Rendering, _ kept: FoundResponse?) async throws(ImageError) -> FoundResponse? {
            var near = kept
            if let stored = try await onDisk(rendering), stored.isFresh || near == nil { near = stored }
            if let near, near.isFresh {
                memory.store(near.response, for: rendering.key)
                return near
            }
            // Another replica may have made a newer one. The slower store is not read to replace a stale one.
            let stored = await shared.find(rendering.key, readsSlower: near == nil)
            let other = found(imported(stored, rendering.key), .shared)
            guard let far = other, far.isFresh || near == nil else { return near }
            if far.isFresh { await keep(far.response, rendering) }
            return far
        }

        /// From the manager's disk cache: a file that it made, or the source's own bytes.
        private func onDisk(_ rendering: Rendering) async throws(ImageError) -> FoundResponse? {
            guard manager.configuration.diskCache != nil else { return nil }
            return try await TracedWork.lookup(in: "disk") { () throws(ImageError) in
                if rendering.address.options.isRaw {
                    let bytes = bytesRequest(rendering.address, rendering.configuration, .normal)
                    guard let file = try await manager.storedBytes(for: bytes)?.encoded else { return nil }
                    return FoundResponse(response: try original(file), origin: .disk, isFresh: true)
                }
                let stored = try await manager.storedFile(for: try request(rendering), by: encoder(of: rendering))
                return stored.map {
                    FoundResponse(response: response(of: $0.file, mark: rendering.mark), origin: .disk, isFresh: $0.isFresh)
                }
            }
        }

        /// A fresh response that another replica has stored under its lease.
        func findFresh(_ rendering: Rendering, in leases: RedisResponseStore) async -> StoredResponse? {
            let other = found(imported(await leases.response(for: rendering.key), rendering.key), .shared)
            guard let fresh = other, fresh.isFresh else { return nil }
            await keep(fresh.response, rendering)
            return fresh.response
        }

        /// Stores a response of another replica here, too.
        private func keep(_ response: StoredResponse, _ rendering: Rendering) async {
            memory.store(response, for: rendering.key)
            // Originals are the fetcher's.
            guard !rendering.address.options.isRaw, let image = try? request(rendering) else { return }
            try? await manager.store(response.file, for: image, by: encoder(of: rendering))
        }
    }
#endif
