package import GannetCore
import GannetFetch

extension ImageManager {
    /// The bytes of a video for a player in this process. Nil if the sandbox decodes its image, because whoever asks for that trusts no
    /// reader in this process with the bytes; and if the request is for other pixels than those of the file, such as one frame, a part or
    /// what transformers make of it.
    package func playableBytes(for request: ImageRequest, _ format: ImageFormat) async throws(ImageError) -> ByteRope? {
        let prepared = await pipeline.prepare(try pipeline.begin(request))
        let (decode, transform) = (prepared.request.decode, prepared.request.transform)
        let places = configuration.places
        let isolation = decode.isolation ?? places.byFormat[format.identifier] ?? places.isolation
        guard isolation == .inProcess, decode.frames == .all, decode.region == nil, transform.transformers.isEmpty,
            transform.modifier == nil, prepared.request.context.pixelsInfluence.isEmpty, configuration.interceptors.isEmpty
        else { return nil }
        return try await fetchBytes(prepared, priority: LivePriority(prepared.request.schedule.priority)).encoded?.bytes
    }
}
