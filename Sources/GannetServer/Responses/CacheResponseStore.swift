#if Server
    import GannetCache
    import GannetCore
    import GannetPlatform

    /// Responses in a cache of bytes: a folder, S3, or any other ``ImageCaching``. They survive the process and its end by a signal.
    struct CacheResponseStore: ResponseStore {
        let cache: any ImageCaching
        let time: any TimeSource

        func response(for key: ResponseKey) async -> StoredResponse? {
            (try? await cache.entry(for: key.stored, touch: true)).flatMap { StoredResponseCoding.response($0) }
        }

        /// Returns before it is written; a disk that fails is reported by the cache's observer.
        func store(_ response: StoredResponse, for key: ResponseKey) async {
            try? await cache.store(StoredResponseCoding.entry(response, at: time.now), for: key.stored)
        }
    }
#endif
