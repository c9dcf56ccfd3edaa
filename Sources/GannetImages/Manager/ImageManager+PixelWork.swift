public import GannetCore
import GannetFetch
import GannetPlatform

extension ImageManager {
    /// The image as a file, written by this manager's coders. Waits
    /// its turn among decodes, which it precedes, and for a copy of the pixels in their budget.
    ///
    /// Throws `unsupported` if no coder writes the format, `encodeFailed`, `limitExceeded` if the budget is smaller than the
    /// image, and `cancelled`.
    public func encoded(
        _ image: DecodedImage, _ options: EncodeOptions = EncodeOptions()
    ) async throws(ImageError) -> EncodedImage {
        let encoding = ImageEncoding(coders: configuration.coders, pool: configuration.pool)
        return try await pixelWork(holding: image.bitmap.encodingBytes, priority: .veryHigh) { () throws(ImageError) in
            try encoding.encode(image, options: options)
        }
    }

    /// Runs work on pixels outside of a load, as an encode for a response, in the line of decodes: in a slot, by priority, on the
    /// threads for pixels, and within the budget.
    ///
    /// A caller that holds decoded pixels until then should have a priority above that of decodes: every decode that goes before
    /// it adds an image that waits.
    ///
    /// - Parameter bytes: memory that the work takes besides what it was given, at most: for an encode, a copy of the pixels.
    ///
    /// Throws what `body` throws, `limitExceeded` if the budget is smaller than `bytes`, and `cancelled` while it waits.
    package func pixelWork<R: Sendable>(
        holding bytes: Int, priority: LoadPriority, _ body: @Sendable @escaping () throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        try await work.run(holding: bytes, priority: priority, body)
    }
}
