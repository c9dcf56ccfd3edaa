import GannetCore
import GannetFetch

/// Which running jobs a load may share. Made when a load goes beyond memory, because a memory hit needs none of them.
struct ImageJobKeys: Sendable {
    /// Of the transfer: source, and everything in the request about fetching.
    let transfer: CacheKey
    /// Of the decoded original: also how and where it is decoded, and how the caches are used. Requests that want other previews, or another
    /// process to decode in, do not join; the transfer is shared.
    let original: CacheKey
    /// Of the image: also what is made of the original, and how that is stored. Marked, because the job that stores the image is not
    /// that of the same original.
    let image: CacheKey
    /// The options of a job as a part of its key; nil: the transfer's key alone. Those for storing the original's bytes are in the transfer's key.
    private let usage: String?

    init(_ prepared: PreparedRequest) {
        let (request, keys) = (prepared.request, prepared.keys)
        let transfer = keys.join
        self.transfer = transfer
        // Most requests use the caches in the standard way, and want their original as it is: then one key says everything.
        let decode = request.decode
        let isPlain = request.hasStandardCache && !decode.previews.isEnabled && decode.isolation == nil
        let usage = isPlain ? nil : Self.usage(request, transfer)
        self.usage = usage
        let end = { usage ?? RequestKeys.separatorText + transfer.text }
        original = isPlain && keys.decode == keys.storage ? transfer : CacheKey(keys.decode.text + end())
        let isOriginal = isPlain && keys.variant == keys.decode
        image =
            (isOriginal ? original : CacheKey(keys.variant.text + (isPlain ? "" : Self.storing(request)) + end())).marked()
    }

    /// Of the image after the first `count` transformers, however it is stored. `keys` are those of a request with these alone.
    func made(_ keys: RequestKeys, _ count: Int) -> CacheKey {
        CacheKey(
            keys.made.text + (usage ?? RequestKeys.separatorText + transfer.text) + RequestKeys.separatorText + String(count))
    }

    private static func usage(_ request: ResolvedRequest, _ transfer: CacheKey) -> String {
        let (cache, previews) = (request.cache, request.decode.previews)
        let small = request.decode.usesEmbeddedThumbnail == .never ? ",n" : ""
        let shown = previews.isEnabled ? "\(previews.minimumInterval),\(previews.transforms)\(small)" : "-"
        return "\u{1}\(cache.lookup.rawValue),\(cache.read.rawValue),\(cache.readOriginal.rawValue),"
            + "\(cache.writeOriginal.rawValue),\(cache.sharesSizes),\(shown),\(request.decode.isolation?.rawValue ?? "-")\u{1}"
            + transfer.text
    }

    private static func storing(_ request: ResolvedRequest) -> String {
        if request.hasStandardCache { return "" }
        let cache = request.cache
        return "\u{1}\(cache.write.rawValue),\(cache.memoryExpiration),\(cache.summarizes),"
            + (cache.store?.sharingIdentity ?? "")
    }
}
