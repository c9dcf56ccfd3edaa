public import GannetCore
import GannetFetch

extension ImageManager {
    /// Cancels every load that has begun, including one whose task has not run yet. - SDWebImage: cancelAll
    public func cancelAll() {
        // Noted first: loads that join later see it; loads that have joined are ended below.
        generations.note(.cancelled)
        images.abandon()
        encodings.abandon()
        transfers.abandon()
    }

    /// Cancels every load of this source that has begun, whatever it makes and however many callers wait: each load ends with the
    /// error `cancelled`. Loads of other sources continue, even if this source is one of their alternatives, or if a key filter
    /// maps both sources to one key. - Kingfisher: ImageDownloader.cancel(url:)
    public func cancel(_ source: some ImageSourceConvertible) {
        let text = source.imageSource.keyText
        generations.note(.cancelled, of: .keys([CacheKey(text)]))
        images.abandon { RequestKeys.isJob($0, of: text) }
        encodings.abandon { RequestKeys.isJob($0, of: text) }
        transfers.abandon { RequestKeys.isJob($0, of: text) }
    }
}
