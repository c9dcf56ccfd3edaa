/// A coder of a format whose files may have a small copy of their image inside, to be shown at once.
package protocol EmbeddedThumbnailReading: ImageCoder {
    /// The small copy as a separate file, turned like the image. Nil: there is none, or it has not arrived yet. Reads no pixels, and
    /// never throws: without it there is still the image. O(n) for the copy.
    func embeddedThumbnail(in file: ByteRope, limits: DecodeLimits) -> ByteRope?
}
