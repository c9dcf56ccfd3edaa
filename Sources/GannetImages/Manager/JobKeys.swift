package import GannetCore
import GannetFetch

/// The keys of the running jobs that a load may share. Made after a miss in memory, because a hit needs none of them.
package struct JobKeys: Sendable {
    /// The key of the transfer: source, and everything in the request about fetching.
    package let transfer: CacheKey
    /// The key of the decoded original: also how and where it is decoded, and how the caches are used. Requests with other
    /// previews or another isolation do not join; they share the transfer.
    package let original: CacheKey
    /// The key of the image: also what is made of the original, and how that is stored.
    package let image: CacheKey

    init(_ prepared: PreparedRequest) {
        let (request, keys) = (prepared.request, prepared.keys)
        transfer = keys.join
        // Most requests use the caches in the standard way, and want their original as it is: then one key says everything.
        let decode = request.decode
        let isPlain = request.hasStandardCache && !decode.previews.isEnabled && decode.isolation == nil
        let usage = isPlain ? RequestKeys.separatorText + transfer.text : Self.usage(request, transfer)
        original = isPlain && keys.decode == keys.storage ? transfer : CacheKey(keys.decode.text + usage)
        if isPlain, keys.variant == keys.decode {
            image = original
        } else {
            image = CacheKey(keys.variant.text + (request.hasStandardCache ? "" : Self.storing(request)) + usage)
        }
    }

    /// The options of a job as a part of its key. Those for storing the original's bytes are in the transfer's key.
    private static func usage(_ request: ResolvedRequest, _ transfer: CacheKey) -> String {
        let (cache, previews) = (request.cache, request.decode.previews)
        let shown = previews.isEnabled ? "\(previews.minimumInterval),\(previews.transforms)" : "-"
        return "\u{1}\(cache.lookup.rawValue),\(cache.read.rawValue),\(cache.readOriginal.rawValue),"
            + "\(cache.writeOriginal.rawValue),\(cache.sharesSizes),\(shown),\(request.decode.isolation?.rawValue ?? "-")\u{1}"
            + transfer.text
    }

    private static func storing(_ request: ResolvedRequest) -> String {
        let cache = request.cache
        return "\u{1}\(cache.write.rawValue),\(cache.memoryExpiration),\(cache.summarizes),"
            + (cache.store?.sharingIdentity ?? "")
    }
}
