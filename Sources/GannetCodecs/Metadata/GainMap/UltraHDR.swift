package import GannetCore

/// JPEG with a gain map: the image, and behind it the map, a JPEG of its own. Found by the index of the first (CIPA DC-007), and named by
/// XMP (Ultra HDR) or the metadata of ISO 21496-1. All offsets, sizes and numbers are untrusted.
package enum UltraHDR {
    private static let profilePrefix = Array("ICC_PROFILE\0".utf8)

    /// Whether the beginning of a file names other images in it. (Then the rest may have a gain map.)
    package static func namesOtherImages(_ head: ByteRope) -> Bool { index(of: head) != nil }

    /// The segment with the index, before the first scan.
    private static func index(of file: ByteRope) -> JPEGSegments.Segment? {
        JPEGSegments(file).first { segment in
            segment.marker == 0xE2 && file.prefix(4, from: segment.content.lowerBound) == MultiPictureIndex.prefix
        }
    }

    // MARK: Reading

    /// The first image in the index that is a gain map with usable metadata and a size within the limits. Nil: there is none. Reads
    /// segments, and copies the map.
    package static func gainMap(in file: ByteRope, limits: DecodeLimits) -> EncodedGainMap? {
        guard let segment = index(of: file) else { return nil }
        let content = file.prefix(segment.content.count, from: segment.content.lowerBound)
        for range in MultiPictureIndex.images(in: content, at: segment.content.lowerBound, of: file.count) {
            guard file.prefix(3, from: range.lowerBound) == [0xFF, 0xD8, 0xFF] else { continue }
            // The header first; pictures for other purposes are not copied.
            let head = ByteRope(file.prefix(min(range.count, 1 << 18), from: range.lowerBound))
            guard var map = map(head, of: file),
                (try? limits.check(size: map.size, allocating: PixelLayout(size: map.size))) != nil
            else { continue }
            map.bytes = file.prefix(range.count, from: range.lowerBound)
            return map
        }
        return nil
    }

    private static func map(_ head: ByteRope, of file: ByteRope) -> EncodedGainMap? {
        var metadata: (adobe: GainMapMetadata?, iso: GainMapMetadata?) = (nil, nil)
        var apple: (isMap: Bool, headroom: Double?) = (false, nil)
        var frame: (size: PixelSize, isGray: Bool)?
        var profile = JPEGProfileChunks()
        for segment in JPEGSegments(head) {
            switch segment.marker {
            case 0xE1:
                let content = head.content(segment)
                guard content.starts(with: GainMapXMP.prefix), metadata.adobe == nil else { continue }
                let packet = Array(content.dropFirst(GainMapXMP.prefix.count))
                metadata.adobe = GainMapXMP.adobeMetadata(in: packet)
                apple = GainMapXMP.appleHeadroom(in: packet)
            case 0xE2:
                let content = head.content(segment)
                if content.starts(with: ISOGainMap.prefix) {
                    metadata.iso = metadata.iso ?? ISOGainMap.read(content.dropFirst(ISOGainMap.prefix.count))
                }
                profile.add(content)
            case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: frame = frame ?? self.frame(head.content(segment))
            default: break
            }
        }
        guard let frame else { return nil }
        func map(_ metadata: GainMapMetadata, _ format: GainMapFormat) -> EncodedGainMap {
            EncodedGainMap(
                bytes: [], size: frame.size, isGray: frame.isGray, metadata: metadata, format: format,
                iccProfile: profile.assembled ?? [])
        }
        if let metadata = metadata.iso { return map(metadata, .iso) }
        if let metadata = metadata.adobe { return map(metadata, .adobe) }
        guard apple.isMap, let headroom = apple.headroom ?? exif(of: file).flatMap(AppleGainMap.headroom),
            let metadata = AppleGainMap.metadata(headroom: headroom)
        else { return nil }
        var result = map(metadata, .apple)
        result.recoding = AppleGainMap.recoding(headroom: headroom)
        return result
    }

    private static func frame(_ content: [UInt8]) -> (size: PixelSize, isGray: Bool)? {
        guard content.count >= 6, content[0] == 8, content[5] == 1 || content[5] == 3,
            let size = PixelSize(
                width: Int(content[3]) << 8 | Int(content[4]), height: Int(content[1]) << 8 | Int(content[2]))
        else { return nil }
        return (size, content[5] == 1)
    }

    private static func exif(of file: ByteRope) -> [UInt8]? {
        for segment in JPEGSegments(file) where segment.marker == 0xE1 {
            let content = file.content(segment)
            if content.starts(with: EXIF.prefix) { return Array(content.dropFirst(EXIF.prefix.count)) }
        }
        return nil
    }

    // MARK: Writing

    /// A map, ready to stand behind any image.
    package struct Attachment: Sendable {
        private let map: [UInt8]

        /// `map` is a whole JPEG without metadata. Nil: its profile is too large to be written.
        package init?(_ map: [UInt8], _ metadata: GainMapMetadata, iccProfile: [UInt8] = []) {
            var segments: [UInt8] = []
            // Readers of XMP alone would apply the ratios to the wrong primaries.
            if metadata.usesBaseColors {
                segments += JPEGSegments.segment(0xE1, GainMapXMP.prefix + GainMapXMP.mapPacket(metadata))
            }
            segments += JPEGSegments.segment(0xE2, ISOGainMap.prefix + ISOGainMap.content(metadata))
            if !iccProfile.isEmpty {
                guard let profile = UltraHDR.profileSegments(iccProfile) else { return nil }
                segments += profile
            }
            guard let place = UltraHDR.place(in: map) else { return nil }
            self.map = Array(map[..<place]) + segments + Array(map[place...])
            saysSo = metadata.usesBaseColors
        }

        /// That of a whole file, without its metadata. Nil: it has none, or one whose samples are to be recoded.
        package init?(of file: [UInt8]) {
            guard let map = UltraHDR.gainMap(in: ByteRope(file), limits: .standard), map.recoding == nil,
                let image = JPEGStripping.image(map.bytes)
            else { return nil }
            self.init(image, map.metadata)
        }

        /// The image's packet names the map.
        private let saysSo: Bool

        /// Bytes by which ``added(to:joining:)`` makes a file larger, at most, without another packet.
        package var addedBytes: Int { map.count + 1024 }

        /// The file of `image`, a JPEG with nothing behind it. `xmp` is a packet for the image, which says nothing of a map. Nil: no JPEG, or no room for the packet.
        package func added(to image: [UInt8], joining xmp: [UInt8]? = nil) -> [UInt8]? {
            guard let place = UltraHDR.place(in: image) else { return nil }
            var segments: [UInt8] = []
            let packet = saysSo ? GainMapXMP.imagePacket(mapBytes: map.count, joining: xmp) : xmp
            if let packet {
                guard GainMapXMP.prefix.count + packet.count <= JPEGSegments.maximumBytes else { return nil }
                segments += JPEGSegments.segment(0xE1, GainMapXMP.prefix + packet)
            }
            segments += JPEGSegments.segment(0xE2, ISOGainMap.prefix + ISOGainMap.version)
            let header = place + segments.count + 4 + MultiPictureIndex.prefix.count
            let size = image.count + segments.count + 4 + MultiPictureIndex.writtenBytes
            segments += JPEGSegments.segment(
                0xE2, MultiPictureIndex.content(primary: size, map: map.count, offset: size - header))
            return image[..<place] + segments + image[place...] + map
        }
    }

    /// Behind JFIF and EXIF, which are the first. Nil: no JPEG.
    fileprivate static func place(in file: [UInt8]) -> Int? {
        guard file.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var place = 2
        let rope = ByteRope(file)
        for segment in JPEGSegments(rope) {
            let isEXIF = segment.marker == 0xE1 && rope.content(segment).starts(with: EXIF.prefix)
            guard segment.marker == 0xE0 || isEXIF else { break }
            place = segment.content.upperBound
        }
        return place
    }

    fileprivate static func profileSegments(_ profile: [UInt8]) -> [UInt8]? {
        let most = JPEGSegments.maximumBytes - profilePrefix.count - 2
        let count = (profile.count + most - 1) / most
        guard count <= 255 else { return nil }
        return (0..<count).flatMap { index in
            JPEGSegments.segment(
                0xE2, profilePrefix + [UInt8(index + 1), UInt8(count)] + profile.dropFirst(index * most).prefix(most))
        }
    }
}
