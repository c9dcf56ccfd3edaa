#if HEIC
    /// The part of a HEIC file that libheif sees: a copy in which other boxes are renamed to "free", so that no offset changes.
    /// libheif then reads no box that Gannet has not checked.
    enum HEICView {
        /// Boxes that are kept, by their container. Of each kind only the first is kept, except tracks.
        private static let kept: [String: Set<String>] = [
            "moov": ["mvhd", "trak"], "trak": ["tkhd", "mdia", "tref"], "mdia": ["mdhd", "hdlr", "minf"],
            "minf": ["vmhd", "stbl"], "stbl": ["stsd", "stts", "ctts", "stsc", "stsz", "stco"], "hvc1": ["hvcC", "auxi"],
        ]
        /// The fields before the boxes in a container.
        private static let fields = ["stsd": 8, "hvc1": 78]

        /// A view without tracks, and without the brands that make libheif require them.
        static func ofItems(_ bytes: [UInt8]) -> [UInt8] {
            var result = bytes
            let boxes = ISOBoxes(bytes: bytes)
            for box in boxes.topLevel where box.type == "moov" { hide(box, in: &result) }
            guard let types = boxes.first("ftyp")?.content else { return result }
            for start in stride(from: types.lowerBound, to: types.upperBound - 3, by: 4)
            where start != types.lowerBound + 4
                && ["msf1", "isom", "mp41", "mp42"].contains(String(decoding: bytes[start..<start + 4], as: UTF8.self))
            {
                result.replaceSubrange(start..<start + 4, with: Array("mif1".utf8))
            }
            return result
        }

        /// A view with this track, its alpha, and the checked tables. Gannet reads the edit list itself: the library would repeat
        /// the frames as often as the list says.
        static func of(_ track: HEICTrack, _ bytes: [UInt8]) -> [UInt8] {
            let shown = [track.colors.track, track.alpha?.track]
            var result = bytes
            let boxes = ISOBoxes(bytes: bytes)
            var isFirst = true
            func hideOthers(in container: ISOBoxes.Box) {
                let inside = container.content.dropFirst(fields[container.type] ?? 0)
                if container.type == "stsd" { boxes.boxes(in: inside).forEach(hideOthers) }
                guard let kept = kept[container.type] else { return }
                var seen: Set<String> = []
                for box in boxes.boxes(in: inside) {
                    let isKept = box.type == "trak" ? shown.contains(box.content) : seen.insert(box.type).inserted
                    if isKept, kept.contains(box.type) { hideOthers(in: box) } else { hide(box, in: &result) }
                }
            }
            for box in boxes.topLevel where box.type == "moov" {
                if isFirst { hideOthers(in: box) } else { hide(box, in: &result) }
                isFirst = false
            }
            return result
        }

        private static func hide(_ box: ISOBoxes.Box, in bytes: inout [UInt8]) {
            bytes.replaceSubrange(box.start + 4..<box.start + 8, with: Array("free".utf8))
        }
    }
#endif
