/// The gain map of a bitmap: the part of a file's map that belongs to these pixels, not decoded.
///
/// Stands with the pixels, so that new pixels have none unless whoever makes them says which part is theirs. Resizing changes nothing
/// here: a map has no size until it is written.
package final class GainMap: Sendable {
    /// The file's map, and how to decode it. Shared by all images that were made of one file.
    package final class Source: Sendable {
        package let encoded: EncodedGainMap
        /// Stored pixels of the whole image.
        package let imageSize: PixelSize
        /// Decodes the map, at the size given or its own. Blocking; where and with which limits the image was decoded.
        package let decode: @Sendable (PixelSize) throws(ImageError) -> Bitmap

        package init(
            _ encoded: EncodedGainMap, imageSize: PixelSize,
            decode: @escaping @Sendable (PixelSize) throws(ImageError) -> Bitmap
        ) {
            self.encoded = encoded
            self.imageSize = imageSize
            self.decode = decode
        }
    }

    /// A rectangle in fractions of the stored map's sides.
    package struct Part: Hashable, Sendable {
        package var left = 0.0
        package var top = 0.0
        package var right = 1.0
        package var bottom = 1.0

        package var width: Double { right - left }
        package var height: Double { bottom - top }
        package var isWhole: Bool { self == Part() }

        /// `inner` is in fractions of this part.
        fileprivate func part(_ inner: Part) -> Part {
            Part(
                left: left + inner.left * width, top: top + inner.top * height, right: left + inner.right * width,
                bottom: top + inner.bottom * height)
        }
    }

    package let source: Source
    /// The part of the map that shows what these pixels show.
    package let part: Part
    /// How that part is turned to lie over the pixels.
    package let orientation: Orientation

    package init(_ source: Source, part: Part = Part(), orientation: Orientation = .up) {
        self.source = source
        self.part = part
        self.orientation = orientation
    }

    package var metadata: GainMapMetadata { source.encoded.metadata }

    /// Bytes of memory that this map holds.
    package var byteCount: Int { source.encoded.bytes.count + source.encoded.iccProfile.count }

    /// Of the part `rect` of pixels that are `size` large; nil is all.
    package func cropped(to rect: PixelRect?, of size: PixelSize) -> GainMap {
        guard let rect = rect?.clipped(to: size) else { return self }
        let (width, height) = (Double(size.width), Double(size.height))
        let first = orientation.stored(x: Double(rect.x) / width, y: Double(rect.y) / height)
        let last = orientation.stored(x: Double(rect.x + rect.width) / width, y: Double(rect.y + rect.height) / height)
        let inner = Part(
            left: min(first.x, last.x), top: min(first.y, last.y), right: max(first.x, last.x), bottom: max(first.y, last.y))
        return GainMap(source, part: part.part(inner), orientation: orientation)
    }

    /// Of the pixels after a turn.
    package func turned(by turn: Orientation) -> GainMap {
        GainMap(source, part: part, orientation: orientation.followed(by: turn))
    }

    /// The pixels of ``part``, before it is turned, for an image of `size`: as many for each pixel of the image as the file had, and no
    /// more than the part has.
    package func storedSize(for size: PixelSize) -> PixelSize {
        let shown = orientation.displayed(size)
        let (map, image) = (source.encoded.size, source.imageSize)
        func side(_ shown: Int, _ map: Int, _ image: Int, _ part: Double) -> Int {
            let wanted = min(Double(shown) * min(Double(map) / Double(image), 1), part * Double(map))
            return Int((wanted - 1e-6).rounded(.up))
        }
        return PixelSize(
            clamping: side(shown.width, map.width, image.width, part.width),
            side(shown.height, map.height, image.height, part.height))
    }

    /// Memory that writing the map beside an image of `size` takes at most: the decoded map, its decoder's, and the new one.
    package func workBytes(for size: PixelSize) -> Int {
        let stored = source.encoded.size.area
        // Coefficients of a progressive JPEG take up to six bytes a pixel; the planes, frames and rows of other decoders up to 24.
        let isJPEG = source.encoded.bytes.starts(with: [0xFF, 0xD8])
        return stored * (isJPEG ? 6 : 24) + (part.isWhole ? 0 : stored * 4) + 3
            * PixelLayout(size: storedSize(for: size)).byteCount
    }
}

extension Bitmap {
    /// Nil for nearly all images.
    package var gainMap: GainMap? { storage.gainMap }

    /// Memory for a copy of the pixels, for one in standard range, and for their gain map: what an encode takes.
    package var encodingBytes: Int {
        layout.byteCount * (dynamicRange.isHigh ? 2 : 1) + (gainMap?.workBytes(for: size) ?? 0)
    }
}
