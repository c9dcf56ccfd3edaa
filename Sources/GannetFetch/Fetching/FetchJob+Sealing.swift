import GannetCore

// Keeps header values, and queries that are no part of the key, out of what is stored.

extension FetchJob {
    /// Of the cache that this job reads and writes.
    var scopeKey: ScopeKey { cache?.scopeKey ?? .process }

    /// Where a stored response came from.
    func place(of stored: StoredHTTPResponse) -> StoredPlace { StoredPlace(stored.url, key: scopeKey) }

    /// The metadata as it is stored: the URL's query is sealed unless the entry's key has it anyway, and no secret is in it.
    func sealed(_ metadata: CacheEntryMetadata) -> CacheEntryMetadata {
        guard let url = metadata.http?.url, url.utf8.contains(UInt8(ascii: "?")),
            url != request.getKey.sourceText || SecretParameters.redacted(url) != url
        else { return metadata }
        var metadata = metadata
        metadata.http?.url = StoredPlace.sealed(url, scopeKey)
        return metadata
    }
}
