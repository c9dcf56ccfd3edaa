package import GannetCore

/// A stored response that `Vary` lets a request use.
package struct StoredCopy: Sendable {
    package var key: CacheKey
    @Boxed package var metadata: CacheEntryMetadata
    /// Stored redirects lead to it: its freshness is theirs too.
    package var isRedirected = false

    package init(key: CacheKey, metadata: CacheEntryMetadata) {
        self.key = key
        _metadata = Boxed(wrappedValue: metadata)
    }
}

/// The stored responses of one key, for one request: the first variant stands at the key itself, further ones beside it (`Vary`).
///
/// Nothing that was removed or changed since the request began is stored again.
struct ResponseStore: Sendable {
    let cache: any ImageCaching
    let policy: HTTPCachePolicy
    /// Where the first variant stands. It begins with the text of the source.
    let key: CacheKey
    let generations: Generations
    /// The request brought the cache along: removals by hand concern the manager's own.
    let isOwn: Bool
    /// Changes after this moment keep what began before them from being stored.
    var begun: Generations.Moment
    /// Called with the reason if the cache cannot be written.
    let degraded: @Sendable (String) -> Void

    /// The result of a look-up.
    enum Finding: Sendable {
        case nothing
        /// Responses to other fields.
        case otherVariants
        case copy(StoredCopy)

        var copy: StoredCopy? { if case .copy(let copy) = self { copy } else { nil } }
    }

    var scopeKey: ScopeKey { cache.scopeKey }

    // MARK: Reading

    /// The entry for the request's fields. Reads metadata only.
    func find(_ headers: HTTPHeaders) async -> Finding {
        guard let first = try? await cache.metadata(for: key), !first.isPartial, !first.isBehindRedirects else {
            return .nothing
        }
        guard let http = first.http else { return .copy(StoredCopy(key: key, metadata: first)) }
        let vary = HTTPVary(http.headers)
        if vary.matches(headers, stored: http, key: scopeKey) { return .copy(StoredCopy(key: key, metadata: first)) }
        guard !vary.isEverything else { return .otherVariants }
        let other = variantKey(vary, headers)
        guard let further = try? await cache.metadata(for: other), let http = further.http,
            HTTPVary(http.headers).matches(headers, stored: http, key: scopeKey)
        else { return .otherVariants }
        return .copy(StoredCopy(key: other, metadata: further))
    }

    /// Where a stored response came from.
    func place(of stored: StoredHTTPResponse) -> StoredPlace { StoredPlace(stored.url, key: scopeKey) }

    // MARK: Storing

    /// Stores a response in its place and removes the older ones that it replaces. Returns the entry's key.
    func keep(_ entry: CacheEntry, _ record: StoredHTTPResponse, _ headers: HTTPHeaders) async -> CacheKey {
        let (place, isOfOtherNames) = await place(for: record, headers)
        await store(entry, at: place)
        if isOfOtherNames { await removeVariants() }
        await removeOlder(record, headers, than: place)
        return place
    }

    /// Stores the entry unless its key was removed since the request began. Checks before and after: either this check finds a
    /// concurrent removal, or the removal finds the entry.
    func store(_ entry: CacheEntry, at key: CacheKey) async {
        guard !wasRemoved(key) else { return }
        let entry = CacheEntry(bytes: entry.bytes, metadata: sealed(entry.metadata))
        await write { cache throws(ImageError) in
            try await cache.store(entry, for: key)
            if wasRemoved(key) { try await cache.remove(key) }
        }
    }

    /// Updates the fields of a stored response. Removes it if they forbid storing; leaves it unchanged if the request, whose fields are
    /// `sent`, forbids storing.
    func rewrite(
        _ metadata: CacheEntryMetadata, _ record: StoredHTTPResponse, for key: CacheKey, _ sent: HTTPHeaders
    ) async {
        guard !wasRemoved(key) else { return }
        var identified = HTTPHeaders()
        if let login = sent["Authorization"] { identified.add("Authorization", login) }
        let stays = policy.mayStore(method: "GET", request: identified, status: record.status, response: record.headers)
        if stays, CacheDirectives(sent).noStore { return }
        await write { cache throws(ImageError) in
            if stays { try await cache.update(sealed(metadata), for: key) } else { try await cache.remove(key) }
        }
    }

    /// The same for a source without HTTP.
    func rewrite(withoutHTTP metadata: CacheEntryMetadata, for key: CacheKey) async {
        guard !wasRemoved(key) else { return }
        await write { cache throws(ImageError) in
            if metadata.freshness.forbidsStoring {
                try await cache.remove(key)
            } else {
                try await cache.update(sealed(metadata), for: key)
            }
        }
    }

    /// The fields of a response as a later request is compared with them.
    func selecting(_ headers: HTTPHeaders, for response: HTTPHeaders) -> HTTPHeaders {
        HTTPVary(response).selecting(headers, key: scopeKey)
    }

    func wasRemoved(_ key: CacheKey) -> Bool {
        generations.happened(.ofDisk(isOwn: isOwn), to: key, since: begun)
    }

    /// Writes to the cache; a failure to write never fails a load.
    func write(_ body: (any ImageCaching) async throws(ImageError) -> Void) async {
        do throws(ImageError) { try await body(cache) } catch {
            if error.code != .cancelled { degraded(error.description) }
        }
    }

    /// The metadata as it is stored: the URL's query is sealed unless the entry's key has it anyway, and no secret is in it.
    func sealed(_ metadata: CacheEntryMetadata) -> CacheEntryMetadata {
        guard let url = metadata.http?.url, url.utf8.contains(UInt8(ascii: "?")),
            url != key.sourceText || SecretParameters.redacted(url) != url
        else { return metadata }
        var metadata = metadata
        metadata.http?.url = StoredPlace.sealed(url, scopeKey)
        return metadata
    }

    // MARK: Variants

    private func variantKey(_ vary: HTTPVary, _ headers: HTTPHeaders) -> CacheKey {
        CacheKey(
            key.text + RequestKeys.separatorText + RequestKeys.varyPart + vary.variantText(headers, key: scopeKey))
    }

    /// The key itself, or another one if a different variant of the same `Vary` is stored there; and whether that entry has
    /// another `Vary`.
    private func place(for record: StoredHTTPResponse, _ headers: HTTPHeaders) async -> (CacheKey, Bool) {
        guard cache.mightContain(key), let first = try? await cache.metadata(for: key), let http = first.http else {
            return (key, false)
        }
        let (vary, old) = (HTTPVary(record.headers), HTTPVary(http.headers))
        guard old.names == vary.names else { return (key, !old.isEmpty) }
        if vary.isEmpty || vary.matches(headers, stored: http, key: scopeKey) { return (key, false) }
        return (variantKey(vary, headers), false)
    }

    // MARK: Removing

    /// Removes the stored response for these fields and its older copy. False: there is none. `copy`: if it was found already.
    func remove(_ copy: StoredCopy?, _ headers: HTTPHeaders) async -> Bool {
        var gone = copy
        if gone == nil { gone = await find(headers).copy }
        guard let gone else { return false }
        await write { cache throws(ImageError) in try await cache.remove(gone.key) }
        await removeOlder(gone.metadata.http, headers, than: gone.key)
        return true
    }

    /// Removes a variant's older copy, which is stored apart from the newer one at the key itself.
    private func removeOlder(_ record: StoredHTTPResponse?, _ headers: HTTPHeaders, than key: CacheKey) async {
        guard let record, key == self.key else { return }
        let vary = HTTPVary(record.headers)
        guard !vary.isEmpty else { return }
        let other = variantKey(vary, headers)
        await write { cache throws(ImageError) in
            if try await cache.metadata(for: other) != nil { try await cache.remove(other) }
        }
    }

    /// Removes variants by fields that the source no longer varies by. If it did so again, they would be found although they are
    /// older than later responses.
    private func removeVariants() async {
        let prefix = key.text + RequestKeys.separatorText + RequestKeys.varyPart
        await write { cache throws(ImageError) in try await cache.removeAll(prefix: prefix) }
    }
}
