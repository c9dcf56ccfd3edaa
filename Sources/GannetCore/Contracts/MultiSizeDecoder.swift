/// A coder whose stills can be decoded once for several sizes: its decoders are ``MultiSizeDecoder``s, or leave scaling to their caller
/// but for small sizes, which they make quickly.
package protocol MultiSizeCoder: ImageCoder {}

/// A decoder that makes several sizes of a still in one pass over its bytes. Each has the pixels that a decode of it alone has.
package protocol MultiSizeDecoder: ImageDecoder {
    /// For each of ``ResolvedDecodeOptions/otherTargets`` the layout that ``decodeSizes(into:)`` fills. Empty while the header is unknown,
    /// and where this file is decoded for each size alone.
    var otherLayouts: [PixelLayout] { get }
    /// Decodes frame 0: the first buffer has ``ImageDecoder/outputLayout``, the others have ``otherLayouts``, in their order. Throws and
    /// sets alpha as ``ImageDecoder/decodeFrame(at:into:)`` does.
    func decodeSizes(into buffers: [SizeBuffer]) throws(ImageError)
}

/// A buffer in a list. Used by one task at a time.
package final class SizeBuffer {
    private var pixels: PixelBuffer?

    package init(_ pixels: consuming PixelBuffer) { self.pixels = consume pixels }

    /// Gives the pixels to `body`, and keeps them whether or not it throws.
    package func edit<R, E: Error>(_ body: (inout PixelBuffer) throws(E) -> R) throws(E) -> R {
        guard var held = pixels.take() else { preconditionFailure("the pixels were taken") }
        do throws(E) {
            let result = try body(&held)
            pixels = consume held
            return result
        } catch {
            pixels = consume held
            throw error
        }
    }

    /// The pixels, once.
    package func take() -> PixelBuffer {
        guard let held = pixels.take() else { preconditionFailure("the pixels were taken") }
        return held
    }
}
