package import GannetCore
import GannetFetch

/// Facts about an image's file besides its pixels.
package struct SourceFacts: Sendable {
    /// The length of the whole file.
    package var byteCount: Int
    /// EXIF, from the TIFF header on; nil: there is none.
    package var exif: [UInt8]?
}

extension ImageManager {
    /// The facts about the file of an image that is loaded; nil: its bytes are not stored any more. Opens no connection. Reads the
    /// header alone, in the process where images of this request are decoded.
    /// - Parameter encoded: the file, if the load had to read it; it is not read again then.
    package func sourceFacts(for request: ImageRequest, of encoded: EncodedImage?) async throws(ImageError) -> SourceFacts? {
        var stored = request
        if request.source.isOfTheNetwork { stored.cache.lookup = .cacheOnly }
        let known = if let encoded { encoded } else { try await fetchBytes(for: stored).encoded }
        guard let bytes = known?.bytes else { return nil }
        var options = ResolvedRequest(request, defaults: pipeline.defaults).decode
        options.allowsPartial = true
        let decoding = pipeline.decoding(options, request.context)
        return try await work.run(priority: LivePriority(.low)) { [options] () throws(ImageError) -> SourceFacts? in
            SourceFacts(byteCount: bytes.count, exif: try decoding.open(bytes, options).exif)
        }
    }
}
