import GannetCore

// Changes of stored responses by the answers to other requests: 304, HEAD, and unsafe methods.

extension ResponseStore {
    /// The metadata of a stored response, with the newer fields of a 304. Nil: the 304 is of another response, or the entry was
    /// replaced or removed while the server was asked. `current`: the entry as it is now, which may have been used or updated.
    func renewed(
        _ current: CacheEntryMetadata?, _ old: StoredHTTPResponse, by head: HTTPResponseHead, _ headers: HTTPHeaders,
        requestTime: Timestamp, responseTime: Timestamp
    ) -> CacheEntryMetadata? {
        guard policy.confirms(head.headers, old), var metadata = current, !metadata.isPartial,
            let now = metadata.http?.headers,
            HTTPCachePolicy.validatorsOfBytes(now) == HTTPCachePolicy.validatorsOfBytes(old.headers)
        else { return nil }
        var record = policy.updated(old, by: head.headers, requestTime: requestTime, responseTime: responseTime)
        record.varying = selecting(headers, for: record.headers)
        metadata.http = record
        metadata.freshness = policy.freshness(of: record)
        return metadata
    }

    /// HEAD updates the stored GET response or removes it: only if GET would have had it as its answer (RFC 9111 §4.3.5), so not
    /// after a 304 to the caller's own condition.
    ///
    /// `headers` are those that `Vary` compares, `sent` those that went to the server.
    func follow(
        head: HTTPResponseHead, _ headers: HTTPHeaders, sent: HTTPHeaders, requestTime: Timestamp, responseTime: Timestamp
    ) async {
        guard head.status < 400, let old = await find(headers).copy, let http = old.metadata.http,
            head.status == 200 || head.status == http.status
        else { return }
        guard var updated = policy.updated(http, byHead: head, requestTime: requestTime, responseTime: responseTime) else {
            return await write { cache throws(ImageError) in try await cache.remove(old.key) }
        }
        var metadata = old.metadata
        updated.varying = selecting(headers, for: updated.headers)
        metadata.http = updated
        metadata.freshness = policy.freshness(of: updated)
        await rewrite(metadata, updated, for: old.key, sent)
    }
}

extension Generations {
    /// Everything that is stored of these sources becomes void, for all users and hooks. Running requests do not restore any of it; the
    /// caller's own response is from after the change, and may be stored.
    func invalidate(_ texts: [String], in responses: inout ResponseStore?, _ caller: (any CacheCaller)?) async {
        var sources: [String] = []
        for text in texts where !sources.contains(text) { sources.append(text) }
        let isCurrent = responses.map { !$0.wasRemoved($0.key) } ?? false
        let number = begin(.changed, of: .keys(Set(sources.map { CacheKey($0) })))
        for text in sources {
            await responses?.write { cache throws(ImageError) in try await cache.removeAll(of: text) }
            await caller?.invalidated(text)
        }
        let end = end(number)
        if isCurrent { responses?.begun = end }
    }
}
