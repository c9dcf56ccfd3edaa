import GannetCore

extension FetchRequest {
    /// For revalidation in the background, after the caller has its answer: requests the whole, without the caller's conditions.
    package mutating func asksForWhole() {
        download.forcesRevalidation = true
        for name in HTTPCachePolicy.ownConditions where download.headers.contains(name) { download.headers.remove(name) }
    }

    /// Replaces the source and its entry in the cache; everything else of the request stays.
    mutating func replaceSource(with other: ImageSource) {
        let prefix = download.method == "GET" ? "" : download.method + " "
        storageOverride = storageKey.replacingSource(with: prefix + other.keyText)
        source = other
    }

    /// The entry's key.
    var storageKey: CacheKey { storageOverride ?? keys.storage }

    /// The key of the stored GET, whatever this request's method is.
    var getKey: CacheKey {
        let prefix = download.method + " "
        let text = storageKey.text
        return download.method != "GET" && text.hasPrefix(prefix) ? CacheKey(String(text.dropFirst(prefix.count))) : storageKey
    }
}
