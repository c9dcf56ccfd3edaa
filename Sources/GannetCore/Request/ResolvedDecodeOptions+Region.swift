extension ResolvedDecodeOptions {
    /// The part of ``region`` that lies in an image with this header, in stored pixels; nil: all is wanted. Throws `misuse` if nothing of it
    /// does.
    package func storedRegion(of header: ImageHeader) throws(ImageError) -> PixelRect? {
        guard let region else { return nil }
        let shown = appliesOrientation ? header.displayedSize : header.size
        guard let part = region.clipped(to: shown) else {
            throw ImageError(
                .misuse, stage: .decode,
                "The region of \(region.width)×\(region.height) at \(region.x), \(region.y) has no pixel of the image of \(shown). Ask for a part of it."
            )
        }
        return appliesOrientation ? header.orientation.stored(part, of: header.size) : part
    }

    /// For decoders that know no regions: the region is cut out of their pixels, and only then made smaller.
    package var withoutRegion: ResolvedDecodeOptions {
        guard region != nil else { return self }
        var options = with(.original)
        (options.region, options.scaleDownToBytes) = (nil, nil)
        return options
    }
}

extension PixelRect {
    /// Not for empty rectangles.
    package var size: PixelSize { PixelSize(clamping: width, height) }
}
