import FoundationEssentials
package import GannetCore
import GannetPlatform

extension FetchJob {
    /// Whether the response depends on a field that the loader adds automatically: a cookie, or a login that the request does not
    /// contain. `Vary` keeps the bytes of different users apart. Keys do not, because they are made before the request is sent,
    /// so images made from such bytes must not be stored under them.
    func isOfUnnamedAsker(_ response: StoredHTTPResponse?) -> Bool {
        guard let response else { return false }
        let vary = HTTPVary(response.headers)
        guard !vary.names.isEmpty, !HTTPVary.askers.isDisjoint(with: vary.names) else { return false }
        return Self.isOfUnnamedAsker(vary, plainLoad, loader)
    }

    package static func isOfUnnamedAsker(_ vary: HTTPVary, _ load: LoadRequest, _ loader: any ImageLoader) -> Bool {
        let own = load.download
        if vary.names.contains("cookie"), own.cookies, !own.headers.contains("Cookie") { return true }
        guard vary.names.contains("authorization"), !own.headers.contains("Authorization"),
            let sent = loader.requestHeaders(for: load)["Authorization"]
        else { return false }
        return sent != own.credential?.headerValue
    }

    /// The result of a transfer, stored if the rules allow it.
    @inline(never) func keepWhole(
        _ transfer: Transfer, headers foreseen: HTTPHeaders, replacing old: StoredCopy?
    ) async throws(ImageError) -> FetchedBytes {
        guard let head = transfer.head else { return try await keepWithoutRules(transfer) }
        let headers = withLogin(foreseen)
        let rules = CacheDirectives(head.headers)
        guard isGet else {
            await followMethod(head, headers, transfer)
            let fetched = try described(transfer, head, headers, rules)
            // After a redirect the answer belongs to another URL, and must not be stored for this one.
            if policy.answersGet(method: request.download.method, head, request: sent(headers)), transfer.metrics.redirects == 0 {
                await store(fetched, at: request.getKey)
            }
            return fetched
        }
        var fetched = try described(transfer, head, headers, rules)
        let mayBeStored = policy.mayStore(
            method: "GET", request: sent(headers), status: head.status, response: head.headers, rules)
        // Images made from it must not be stored either.
        if !mayBeStored { fetched.forbidStoring() }
        guard request.writesCache, cache != nil else { return fetched }
        guard mayBeStored else {
            // The server no longer allows storing it: old copies must not answer later requests, whatever this request's cache
            // options.
            if rules.noStore { await removeCopies(headers, old) }
            return fetched
        }
        return await keep(fetched, headers, replacing: old)
    }

    /// Removes the stored response for these fields, its older copy, and the images that were made from it.
    @inline(never) private func removeCopies(_ headers: HTTPHeaders, _ old: StoredCopy?) async {
        guard old != nil || facts.original == .unread || !request.readsCache, await responses?.remove(old, headers) == true else {
            return
        }
        await request.whenReplaced?(request.storageKey, true)
    }

    @inline(never) private func keep(
        _ fetched: FetchedBytes, _ headers: HTTPHeaders, replacing old: StoredCopy?
    ) async -> FetchedBytes {
        guard let http = fetched.metadata?.http, let responses, let entry = entry(of: fetched) else { return fetched }
        var kept = fetched
        kept.storageKey = await responses.keep(entry, http, headers)
        // Images on disk are compared with the original when they are read; images in memory are not.
        let isEqual = HTTPValidators.strongMatch(old?.metadata.freshness.etag ?? "W/", kept.metadata?.freshness.etag ?? "W/")
        if !isEqual, old != nil || request.lookup == .loaderOnly { await request.whenReplaced?(request.storageKey, false) }
        return kept
    }

    /// The expected fields, plus the login that answered a challenge and is sent in advance from now on, so that `Vary`
    /// distinguishes responses with and without it.
    private func withLogin(_ headers: HTTPHeaders) -> HTTPHeaders {
        guard trail?.isAuthorized == true, !headers.contains("Authorization"),
            let login = loader.requestHeaders(for: plainLoad)["Authorization"]
        else { return headers }
        var headers = headers
        headers.add("Authorization", login)
        return headers
    }

    /// The expected fields, plus a login that a hook or a challenge added: answers to it are not for shared caches (RFC 9111
    /// §3.5).
    func sent(_ headers: HTTPHeaders) -> HTTPHeaders {
        guard policy.isShared, trail?.isAuthorized == true, !headers.contains("Authorization") else { return headers }
        var headers = headers
        headers.add("Authorization", "sent")
        return headers
    }

    /// For custom loaders and providers without HTTP.
    @inline(never) private func keepWithoutRules(_ transfer: Transfer) async throws(ImageError) -> FetchedBytes {
        let freshness = policy.completed(transfer.freshness)
        var fetched = try finished(transfer, freshness)
        guard request.writesCache, fetched.encoded != nil else { return fetched }
        fetched.metadata = CacheEntryMetadata(storedAt: time.now, freshness: freshness, expiration: request.expiration)
        if !freshness.forbidsStoring { await store(fetched, at: request.storageKey) }
        return fetched
    }

    /// The result with the metadata that would be stored with it.
    @inline(never) private func described(
        _ transfer: Transfer, _ head: HTTPResponseHead, _ headers: HTTPHeaders, _ rules: CacheDirectives
    ) throws(ImageError) -> FetchedBytes {
        let record = policy.record(
            head, request: headers, requestTime: transfer.requestTime, responseTime: transfer.responseTime, rules,
            scopeKey: cache?.scopeKey ?? .process)
        let freshness = policy.freshness(of: record, rules)
        var fetched = try finished(transfer, freshness)
        fetched.metadata = CacheEntryMetadata(
            storedAt: time.now, freshness: freshness, expiration: request.expiration, http: record)
        fetched.head = head
        return fetched
    }

    @inline(never) private func store(_ fetched: FetchedBytes, at key: CacheKey) async {
        guard request.writesCache, let entry = entry(of: fetched) else { return }
        await responses?.store(entry, at: key)
    }

    private func entry(of fetched: FetchedBytes) -> CacheEntry? {
        guard let image = fetched.encoded, var metadata = fetched.metadata else { return nil }
        metadata.format = fetcher.formatOf?(image.bytes)?.identifier
        return CacheEntry(bytes: image.bytes, metadata: metadata)
    }

    /// HEAD updates the stored GET response or removes it. Unsafe methods invalidate it for all users and all hooks.
    @inline(never) private func followMethod(
        _ head: HTTPResponseHead, _ headers: HTTPHeaders, _ transfer: Transfer
    ) async {
        if request.download.method == "HEAD" {
            guard request.writesCache else { return }
            await responses(at: request.getKey)?.follow(
                head: head, headers, sent: sent(headers), requestTime: transfer.requestTime, responseTime: transfer.responseTime)
            return
        }
        await invalidate(voided(by: head, nil))
    }

    /// No usable answer arrived, but the server may have carried out the request all the same.
    @inline(never) func followMethod(after error: ImageError) async {
        guard !HTTPCachePolicy.isSafe(request.download.method) else { return }
        await invalidate(voided(by: nil, error))
    }

    /// The URLs whose stored responses were invalidated by unsafe methods of any attempt; nil if none were. If there are any, the
    /// source's own URL is invalidated too, because its redirects led to the others.
    private func voided(by head: HTTPResponseHead?, _ error: ImageError?) -> [URL]? {
        guard let lines = plainLoad.journal?.lines else { return voidedUnwritten(by: head, error) }
        var urls: [URL] = []
        for (index, line) in lines.enumerated() where !HTTPCachePolicy.isSafe(line.method) {
            guard let answer = line.answer else {
                urls.append(line.url)
                continue
            }
            guard policy.invalidates(method: line.method, status: answer.status) else { continue }
            urls.append(line.url)
            // The target of a redirect was requested next, maybe with a GET, which changes nothing there.
            if answer.status < 300 || index == lines.count - 1 { urls += policy.invalidatedURLs(answer) }
        }
        return urls.isEmpty ? nil : urls
    }

    /// For custom loaders, which report only the final answer.
    private func voidedUnwritten(by head: HTTPResponseHead?, _ error: ImageError?) -> [URL]? {
        if let status = head?.status ?? error?.httpStatus {
            guard policy.invalidates(method: request.download.method, status: status) else { return nil }
            return head.map { [$0.url] + policy.invalidatedURLs($0) } ?? []
        }
        return error.map { $0.code == .cancelled || HTTPCachePolicy.wasNotSent.contains($0.code) } ?? true ? nil : []
    }

    /// Invalidates all stored entries of the request's source and of these URLs, and removes them from the failed sources.
    /// Running loads do not restore any of it.
    private func invalidate(_ others: [URL]?) async {
        guard let others else { return }
        var texts = [request.getKey.sourceText]
        for text in others.map({ ImageSource.url($0).keyText }) where !texts.contains(text) { texts.append(text) }
        let isCurrent = !fetcher.generations.happened(
            .ofDisk(isOwn: request.cache != nil), to: request.getKey, since: begun)
        let end = await fetcher.generations.changing(texts) { text in
            fetcher.failedSources.remove(request.source)
            fetcher.failedSources.remove(sourceText: text)
            await responses?.write { cache throws(ImageError) in try await cache.removeAll(of: text) }
            await request.whenInvalidated?(text)
        }
        // This request's own response is from after the change.
        if isCurrent { begun = end }
    }

    /// Whether an answer with this status is valid without a body.
    private func mayBeEmpty(_ status: Int) -> Bool {
        if request.allowsEmptyBody { return true }
        return switch request.download.method {
        case "GET": status == 304
        case "POST": status == 204
        default: true
        }
    }

    /// Bytes or a decoded image, checked for emptiness.
    func finished(_ transfer: Transfer, _ freshness: Freshness) throws(ImageError) -> FetchedBytes {
        let key = request.storageKey
        switch transfer.content {
        case .image(let image):
            var fetched = FetchedBytes(
                content: .image(image), origin: transfer.origin, storageKey: key, metrics: transfer.metrics)
            fetched.imageFreshness = freshness
            return fetched
        case .notModified:
            throw ImageError(.protocolViolation, stage: .load, "The source says “not modified”, but nothing is stored.")
        case .bytes(let rope):
            guard !rope.isEmpty || mayBeEmpty(transfer.head?.status ?? 0) else {
                throw ImageError(.empty, stage: .load, "The source has no bytes at all.", httpStatus: transfer.head?.status)
            }
            var fetched = FetchedBytes(
                content: .encoded(EncodedImage(bytes: rope, freshness: freshness)), origin: transfer.origin, storageKey: key,
                metrics: transfer.metrics)
            fetched.unused = transfer.unused
            return fetched
        }
    }
}

extension ImageCaching {
    /// Removes everything that was made from a source: for all users, in all sizes, complete or partial.
    package func removeAll(of sourceText: String) async throws(ImageError) {
        var failure: ImageError?
        do throws(ImageError) { try await remove(CacheKey(sourceText)) } catch { failure = error }
        // Even if the first removal failed.
        try await removeAll(prefix: sourceText + RequestKeys.separatorText)
        if let failure { throw failure }
    }
}

extension RequestKeys {
    /// Separates the parts of a key; cannot occur in a URL.
    package static let separatorText = "\u{1}"
    /// Precedes the name of a request's own cache, at the end of keys in memory.
    package static let ownCachePart = separatorText + "in="
    package static let separatorCharacter: Character = "\u{1}"
}
