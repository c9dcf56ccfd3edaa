package import GannetCore

/// The thumbnail that cameras and phones put into HEIC, AVIF and raw files.
package enum EmbeddedThumbnail {
    /// The same of a file that may still be arriving: nil until it is whole, because the thumbnail can be anywhere in it.
    package static func promoted(in file: ByteRope) -> ByteRope? {
        guard file.isComplete else { return nil }
        return promoted(in: file.contiguous()).map { ByteRope($0) }
    }

    /// A copy of the file in which the thumbnail takes the place of the image (ISO/IEC 23008-12 §6.4.4): the number of the primary item is
    /// another one, and the item is called a thumbnail no longer, because readers pass over those. Of a raw file, the JPEG inside. Nil if the
    /// file has no thumbnail, or is of another format. O(n) for the copy.
    package static func promoted(in file: [UInt8]) -> [UInt8]? {
        #if RAW
            if let preview = RAWPreview.jpeg(in: file) { return preview }
        #endif
        #if AVIF || HEIC
            guard file.count > 12, file[4..<8].elementsEqual("ftyp".utf8) else { return nil }
            let boxes = ISOBoxes(bytes: file)
            guard let meta = boxes.first("meta"), meta.content.count >= 4 else { return nil }
            let inside = boxes.boxes(in: meta.content.dropFirst(4))
            guard let primary = inside.first(where: { $0.type == "pitm" })?.content,
                let version = boxes.number(0, 1, in: primary)
            else { return nil }
            let width = version == 0 ? 2 : 4
            guard let image = boxes.number(4, width, in: primary) else { return nil }
            let thumbnail = inside.lazy.filter { $0.type == "iref" }
                .compactMap { Self.thumbnail(of: image, boxes, $0.content) }.first
            guard let thumbnail, thumbnail.item < 1 << (8 * width) else { return nil }
            var result = file
            result.replaceSubrange(thumbnail.type, with: "free".utf8)
            for byte in 0..<width {
                result[primary.lowerBound + 4 + byte] = UInt8(truncatingIfNeeded: thumbnail.item >> (8 * (width - 1 - byte)))
            }
            return result
        #else
            return nil
        #endif
    }

    #if AVIF || HEIC
        /// The first item that says it is a thumbnail of `image`, and where it says so.
        private static func thumbnail(
            of image: Int, _ boxes: ISOBoxes, _ references: Range<Int>
        ) -> (item: Int, type: Range<Int>)? {
            guard let version = boxes.number(0, 1, in: references), references.count >= 4 else { return nil }
            let width = version == 0 ? 2 : 4
            for box in boxes.boxes(in: references.dropFirst(4)) where box.type == "thmb" {
                guard let item = boxes.number(0, width, in: box.content), let count = boxes.number(width, 2, in: box.content)
                else { continue }
                let isOfImage = (0..<count).contains { boxes.number(width + 2 + $0 * width, width, in: box.content) == image }
                if isOfImage, item != image { return (item, box.start + 4..<box.start + 8) }
            }
            return nil
        }
    #endif
}
