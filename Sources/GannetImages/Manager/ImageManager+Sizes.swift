public import GannetCore
import GannetFetch

extension ImageManager {
    /// The largest smaller size of the same image that is in memory and fresh: a placeholder that looks like the image. Nil
    /// if there is none, and where the request's image itself is in memory. Synchronous; microseconds.
    public func smallerCachedImage(for request: ImageRequest) -> LoadedImage? { cachedSize(for: request, mayBeLarger: false) }

    package func cachedSize(for request: ImageRequest, mayBeLarger: Bool) -> LoadedImage? {
        (try? pipeline.prepareAtOnce(request)).flatMap { cachedSize(of: $0, mayBeLarger: mayBeLarger) }
    }

    func cachedSize(of prepared: PreparedRequest, mayBeLarger: Bool) -> LoadedImage? {
        SizeFamily(pipeline: pipeline, prepared: prepared).inMemory(mayBeLarger: mayBeLarger).map {
            pipeline.loaded($0, prepared)
        }
    }
}
