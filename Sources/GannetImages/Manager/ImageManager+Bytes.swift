public import GannetCore
public import GannetFetch

extension ImageManager {
    /// The bytes of a source with the cache rules of HTTP; nothing is decoded. Joins a running transfer.
    public func fetchBytes(for request: ImageRequest) async throws(ImageError) -> FetchedBytes {
        let prepared = await pipeline.prepare(try pipeline.begin(request))
        return try await fetchBytes(prepared, priority: LivePriority(prepared.request.schedule.priority))
    }

    func fetchBytes(_ prepared: PreparedRequest, priority: LivePriority) async throws(ImageError) -> FetchedBytes {
        let transfer = ImageTransfer(pipeline: pipeline, prepared: prepared)
        let fetched = try await transfer.fetched(prepared.keys.join, priority) { key, work throws(ImageError) in
            try await pipeline.transfers.join(key, priority: priority, isWanted: { pipeline.isWanted(prepared) }, work: work)
        }
        fetched.endWaiting()
        return fetched
    }

    /// The same where they are stored and may be used without a question to their source; nil: it would be asked.
    package func storedBytes(for request: ImageRequest) async throws(ImageError) -> FetchedBytes? {
        let prepared = await pipeline.prepare(try pipeline.begin(request))
        let priority = LivePriority(prepared.request.schedule.priority)
        guard await hasStoredBytes(prepared, priority: priority) else { return nil }
        return try await fetchBytes(prepared, priority: priority)
    }

    /// Whether ``fetchBytes(for:)`` would find them in the cache; they are not read for it.
    func hasStoredBytes(_ prepared: PreparedRequest, priority: LivePriority) async -> Bool {
        await fetcher.isStored(ImageTransfer(pipeline: pipeline, prepared: prepared).request(priority))
    }
}
