public import GannetCore
import GannetFetch

extension ImageManager {
    /// All files of a live photo, usually its still and its video: from the caches, or fetched side by side and stored.
    /// - Kingfisher: retrieveLivePhoto
    ///
    /// All or none: if one file fails, its error is thrown, and the others are cancelled. Nothing is decoded; load the still like
    /// any image: `image(for:)` of its source. `options` are those of each file's request.
    public func livePhoto(
        for resources: [LivePhotoResource], _ options: RequestOption...
    ) async throws(ImageError) -> LivePhoto {
        // Cancelling everything from now on includes files whose turn has not come yet.
        let begun = generations.now
        let requests = resources.map { request(for: $0, options) }
        let outcome = await withTaskGroup(of: FetchedPart.self) { group -> Result<[LivePhoto.Part], ImageError> in
            for (index, request) in requests.enumerated() {
                group.addTask { await self.part(index, resources[index], request, begun) }
            }
            var parts = [LivePhoto.Part?](repeating: nil, count: requests.count)
            for await fetched in group {
                switch fetched.result {
                case .success(let part): parts[fetched.index] = part
                case .failure(let error):
                    group.cancelAll()
                    return .failure(error)
                }
            }
            return .success(parts.compactMap(\.self))
        }
        return LivePhoto(parts: try outcome.get())
    }

    /// The resources that are not stored on disk. - Kingfisher: missingResources
    public func missingResources(
        of resources: [LivePhotoResource], _ options: RequestOption...
    ) async throws(ImageError) -> [LivePhotoResource] {
        var missing: [LivePhotoResource] = []
        for resource in resources {
            let prepared = await pipeline.prepare(try pipeline.begin(request(for: resource, options)))
            let cache = prepared.request.cache
            guard cache.lookup != .loaderOnly,
                let disk = StoredTiers(pipeline: pipeline, prepared: prepared).originals,
                await disk.contains(prepared.keys.storage)
            else {
                missing.append(resource)
                continue
            }
        }
        return missing
    }

    private func request(for resource: LivePhotoResource, _ options: [RequestOption]) -> ImageRequest {
        var request = ImageRequest(resource.source, options: options)
        if let key = resource.cacheKey { request.cache.keyFilter = FixedKeyFilter(key) }
        return request
    }

    private func part(
        _ index: Int, _ resource: LivePhotoResource, _ request: ImageRequest, _ begun: Generations.Moment
    ) async -> FetchedPart {
        do throws(ImageError) {
            let prepared = await pipeline.prepare(try pipeline.begin(request, at: begun))
            let fetched = try await fetchBytes(prepared, priority: LivePriority(prepared.request.schedule.priority))
            guard case .encoded(let encoded) = fetched.content else {
                throw ImageError(
                    .unsupported, stage: .load, "The loader has an image and no bytes; a live photo is made of files.",
                    source: resource.source.redactedDescription)
            }
            let type = resource.determinedFileType(of: encoded.bytes)
            return FetchedPart(
                index, .success(LivePhoto.Part(resource: resource, fileType: type, bytes: encoded.bytes, origin: fetched.origin)))
        } catch { return FetchedPart(index, .failure(error)) }
    }
}

/// A class, because release builds of Swift 6.3.1 lose results of task groups that are tuples.
private final class FetchedPart: Sendable {
    let index: Int
    let result: Result<LivePhoto.Part, ImageError>

    init(_ index: Int, _ result: Result<LivePhoto.Part, ImageError>) {
        self.index = index
        self.result = result
    }
}
