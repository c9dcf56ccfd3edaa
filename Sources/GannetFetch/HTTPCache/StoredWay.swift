import FoundationEssentials
package import GannetCore

// Stored redirects, followed without a request.

/// The way from a key over stored redirects to a stored response. Each is a separate entry.
package struct StoredWay: Sendable {
    /// The entry to be read next.
    package private(set) var key: CacheKey
    private var redirects: [CacheEntryMetadata] = []

    /// As browsers have it.
    private static let longest = 20

    package init(_ key: CacheKey) { self.key = key }

    /// False: the redirects go in a circle.
    package var leadsSomewhere: Bool { redirects.count <= Self.longest }

    /// The response at the end of the way, no fresher than the redirects to it. Nil: `metadata`, which was read at ``key``, is of a
    /// redirect, and the way continues.
    package mutating func end(_ metadata: CacheEntryMetadata) -> StoredCopy? {
        guard let next = key.following(metadata.http) else {
            var copy = StoredCopy(key: key, metadata: metadata)
            copy.isRedirected = !redirects.isEmpty
            for redirect in redirects { copy.metadata.freshness.limit(over: redirect) }
            return copy
        }
        redirects.append(metadata)
        key = next
        return nil
    }
}

extension ImageCaching {
    /// The stored response to which the redirects that are stored of a key lead. Nil: it is not stored. Reads metadata only.
    package func storedResponse(for key: CacheKey) async throws(ImageError) -> StoredCopy? {
        var way = StoredWay(key)
        while way.leadsSomewhere, let metadata = try await metadata(for: way.key), !metadata.isBehindRedirects {
            if let copy = way.end(metadata) { return copy }
        }
        return nil
    }

    /// The same on the caller's thread, with its bytes.
    package func blockingStoredEntry(for key: CacheKey, touch: Bool) throws(ImageError) -> (copy: StoredCopy, bytes: ByteRope)? {
        var way = StoredWay(key)
        while way.leadsSomewhere, let entry = try blockingEntry(for: way.key, touch: touch), !entry.metadata.isBehindRedirects {
            if let copy = way.end(entry.metadata) { return (copy, entry.bytes) }
        }
        return nil
    }

    /// The same on the caller's thread.
    package func blockingStoredResponse(for key: CacheKey) throws(ImageError) -> StoredCopy? {
        var way = StoredWay(key)
        while way.leadsSomewhere, let metadata = try blockingMetadata(for: way.key), !metadata.isBehindRedirects {
            if let copy = way.end(metadata) { return copy }
        }
        return nil
    }
}

extension CacheKey {
    /// Where the response stands to which a stored redirect at this key leads. Nil: it is no redirect.
    fileprivate func following(_ http: StoredHTTPResponse?) -> CacheKey? {
        guard let http, HTTPCachePolicy.redirectStatuses.contains(http.status), let target = http.target else { return nil }
        return replacingSource(with: ImageSource.url(target).keyText)
    }
}

extension Freshness {
    /// A response behind a redirect is no fresher than it, and replaces failures no longer.
    mutating func limit(over redirect: CacheEntryMetadata) {
        let other = redirect.freshness
        // With a redirect that was purged, or is older, everything behind it is.
        if let asked = other.requestedAt { requestedAt = min(requestedAt ?? asked, asked) }
        tags += other.tags.filter { !tags.contains($0) }
        // Another request may be redirected elsewhere. How the redirect's own body is compressed does not matter.
        let varies = redirect.http.map { HTTPVary($0.headers).names.contains { $0 != "accept-encoding" } } ?? false
        guard !varies, !other.forbidsStoring else {
            (freshUntil, unreachableUntil, staleIfErrorUntil) = (.distantPast, nil, nil)
            return
        }
        guard let end = other.freshUntil else { return }
        freshUntil = min(freshUntil ?? end, end)
        unreachableUntil = unreachableUntil.map { min($0, other.unreachableUntil ?? end) }
        staleIfErrorUntil = staleIfErrorUntil.map { min($0, other.staleIfErrorUntil ?? end) }
    }
}

extension CacheEntryMetadata {
    /// The entry of an earlier version, which kept what is behind redirects at the key of their beginning: a miss.
    package var isBehindRedirects: Bool { http?.headers.contains(HTTPCachePolicy.redirectField) ?? false }
}

extension HTTPCachePolicy {
    /// In responses that earlier versions stored behind redirects.
    package static let redirectField = "Gannet-Redirects-Fresh-Until"
}
