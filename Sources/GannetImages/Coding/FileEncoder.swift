package import GannetCore

/// Makes the file of an image in a caller's own way, for ``ImageManager/encoded(for:by:holding:priority:)``: in a format that the
/// image decides, or with parts of its original.
package struct FileEncoder: Sendable {
    /// Part of the file's key: equal names stand for equal files of equal images.
    package let name: String
    /// Blocking, on a thread for pixels. `original`: the bytes that the image was decoded from; nil if its loader delivers
    /// images, or its pixels were in memory.
    package let encode: @Sendable (_ image: DecodedImage, _ original: ByteRope?) throws(ImageError) -> EncodedImage

    package init(
        name: String, encode: @escaping @Sendable (DecodedImage, ByteRope?) throws(ImageError) -> EncodedImage
    ) {
        (self.name, self.encode) = (name, encode)
    }
}
