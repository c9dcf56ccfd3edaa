import GannetCore

/// Strips JPEG (ITU-T T.81, annex B): segments, then scans; the file is cut at the end of the image. A gain map behind it is stripped in
/// the same way, and stays. (Apple's own kind is no logarithm, and would have to be decoded: it goes.)
enum JPEGStripping {
    static func strip(_ bytes: [UInt8]) -> [UInt8]? {
        let image = image(bytes)
        return image.flatMap { UltraHDR.Attachment(of: bytes)?.added(to: $0) } ?? image
    }

    /// The image alone.
    static func image(_ bytes: [UInt8]) -> [UInt8]? {
        var kept: [UInt8] = [0xFF, 0xD8]
        kept.reserveCapacity(bytes.count)
        var turn: Orientation?
        var position = 2
        var profileEnd: Int?
        while position < bytes.count {
            guard let (marker, start) = marker(bytes, position) else { return nil }
            if marker == 0xD9 {
                kept += [0xFF, 0xD9]
                return finished(kept, turn, after: profileEnd ?? 2)
            }
            guard start + 2 <= bytes.count else { return nil }
            let end = start + Int(bytes[start]) << 8 + Int(bytes[start + 1])
            guard end >= start + 2, end <= bytes.count else { return nil }
            let content = bytes[start + 2..<end]
            if marker == 0xE1, content.starts(with: EXIF.prefix) {
                turn = turn ?? EXIF.orientation(in: Array(content.dropFirst(EXIF.prefix.count)))
            }
            if let content = whatStays(of: marker, content) {
                kept += [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)]
                kept += content
                if marker == 0xE0 { profileEnd = profileEnd ?? kept.count }
            }
            position = end
            if marker == 0xDA {
                let data = scanEnd(bytes, end)
                kept += bytes[end..<data]
                position = data
            }
        }
        // Truncated, as the input was.
        return finished(kept, turn, after: profileEnd ?? 2)
    }

    /// The next marker and the start of its segment; skips fill bytes.
    static func marker(_ bytes: [UInt8], _ position: Int) -> (UInt8, Int)? {
        guard bytes[position] == 0xFF else { return nil }
        var position = position
        while position < bytes.count, bytes[position] == 0xFF { position += 1 }
        return position < bytes.count ? (bytes[position], position + 1) : nil
    }

    /// The kept part of a segment: JFIF, colour profiles, Adobe's colour transform, and everything except application segments
    /// and comments. Decoders accept JFIF and Adobe segments of any length; only the part that decoders read stays.
    private static func whatStays(of marker: UInt8, _ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        switch marker {
        case 0xE0: content.starts(with: Array("JFIF\0".utf8)) && content.count >= 14 ? content.prefix(12) + [0, 0] : nil
        case 0xE2: content.starts(with: Array("ICC_PROFILE\0".utf8)) ? content : nil
        case 0xEE: content.starts(with: Array("Adobe".utf8)) && content.count >= 12 ? content.prefix(12) : nil
        case 0xE1...0xEF, 0xFE: nil
        default: content
        }
    }

    /// The end of the entropy-coded bytes from `start` on: the next marker that is no restart.
    private static func scanEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var position = start
        while position + 1 < bytes.count {
            if bytes[position] == 0xFF, bytes[position + 1] != 0, bytes[position + 1] != 0xFF,
                !(0xD0...0xD7).contains(bytes[position + 1])
            {
                return position
            }
            position += 1
        }
        return bytes.count
    }

    private static func finished(_ kept: [UInt8], _ turn: Orientation?, after place: Int) -> [UInt8] {
        guard let turn, turn != .up else { return kept }
        let block = EXIF.prefix + EXIF.block(orientation: turn)
        return kept[..<place] + [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + kept[place...]
    }
}
