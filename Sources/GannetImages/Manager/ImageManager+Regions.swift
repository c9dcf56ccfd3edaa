package import GannetCore
import GannetFetch
import GannetKernels

/// One file of which parts are decoded, without reading it again for each part.
package final class ImageRegions: Sendable {
    private let pipeline: ImagePipeline
    private let prepared: PreparedRequest
    private let bytes: ByteRope
    private let origin: ImageOrigin?
    private let memory: RegionMemory
    /// How many parts to decode at once: one after the other where a decoder has a process of its own, which then has the file; else two.
    /// Whoever asks keeps to it, so that nothing that is not wanted any more waits here.
    package let concurrency: Int

    init(_ pipeline: ImagePipeline, _ prepared: PreparedRequest, _ bytes: ByteRope, _ origin: ImageOrigin?) {
        (self.pipeline, self.prepared, self.origin) = (pipeline, prepared, origin)
        memory = RegionMemory(budget: pipeline.work.budget, idle: pipeline.configuration.pool.maximumIdleBytes)
        let decoding = pipeline.decoding(prepared.request.decode)
        concurrency = decoding.needsOwnThread(bytes, prepared.request.decode) ? 1 : 2
        // One piece, which decoders read without a copy.
        self.bytes = bytes.compacted()
    }

    /// Decodes a part of the upright image, and cuts these places out of it.
    @concurrent
    package func bitmaps(of region: PixelRect, at size: PixelSize, cut places: [PixelRect]) async throws(ImageError) -> [Bitmap] {
        let part = try await bitmap(of: region, at: size)
        var bitmaps: [Bitmap] = []
        for place in places { bitmaps.append(try cropped(part, to: place, pool: memory.pool)) }
        return bitmaps
    }

    /// Decodes a part of the upright image, in a slot and within the budget of the manager's decodes.
    package func bitmap(of region: PixelRect, at size: PixelSize) async throws(ImageError) -> Bitmap {
        var options = prepared.request.decode
        (options.region, options.frames, options.usesEmbeddedThumbnail) = (region, .first, .never)
        // Of a damaged file only tiles beside the damage are shown: a decoder that repairs reads the whole for each.
        (options.allowsPartial, options.scaleDownToBytes) = (false, nil)
        options.target = size == region.size ? .original : .size(.stretch(size.width, size.height))
        let priority = LivePriority(prepared.request.schedule.priority)
        let context = prepared.request.context
        // What was learnt of the file may be in the way of a decode that waits.
        defer { pipeline.work.budget.askHolders() }
        return try await pipeline.decodeInTurn(bytes, options, priority, context, of: origin, memory).bitmap
    }
}

extension ImageManager {
    /// The file of a request, to decode parts of it. Nil: the request is for a part already, or something is done to its image, such as
    /// by a transformer.
    package func regions(of request: ImageRequest) async throws(ImageError) -> ImageRegions? {
        let prepared = await pipeline.prepare(try pipeline.begin(request))
        let (decode, transform) = (prepared.request.decode, prepared.request.transform)
        guard decode.region == nil, transform.transformers.isEmpty, transform.modifier == nil, configuration.interceptors.isEmpty
        else { return nil }
        let fetched = try await fetchBytes(prepared, priority: LivePriority(prepared.request.schedule.priority))
        return fetched.encoded.map {
            ImageRegions(pipeline, prepared, $0.bytes, prepared.origin(of: fetched.source, fetched.metadata))
        }
    }
}
