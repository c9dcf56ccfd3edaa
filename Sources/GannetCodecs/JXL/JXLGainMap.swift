#if JXL
    import GannetCore

    /// The gain map of a JPEG XL file: the box `jhgm` (ISO/IEC 18181-2), with the metadata of ISO 21496-1, the colours of the alternate
    /// rendition, and a codestream.
    enum JXLGainMap {
        static func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
            guard file.isComplete, file.prefix(1).first == 0 else { return nil }
            let boxes = ISOBoxes(bytes: file.contiguous())
            guard let content = boxes.topLevel.first(where: { $0.type == "jhgm" })?.content,
                boxes.number(0, 1, in: content) == 0, let length = boxes.number(1, 2, in: content),
                let colorLength = boxes.number(3 + length, 1, in: content),
                let profileLength = boxes.number(4 + length + colorLength, 4, in: content)
            else { return nil }
            // The profile is compressed, and is needed only for ratios of single channels that are not for the base's primaries.
            let start = 8 + length + colorLength
            guard profileLength < content.count - start else { return nil }
            var metadata = boxes.bytes[content.dropFirst(3).prefix(length)]
            // Some writers put the version of HEIF's item before it, which makes it odd in length.
            if [62, 142].contains(metadata.count) { metadata = metadata.dropFirst() }
            let codestream = Array(boxes.bytes[content.dropFirst(start + profileLength)])
            guard let header = JXLSizeHeader(codestream), let numbers = ISOGainMap.read(metadata),
                (try? limits.check(size: header.size, allocating: PixelLayout(size: header.size))) != nil
            else { return nil }
            return EncodedGainMap(
                bytes: codestream, size: header.size, isGray: header.isGray, metadata: numbers, format: .iso)
        }
    }
#endif
