public import GannetCore

extension ImageManager {
    /// Cancels every load that has begun, including one whose task has not run yet. - SDWebImage: cancelAll
    public func cancelAll() {
        // First: loads that join later see it, those that have joined are told below.
        generations.note(.cancelled)
        variants.abandon()
        steps.abandon()
        originals.abandon()
        transfers.abandon()
    }

    /// Cancels every load of this source that has begun, whatever is made of it and whoever waits for it: each ends with the error
    /// `cancelled`. Those of other sources continue, including where this one is an alternative of theirs, and where a key filter
    /// takes both for one. - Kingfisher: ImageDownloader.cancel(url:)
    public func cancel(_ source: ImageSource) {
        let text = source.keyText
        generations.note(.cancelled, of: .keys([CacheKey(text)]))
        variants.abandon { RequestKeys.isJob($0, of: text) }
        originals.abandon { RequestKeys.isJob($0, of: text) }
        transfers.abandon { RequestKeys.isJob($0, of: text) }
    }

    /// Whether a load that has begun is still wanted once it has joined.
    func isWanted(_ prepared: PreparedRequest) -> Bool {
        !generations.wasCancelled(prepared.request.source, since: prepared.begun)
    }

    var generations: Generations { fetcher.generations }
}
