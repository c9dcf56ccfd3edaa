import GannetCore
import GannetFetch

extension ImagePipeline {
    /// One running job per file, many waiters. `encoder` nil: as the request's `cache.encode` has it.
    func encoded(
        _ prepared: PreparedRequest, by encoder: FileEncoder?, holding held: EncodedImage?, priority: LivePriority
    ) async throws(ImageError) -> EncodedImage {
        let keys = ImageJobKeys(prepared)
        do throws(ImageError) {
            let (file, wasJoined) = try await encodings.join(
                keys.image, priority: priority, isWanted: { isWanted(prepared) },
                work: { [self] job throws(ImageError) in
                    try await ImageJob(self, prepared, keys, memory: nil).encoded(by: encoder, holding: held, in: job)
                })
            if wasJoined { observer.note(prepared.id, .joined(prepared.keys.variant)) }
            if prepared.request.schedule.waitsForStore { await waitForStore(of: prepared) }
            return file
        } catch { throw error.with(source: prepared.request.source.redactedDescription) }
    }
}
